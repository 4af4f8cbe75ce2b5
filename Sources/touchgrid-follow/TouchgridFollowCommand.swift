internal import ArgumentParser
internal import ConfigurationFiles
internal import Glibc
internal import ProgramEnd
internal import TouchModel
internal import TouchgridAPI
internal import TouchgridFollow

@main
struct TouchgridFollowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "touchgrid-follow",
    abstract: "Names the screens of an app that does not do so itself.",
    discussion: """
      Watches what is shown - the page of a browser, the active window, what a program says - and tells the \
      daemon each screen's name, so that every touch is counted on the screen that it was on. It needs the \
      daemon's role "app". The configuration says where to look, and how things are called; without one the \
      windows of the desktop are followed.

      Exit status: 0 it was told to end (SIGTERM, SIGINT), or nothing is left to be followed; 64 wrong usage; \
      69 there is nothing to follow; 71 the system refused what every program needs; 77 the role "app" is \
      lacking; 78 the configuration cannot be used.
      """,
    version: touchgridVersion)

  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      endPrintably(error)
    }
  }

  @Option(
    help: ArgumentHelp(
      "The configuration.",
      discussion: """
        Without it ~/.config/touchgrid/follow.toml, or else /etc/touchgrid/follow.toml, or else none.
        """, valueName: "file"), completion: .file(extensions: ["toml"]))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "The daemon's socket.",
      discussion: """
        Without it the environment's TOUCHGRID_SOCKET, or else what the configuration says, or else \
        \(TouchgridClient.standardPath).
        """, valueName: "path"), completion: .file())
  var socket: String?

  @Flag(help: "Look whether the configuration can be used, and end.")
  var check = false

  @Flag(help: "Print the names, and tell the daemon nothing.")
  var dryRun = false

  @Flag(
    help: ArgumentHelp(
      "Propose rules at the end, and tell the daemon nothing.",
      discussion: "Go through the app once, then press Ctrl-C."))
  var suggest = false

  @Flag(help: "With --dry-run: a JSON object a line.")
  var json = false

  @Flag(
    help: ArgumentHelp(
      "Follow the browser that runs this program.",
      discussion: """
        Its extension tells the pages. They are handed on to the follower that runs where the configuration has a \
        source of kind = "extension"; else they are followed here, and its other sources are not looked at.
        """))
  var nativeMessaging = false

  @Argument(help: ArgumentHelp("What a browser adds.", visibility: .hidden))
  var origin: [String] = []

  func validate() throws {
    guard [check, dryRun, suggest].count(where: { $0 }) <= 1 else {
      throw ValidationError("Only one of --check, --dry-run and --suggest can be done at a time.")
    }
    if nativeMessaging, check || dryRun || suggest {
      throw ValidationError("--native-messaging is for browsers, which read what is printed.")
    }
    if json, !dryRun { throw ValidationError("--json goes with --dry-run.") }
    if !origin.isEmpty, !nativeMessaging {
      throw ValidationError("There is nothing that '\(origin[0].printable())' could be for.")
    }
    if socket?.isEmpty ?? false {
      throw ValidationError("--socket takes the path of the daemon's socket: it is empty.")
    }
  }

  func run() throws {
    var configuration = FollowConfiguration()
    let path = config ?? FollowConfiguration.standardPath
    // Before it is read: nobody can exchange a file that passes.
    if !check, let path, let refusal = FollowConfiguration.refusal(of: path) {
      Self.complain("touchgrid-follow: \(refusal)")
      throw ExitCode(EX_CONFIG)
    }
    if let path {
      do throws(ConfigurationError) {
        configuration = try FollowConfiguration(path: path)
      } catch {
        Self.complain("\(error)")
        throw ExitCode(EX_CONFIG)
      }
    }
    if check, let excess = configuration.excess {
      Self.complain("\(excess)")
      throw ExitCode(EX_CONFIG)
    }
    if check {
      print(path.map { "\($0.printable(limit: 4096)): all is well" } ?? "there is no configuration")
      return
    }
    do throws(FollowFailure) {
      if nativeMessaging, configuration.hasExtension { return try ExtensionRelay.run() }
      if nativeMessaging { configuration.sources = [.init(.browser)] }
      let place =
        socket ?? Self.variable("TOUCHGRID_SOCKET") ?? configuration.socket
        ?? TouchgridClient.standardPath
      try Follower.run(configuration, socket: place, purpose)
    } catch {
      throw ExitCode(error.status)
    }
  }

  private var purpose: Follower.Purpose {
    suggest ? .suggest : dryRun ? .show(isJSON: json) : .follow
  }

  private static func complain(_ text: String) {
    var bytes = Array("\(text.printableLines)\n".utf8)
    _ = unsafe write(STDERR_FILENO, &bytes, bytes.count)
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }
}
