import ArgumentParser
import LinuxIO
import Text
import TouchModel
import TouchgridAPI

/// The verb `touchgrid screen [NAME]`.
struct Screen: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Names the screen that the app shows, or prints the current one.",
    discussion: """
      An app calls this whenever it shows another screen. Without NAME the current screen is printed. \
      A name has 1 to 128 bytes of printable UTF-8, such as menu or checkout/pay.
      """)

  @Argument(help: "The name of the screen.", completion: .screens)
  var name: String?

  @Option(
    help: ArgumentHelp("Only on this display. Default: on all displays.", valueName: "name"),
    completion: .displays)
  var display: String?

  @Option(
    help: ArgumentHelp(
      "How long ago the screen changed, such as 120ms.",
      discussion: """
        Touches since then are counted on it. The limit is late_names in the configuration, 250ms by \
        default.
        """,
      valueName: "duration"), transform: DurationArgument.read)
  var changedAgo: DurationArgument?

  @OptionGroup var socket: SocketOption

  @Flag(help: "The daemon's reply as JSON: GetScreen or SetScreen in io.touchgrid.")
  var json = false

  func validate() throws {
    if name == nil, changedAgo != nil {
      throw ValidationError("--changed-ago requires NAME.")
    }
    if let name, name.asName == nil {
      throw ValidationError("The name of a screen must have 1 to 128 bytes of printable UTF-8.")
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
