import ArgumentParser
import TouchgridAPI

struct EndSessionVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "end-session",
    abstract: "Ends the running session.",
    discussion: """
      Touches that are down still count for this session for up to 5 s, such as the tap on "Finish" \
      that makes an app end it. Prints the number of the session.
      """)

  @OptionGroup var socket: SocketOption

  @Flag(help: "The daemon's reply as JSON (EndSession of the interface io.touchgrid).")
  var json = false

  func run() throws {
    try writeSession(try socket.connect().call(API.EndSession()).session, json: json)
  }
}
