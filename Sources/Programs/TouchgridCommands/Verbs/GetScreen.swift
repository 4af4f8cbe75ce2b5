import ArgumentParser
import Text
import TouchgridAPI

struct GetScreenVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get-screen",
    abstract: "Prints the name of the screen that is shown.")

  @Option(
    help: ArgumentHelp(
      "Only this display.",
      discussion: """
        Default: the only display; if there are several or none, prints the name that was last set \
        for all displays.
        """,
      valueName: "name"),
    completion: .displays)
  var display: String?

  @OptionGroup var socket: SocketOption

  @Flag(help: "The daemon's reply as JSON (GetScreen of the interface io.touchgrid).")
  var json = false

  func run() throws {
    let reply = try socket.connect().call(API.GetScreen(display: display))
    if json { return try writeJSON(reply) }
    try writeLines([reply.screen.printable()])
  }
}
