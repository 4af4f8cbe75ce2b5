import ArgumentParser
import Heatmaps
import Text
import TouchModel
import TouchgridAPI

struct Displays: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists the displays that have a touchscreen.",
    discussion: """
      Prints one line per display: its name, the screen shown now, its geometry as 'touchgrid screens' \
      prints it, the source of the geometry, and its touchscreens.
      """)

  @OptionGroup var socket: SocketOption

  @Flag(help: "The daemon's reply as JSON (GetDisplays of the interface io.touchgrid).")
  var json = false

  func run() throws {
    let reply = try socket.connect().call(API.GetDisplays())
    if json { return try writeJSON(reply) }
    guard !reply.displays.isEmpty else {
      throw Failure(
        "there is no touchscreen, and so no display; 'touchgrid doctor' looks for the reason")
    }
    try writeLines(Self.lines(reply.displays, width: Terminal.width))
  }

  static func lines(_ displays: [API.Display], width: Int) -> [String] {
    TextTable(
      [
        .init("DISPLAY", canShrink: true), .init("SCREEN", canShrink: true), .init("GEOMETRY"),
        .init("KNOWN FROM"), .init("TOUCHSCREENS", canShrink: true),
      ],
      rows: displays.map {
        [
          $0.name.printable(), $0.screen.printable(), $0.geometry.text,
          $0.geometrySource.rawValue,
          $0.devices.map { $0.printable() }.joined(separator: ", "),
        ]
      }
    ).lines(width: width)
  }
}

/// The verb `touchgrid set-display NAME`.
struct SetDisplayVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-display",
    abstract: "Changes the rotation, size or scale of a display.",
    discussion: """
      The change lasts until the daemon stops; for a permanent one use the configuration. Touches \
      that are down keep the geometry in which they began. On handhelds, run this command from the \
      program that rotates the display. If the configuration masks a rectangle on the display, the \
      geometry cannot be changed, because the rectangle would move.
      """)

  @Argument(
    help: "The name of the display, as 'touchgrid displays' prints it.", completion: .displays)
  var name: String

  @Option(
    help: ArgumentHelp(
      "The clockwise rotation of the picture on the panel: 0, 90, 180 or 270.",
      valueName: "degrees"),
    completion: .list(["0", "90", "180", "270"]), transform: readInteger)
  var rotation: Int?

  @Option(
    help: ArgumentHelp("The size before rotation, such as 1920x1080.", valueName: "pixels"),
    transform: PixelsArgument.read)
  var size: PixelsArgument?

  @Option(
    help: ArgumentHelp("Pixels per point, 0.25 to 16.", valueName: "number"),
    transform: readNumber)
  var scale: Double?

  @OptionGroup var socket: SocketOption

  @Flag(help: "The daemon's reply as JSON (SetDisplay of the interface io.touchgrid).")
  var json = false

  func validate() throws {
    guard rotation != nil || size != nil || scale != nil else {
      throw ValidationError("Give at least one of --rotation, --size and --scale.")
    }
    if let rotation, Rotation(rawValue: rotation) == nil {
      throw ValidationError("--rotation takes 0, 90, 180 or 270.")
    }
    if let scale, !(0.25...16).contains(scale) {
      throw ValidationError("--scale takes 0.25 to 16.")
    }
  }

  func run() throws {
    let reply = try socket.connect().call(
      API.SetDisplay(
        name: name, pixelWidth: size?.width, pixelHeight: size?.height, scale: scale,
        rotation: rotation))
    if json { return try writeJSON(reply) }
    try writeLines(Displays.lines([reply.display], width: Terminal.width))
  }
}

extension API.Geometry {
  /// The geometry as in `DisplayGeometry.text`. For an invalid geometry, its numbers and a question
  /// mark.
  var text: String {
    displayGeometry?.text ?? "\(pixelWidth)x\(pixelHeight)@\(scale)+\(rotation)/\(blockSize)?"
  }
}
