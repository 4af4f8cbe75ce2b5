import ArgumentParser
import TouchgridAPI

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
    try writeSession(reply.session, json: json)
  }
}
