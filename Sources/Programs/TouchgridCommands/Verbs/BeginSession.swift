import ArgumentParser
import TouchgridAPI

struct BeginSessionVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "begin-session",
    abstract: "Begins a session, and ends the running one.",
    discussion: "Prints the number of the session.")

  @Argument(
    help: ArgumentHelp("A tag, such as build=1.4.", valueName: "key=value"),
    transform: TagArgument.read)
  var tags: [TagArgument] = []

  @OptionGroup var socket: SocketOption

  @Flag(help: "The daemon's reply as JSON (BeginSession of the interface io.touchgrid).")
  var json = false

  func validate() throws { _ = try tags.dictionary() }

  func run() throws {
    let tags = try tags.dictionary()
    let reply = try socket.connect().call(API.BeginSession(tags: tags.isEmpty ? nil : tags))
    try writeSession(reply.session, json: json)
  }
}

/// Prints the number of the session that was changed.
func writeSession(_ session: Int64, json: Bool) throws(Failure) {
  if json { return try writeJSON(API.BeginSession.Reply(session: session)) }
  try writeLines([String(session)])
}
