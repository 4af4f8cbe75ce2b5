import ArgumentParser
import TouchgridAPI

/// The verb `touchgrid begin-session`.
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
    try write(reply, json: json)
  }
}

/// The verb `touchgrid end-session`.
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
    try write(try socket.connect().call(API.EndSession()), json: json)
  }
}

/// The verb `touchgrid tag-session`.
struct TagSessionVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag-session",
    abstract: "Sets tags of the running session; its other tags stay.",
    discussion: "Prints the number of the session.")

  @Argument(
    help: ArgumentHelp("A tag, such as build=1.4.", valueName: "key=value"),
    transform: TagArgument.read)
  var tags: [TagArgument]

  @OptionGroup var socket: SocketOption

  @Flag(help: "The daemon's reply as JSON (TagSession of the interface io.touchgrid).")
  var json = false

  func validate() throws { _ = try tags.dictionary() }

  func run() throws {
    let reply = try socket.connect().call(API.TagSession(tags: try tags.dictionary()))
    try write(reply, json: json)
  }
}

/// Prints the number of the session that was changed.
private func write(_ reply: API.SessionReply, json: Bool) throws(Failure) {
  if json { return try writeJSON(reply) }
  try writeLines([String(reply.session)])
}
