import ArgumentParser
import GridFormats
import TouchModel
import TouchgridAPI

struct Displays: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows the displays that touchscreens lie on.",
    discussion: """
      One line a display: its name, the screen now showing, its geometry as 'touchgrid screens' writes \
      it, from where that is known, and its touchscreens.
      """)

  @OptionGroup var socket: SocketOption

  @Flag(help: "The daemon's reply as JSON: GetDisplays in io.touchgrid.")
  var json = false

  func run() throws {
    let reply = try socket.connect().call(API.GetDisplays())
    if json { return try writeJSON(reply) }
    guard !reply.displays.isEmpty else {
      throw Failure(
        "no display, as there is no touchscreen; 'touchgrid doctor' looks for the reason")
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

/// The verb `touchgrid display NAME`.
struct SetDisplay: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "display",
    abstract: "Turns a display, or gives it another geometry.",
    discussion: """
      Holds until the daemon stops; what must always hold belongs in the configuration. Touches that \
      are down keep to the geometry on which they began. For handhelds: call it from whatever turns \
      the picture. A display of which the configuration masks a rectangle stays as it is: the \
      rectangle would no longer lie where it shall.
      """)

  @Argument(help: "The display, as 'touchgrid displays' names it.", completion: .displays)
  var name: String

  @Option(
    help: ArgumentHelp(
      "How far the picture is turned against the panel, clockwise: 0, 90, 180 or 270.",
      valueName: "degrees"),
    completion: .list(["0", "90", "180", "270"]))
  var rotation: Int?

  @Option(help: ArgumentHelp("The panel before rotation, such as 1920x1080.", valueName: "pixels"))
  var size: PixelsArgument?

  @Option(help: ArgumentHelp("Pixels a point, 0.25 to 16.", valueName: "number"))
  var scale: Double?

  @OptionGroup var socket: SocketOption

  @Flag(help: "The daemon's reply as JSON: SetDisplay in io.touchgrid.")
  var json = false

  func validate() throws {
    guard rotation != nil || size != nil || scale != nil else {
      throw ValidationError("Say what to change: --rotation, --size or --scale.")
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
  /// The geometry as in `DisplayGeometry.text`. For an impossible geometry, its numbers and a
  /// question mark.
  var text: String {
    displayGeometry?.text ?? "\(pixelWidth)x\(pixelHeight)@\(scale)+\(rotation)/\(blockSize)?"
  }
}
