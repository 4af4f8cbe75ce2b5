import ArgumentParser
import Heatmaps
import Text
import TouchgridAPI

/// The verb `touchgrid control [list|add|remove]`.
struct Control: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists, adds and removes controls: the buttons whose hits are counted.",
    discussion: """
      A control is a named rectangle of a screen. 'touchgrid controls' shows how many touches hit or \
      miss it. A control ends when the daemon stops; with --save it is written into the \
      configuration, and lasts. If controls overlap, the last one lies on top. 'touchgrid control \
      --propose' proposes controls where people tap.
      """,
    subcommands: [List.self, Add.self, Remove.self], defaultSubcommand: List.self)

  /// The control to add or to remove.
  struct Options: ParsableArguments {
    @Argument(help: "The screen.", completion: .screens)
    var screen: String

    @Argument(help: "The control's name.")
    var name: String

    @Option(
      help: ArgumentHelp(
        "Only on this display, which then has a list of its own. Default: on all others.",
        valueName: "name"), completion: .displays)
    var display: String?

    /// Returns the controls that clients have set for the screen.
    func controls(_ daemon: DaemonConnection) throws -> [API.Control] {
      let lists = try daemon.call(API.GetControls()).added
      return lists.first { $0.screen == screen && $0.display == display }?.controls ?? []
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the controls of the configuration and those of clients.",
      discussion: """
        With --propose, lists numbered spots where people tap, each with its share of all taps of the \
        screen. Each has at least 20 taps from 10 sessions, and lies outside of masks and controls. If \
        there is a picture of the screen ('touchgrid picture'), the shape under a spot gives its edges; \
        otherwise they are estimated from how far the taps scatter. A regular grid, such as that of a \
        keypad, is proposed as a mask. docs/controls.md has the rules.
        """)

    @OptionGroup var proposal: ControlProposal

    @Flag(help: "The proposals, or the daemon's reply (GetControls of io.touchgrid), as JSON.")
    var json = false

    func validate() throws {
      if json, proposal.toml { throw ValidationError("--json cannot be combined with --toml.") }
    }

    func run() throws {
      if proposal.propose { return try proposal.run(json: json) }
      let reply = try proposal.past.socket.connect().call(API.GetControls())
      if json { return try writeJSON(reply) }
      guard !reply.configured.isEmpty || !reply.added.isEmpty else {
        return writeError("there are no controls")
      }
      try writeLines(Control.lines(reply, width: Terminal.width))
    }
  }

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Adds a control, until it is removed or the daemon stops.",
      discussion: """
        A control of the same name that a client has added is replaced. With --save the control is \
        written into the configuration, or replaced there, and lasts. Everything else in that file \
        stays as it is.
        """)

    @OptionGroup var options: Options
    @OptionGroup var saving: SaveOptions

    @Argument(
      help: ArgumentHelp(
        "Its rectangle, in points of the screen.", valueName: "x,y,width,height"),
      transform: RectangleArgument.read)
    var rectangle: RectangleArgument

    @Flag(
      name: .customLong("no-rage"),
      help: "Count no rage taps: people tap this control quickly on purpose.")
    var noRage = false

    @OptionGroup var socket: SocketOption

    func run() throws {
      let new = API.Control(
        name: options.name, rectangle: rectangle.rectangle, rage: noRage ? false : nil)
      if saving.save {
        let placed = PlacedControl(screen: options.screen, display: options.display, control: new)
        return try SavedControl(options: saving, socket: socket).add(placed)
      }
      let daemon = try socket.connect()
      let controls = try options.controls(daemon).filter { $0.name != options.name } + [new]
      let reply = try daemon.call(
        API.SetControls(screen: options.screen, display: options.display, controls: controls))
      guard reply.isCounted else {
        throw Failure(
          "screen \(options.screen.printable()) has had too many layouts today, and has no controls now; --save "
            + "writes the control into the configuration")
      }
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Removes a control that a client has added.",
      discussion: "With --save it is removed from the configuration instead.")

    @OptionGroup var options: Options
    @OptionGroup var saving: SaveOptions
    @OptionGroup var socket: SocketOption

    func run() throws {
      if saving.save {
        return try SavedControl(options: saving, socket: socket).remove(
          screen: options.screen, display: options.display, control: options.name)
      }
      let daemon = try socket.connect()
      let controls = try options.controls(daemon)
      let rest = controls.filter { $0.name != options.name }
      guard rest.count < controls.count else {
        throw Failure(
          "no client has added this control; 'touchgrid control' lists all. --save removes one "
            + "from the configuration")
      }
      _ = try daemon.call(
        API.SetControls(screen: options.screen, display: options.display, controls: rest))
    }
  }

  static func lines(_ reply: API.GetControls.Reply, width: Int) -> [String] {
    let lists =
      reply.configured.map { ($0, "configuration") } + reply.added.map { ($0, "client") }
    return TextTable(
      [
        .init("SCREEN", canShrink: true), .init("CONTROL", canShrink: true),
        .init("DISPLAY", canShrink: true), .init("RECTANGLE"), .init("RAGE"), .init("FROM"),
      ],
      rows: lists.flatMap { list, source in
        list.controls.map { control in
          [
            list.screen.printable(), control.name.printable(),
            list.display?.printable() ?? "all", control.rectangle.words,
            control.rage == false ? "no" : "yes", source,
          ]
        }
      }
    ).lines(width: width)
  }
}
