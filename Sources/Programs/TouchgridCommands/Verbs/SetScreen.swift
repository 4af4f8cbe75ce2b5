import ArgumentParser
import LinuxIO
import Text
import TouchModel
import TouchgridAPI

/// The verb `touchgrid set-screen NAME`.
struct SetScreenVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-screen",
    abstract: "Names the screen that the app shows.",
    discussion: """
      An app calls this whenever it shows another screen. A name has 1 to 128 bytes of printable \
      UTF-8, such as menu or checkout/pay.
      """)

  @Argument(help: "The name of the screen.", completion: .screens)
  var name: String

  @Option(
    help: ArgumentHelp("Only on this display. Default: on all displays.", valueName: "name"),
    completion: .displays)
  var display: String?

  @Option(
    help: ArgumentHelp(
      "How long ago the screen changed, such as 120ms.",
      discussion: """
        Touches that began since then are counted on the new screen. The limit is late_names in \
        the configuration, 250ms by default.
        """,
      valueName: "duration"), transform: DurationArgument.read)
  var changedAgo: DurationArgument?

  @OptionGroup var socket: SocketOption

  @Flag(help: "The daemon's reply as JSON (SetScreen of the interface io.touchgrid).")
  var json = false

  func validate() throws {
    if name.asName == nil {
      throw ValidationError("The name of a screen must have 1 to 128 bytes of printable UTF-8.")
    }
  }

  func run() throws {
    // Read the clock before connecting, because that takes time.
    let changed = changedAgo.map { Clocks.monotonic - $0.milliseconds * 1000 }
    let reply = try socket.connect().call(
      API.SetScreen(name: name, display: display, changedAtUs: changed))
    if json { try writeJSON(reply) }
  }
}
