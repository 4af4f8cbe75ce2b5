import ArgumentParser
import LinuxIO
import TouchModel
import TouchgridAPI

/// The verb `touchgrid screen [NAME]`.
struct Screen: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tells the daemon which screen the app shows, or asks it.",
    discussion: """
      An app calls this whenever it shows another screen; without NAME the screen now showing is \
      printed. A name has 1 to 128 bytes of printable UTF-8, such as menu or checkout/pay.
      """)

  @Argument(help: "The screen that shows now.", completion: .screens)
  var name: String?

  @Option(
    help: ArgumentHelp("On this display alone; without it on all.", valueName: "name"),
    completion: .displays)
  var display: String?

  @Option(
    help: ArgumentHelp(
      "It has been showing for so long already, such as 120ms.",
      discussion: """
        Touches since then belong to it, as far back as the configuration's late_names has it: 250ms \
        by default.
        """,
      valueName: "duration"))
  var changedAgo: DurationArgument?

  @OptionGroup var socket: SocketOption

  @Flag(help: "The daemon's reply as JSON: GetScreen or SetScreen in io.touchgrid.")
  var json = false

  func validate() throws {
    if name == nil, changedAgo != nil {
      throw ValidationError("--changed-ago goes with the NAME of a screen.")
    }
    if let name, name.asName == nil {
      throw ValidationError("A screen's name has 1 to 128 bytes of printable UTF-8.")
    }
  }

  func run() throws {
    // Read the clock before connecting, because that takes time.
    let changed = changedAgo.map { Clocks.monotonic - $0.milliseconds * 1000 }
    let daemon = try socket.connect()
    if let name {
      let reply = try daemon.call(
        API.SetScreen(name: name, display: display, changedAtUs: changed))
      if json { try writeJSON(reply) }
    } else {
      let reply = try daemon.call(API.GetScreen(display: display))
      if json { return try writeJSON(reply) }
      try writeLines([reply.screen.printable()])
    }
  }
}
