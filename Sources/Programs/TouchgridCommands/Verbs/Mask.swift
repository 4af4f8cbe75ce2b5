import ArgumentParser
import Heatmaps
import Text
import TouchModel
import TouchgridAPI

/// The verb `touchgrid mask [list|add|remove]`.
struct Mask: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists, adds and removes masks: areas where positions are not recorded.",
    discussion: """
      Touches on a keypad reveal the PIN. A touch that begins inside a mask, or moves into it, only \
      adds to the number of masked touches of its session. A mask ends when the daemon stops; with \
      --save it is written into the configuration, and lasts.
      """,
    subcommands: [List.self, Add.self, Remove.self], defaultSubcommand: List.self)

  /// The mask to add or to remove.
  struct Options: ParsableArguments {
    @Argument(help: "The screen.", completion: .screens)
    var screen: String

    @Option(
      help: ArgumentHelp("Only on this display. Default: on all displays.", valueName: "name"),
      completion: .displays)
    var display: String?

    @Option(
      help: ArgumentHelp(
        "Only this rectangle of the screen, in points. Default: the whole screen.",
        valueName: "x,y,width,height"), transform: RectangleArgument.read)
    var rectangle: RectangleArgument?

    var mask: API.Mask {
      API.Mask(screen: screen, display: display, rectangle: rectangle?.rectangle)
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the masks of the configuration and those of clients.")

    @OptionGroup var socket: SocketOption

    @Flag(help: "The daemon's reply as JSON (GetMasks of the interface io.touchgrid).")
    var json = false

    func run() throws {
      let reply = try socket.connect().call(API.GetMasks())
      if json { return try writeJSON(reply) }
      if reply.everything { writeError(API.GetMasks.Reply.everythingNote) }
      guard !reply.configured.isEmpty || !reply.added.isEmpty else {
        return reply.everything ? () : writeError("there are no masks")
      }
      try writeLines(Mask.lines(reply, width: Terminal.width))
      if !reply.widened.isEmpty { writeError(Mask.uncertainty) }
    }
  }

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Adds a mask, until it is removed or the daemon stops.",
      discussion: """
        With --save the mask is in force at once, is written into the configuration, and lasts. \
        Everything else in that file stays as it is.
        """)

    @OptionGroup var options: Options
    @OptionGroup var saving: SaveOptions
    @OptionGroup var socket: SocketOption

    @Flag(help: "The daemon's reply as JSON (AddMask of the interface io.touchgrid).")
    var json = false

    func validate() throws { try saving.validate(json: json) }

    func run() throws {
      if saving.save {
        try SavedMask(options.mask, saving, socket).add()
      } else {
        try add()
      }
      if let note = Mask.pictures(of: options.screen) { writeError(note) }
    }

    private func add() throws {
      let daemon = try socket.connect()
      let reply = try daemon.call(API.AddMask(mask: options.mask))
      if json { try writeJSON(reply) }
      // The mask was added. If the list of masks cannot be read, omit the note about its area.
      guard options.mask.rectangle != nil, let masks = try? daemon.call(API.GetMasks()) else {
        return
      }
      if let note = Mask.widening(of: options.mask, masks) { writeError(note) }
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Removes a mask that a client has added; the arguments must match it exactly.",
      discussion: "With --save it is removed from the configuration instead.")

    @OptionGroup var options: Options
    @OptionGroup var saving: SaveOptions
    @OptionGroup var socket: SocketOption

    @Flag(help: "The daemon's reply as JSON (RemoveMask of the interface io.touchgrid).")
    var json = false

    func validate() throws { try saving.validate(json: json) }

    func run() throws {
      if saving.save { return try SavedMask(options.mask, saving, socket).remove() }
      let reply = try socket.connect().call(API.RemoveMask(mask: options.mask))
      if json { try writeJSON(reply) }
    }
  }

  /// Returns a note about the pictures of a masked screen; nil if there are none, or if this user
  /// cannot read the folder of pictures.
  static func pictures(of screen: String) -> String? {
    let folder = PictureFolder(PictureFolder.standard)
    guard !ProcessIdentity.isShared(folder.path + "/name"), let files = try? folder.files() else {
      return nil
    }
    let commands = Set(files.map(\.name)).filter { $0.screen.hasSameBytes(as: screen.normalised) }
      .map(\.removal).sorted()
    guard !commands.isEmpty else { return nil }
    return
      "the mask does not change pictures that were taken before, which show what people entered; "
      + "\(folder.words) has \(commands.count == 1 ? "one" : "\(commands.count)") of the screen "
      + "\(screen.printable()): remove \(commands.count == 1 ? "it" : "them") with '\(commands.joined(separator: "' and '"))'"
  }

  /// Returns the note that a mask covers more than its rectangle; nil if it does not.
  static func widening(of mask: API.Mask, _ masks: API.GetMasks.Reply) -> String? {
    let isWidened = masks.widened.contains {
      $0.screen == mask.screen
        && ($0.display == nil || mask.display == nil || $0.display == mask.display)
    }
    guard isWidened else { return nil }
    return
      "the mask was widened to the whole screen \(mask.screen.printable()), because it is uncertain "
      + "where touches lie; 'touchgrid doctor' says what to do"
  }

  /// The reason for masks that neither the configuration nor a client requested.
  private static let uncertainty =
    "the masks from \"uncertainty\" cover whole screens, because it is uncertain where touches lie; "
    + "'touchgrid doctor' says what to do"

  static func lines(_ reply: API.GetMasks.Reply, width: Int) -> [String] {
    let masks =
      reply.configured.map { ($0, "configuration") } + reply.added.map { ($0, "client") }
      + reply.widened.map { ($0, "uncertainty") }
    return TextTable(
      [
        .init("SCREEN", canShrink: true), .init("DISPLAY", canShrink: true), .init("RECTANGLE"),
        .init("FROM"),
      ],
      rows: masks.map { mask, source in
        [
          mask.screen.printable(), mask.display?.printable() ?? "all",
          mask.rectangle?.words ?? "whole screen", source,
        ]
      }
    ).lines(width: width)
  }
}

extension API.GetMasks.Reply {
  /// The reason why every touch is masked, and the remedy.
  static let everythingNote =
    "masking everything until set up: touches are only counted; run 'sudo touchgrid setup'"
}

extension API.Rectangle {
  /// The rectangle in the form of `--rectangle`.
  var words: String { numbers.joined(separator: ",") }

  /// Its left and top edge, width and height.
  var numbers: [String] {
    [x, y, width, height].map { (number: Double) -> String in
      number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : number.description
    }
  }
}
