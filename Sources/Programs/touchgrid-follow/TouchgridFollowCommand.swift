internal import ArgumentParser
internal import ConfigurationFiles
internal import Glibc
internal import ProgramArguments
internal import Text
internal import TouchModel
internal import TouchgridAPI
internal import TouchgridFollow

@main
struct TouchgridFollowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "touchgrid-follow",
    abstract: "Names the screens of an app that does not name them itself.",
    discussion: """
      Observes the page of a browser, the active window or the output of a program, and tells the \
      daemon the name of the screen. Each touch is then counted on the right screen. You need the \
      role "app". The configuration lists sources and rules; without a configuration, the windows \
      of the desktop are followed.

      Exit status: 0 ended by SIGTERM or SIGINT, or all sources have ended; 64 usage error; 69 nothing to \
      follow; 71 a system call failed; 77 you lack the role "app"; 78 invalid configuration.
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
      "The configuration file.",
      discussion: """
        Default: ~/.config/touchgrid/follow.toml, or /etc/touchgrid/follow.toml if that does not exist.
        """, valueName: "file"), completion: .file(extensions: ["toml"]))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "The daemon's socket.",
      discussion: """
        Default: $TOUCHGRID_SOCKET, or the socket of the configuration, or \
        \(TouchgridClient.standardPath).
        """, valueName: "path"), completion: .file())
  var socket: String?

  @Flag(help: "Check the configuration and exit.")
  var check = false

  @Flag(help: "Print the names instead of sending them to the daemon.")
  var dryRun = false

  @Flag(
    help: ArgumentHelp(
      "Watch the app without telling the daemon, and print proposed rules at the end.",
      discussion: "Go through the app once, then press Ctrl-C."))
  var suggest = false

  @Option(
    help: ArgumentHelp(
      "Save a screenshot of each page that has none in this folder, for 'touchgrid report --screens'.",
      discussion: """
        For pages in Chromium (kind = "devtools"). Screens with masks get none. Screenshots show what \
        people entered: go through the app yourself.
        """, valueName: "dir"), completion: .directory)
  var screenshots: String?

  @Flag(help: "With --dry-run: print one JSON object per line.")
  var json = false

  @Flag(
    help: ArgumentHelp(
      "Follow the browser that started this program.",
      discussion: """
        Used by browsers with the extension. If the configuration has a source of kind = "extension", pages \
        are forwarded to the running touchgrid-follow. Otherwise this program follows them itself and \
        ignores all other sources.
        """))
  var nativeMessaging = false

  @Flag(
    help: ArgumentHelp(
      "Take one picture of the page that is shown, print it as JSON, and exit.",
      visibility: .hidden))
  var takePicture = false

  @Option(
    help: ArgumentHelp(
      "With --take-picture: only if this screen is shown.", visibility: .hidden))
  var screen: String?

  @Argument(help: ArgumentHelp("Arguments that a browser adds.", visibility: .hidden))
  var origin: [String] = []

  func validate() throws {
    guard [check, dryRun, suggest].count(where: { $0 }) <= 1 else {
      throw ValidationError("--check, --dry-run and --suggest cannot be combined.")
    }
    if takePicture, check || dryRun || suggest || nativeMessaging || screenshots != nil {
      throw ValidationError("--take-picture can only be combined with --config and --socket.")
    }
    if screen != nil, !takePicture { throw ValidationError("--screen requires --take-picture.") }
    if nativeMessaging, check || dryRun || suggest {
      throw ValidationError(
        "--native-messaging cannot be combined with --check, --dry-run or --suggest.")
    }
    if screenshots != nil, check || dryRun || suggest || nativeMessaging {
      throw ValidationError(
        "--screenshots needs the daemon, which knows the masks: it cannot be combined with --check, "
          + "--dry-run, --suggest or --native-messaging.")
    }
    if json, !dryRun { throw ValidationError("--json requires --dry-run.") }
    if !origin.isEmpty, !nativeMessaging {
      throw ValidationError("Unexpected argument '\(origin[0].printable())'")
    }
    if socket?.isEmpty ?? false {
      throw ValidationError("--socket takes the path of the daemon's socket and must not be empty.")
    }
  }

  func run() throws {
    var configuration = FollowConfiguration()
    let path = config ?? FollowConfiguration.standardPath
    // Check the path before reading the file. Once the check has passed, no other user can replace
    // the file.
    if !check, let path, let refusal = FollowConfiguration.refusal(of: path) {
      throw refused("touchgrid-follow: \(refusal)")
    }
    if let path {
      do throws(ConfigurationError) {
        configuration = try FollowConfiguration(path: path)
      } catch {
        throw refused("\(error)")
      }
    }
    if takePicture { return try take(configuration) }
    if check, let excess = configuration.excess {
      Self.complain("\(excess)")
      throw ExitCode(EX_CONFIG)
    }
    if check {
      print(
        path.map { "\($0.printable(limit: 4096)): the configuration is valid" }
          ?? "no configuration file; windows of the desktop are followed")
      return
    }
    do throws(FollowFailure) {
      if nativeMessaging, configuration.hasExtension { return try ExtensionRelay.run() }
      if nativeMessaging { configuration.sources = [.init(.browser)] }
      try Follower.run(configuration, socket: place(configuration), purpose)
    } catch {
      throw ExitCode(error.status)
    }
  }

  /// Reports the reason why the configuration cannot be used.
  private func refused(_ reason: String) -> ExitCode {
    Self.complain(reason)
    if takePicture { try? Self.printJSON(["error": reason]) }
    return ExitCode(EX_CONFIG)
  }

  private func place(_ configuration: FollowConfiguration) -> String {
    socket ?? Self.variable("TOUCHGRID_SOCKET") ?? configuration.socket
      ?? TouchgridClient.standardPath
  }

  /// Prints a picture, or the reason why there is none, as one line of JSON for `touchgrid picture
  /// take`.
  private func take(_ configuration: FollowConfiguration) throws {
    do throws(FollowFailure) {
      let taken = try PictureTaker.run(
        configuration, socket: place(configuration), screen: screen)
      try Self.printJSON(taken)
    } catch {
      try Self.printJSON(["error": error.description])
      throw ExitCode(error.status)
    }
  }

  private static func printJSON(_ value: some Encodable) throws(FollowFailure) {
    guard let bytes = JSON.encodedObject(value) else {
      throw .system("the result cannot be encoded as JSON")
    }
    print(String(decoding: bytes, as: UTF8.self).printableJSON)
  }

  private var purpose: Follower.Purpose {
    suggest
      ? .suggest : dryRun ? .show(isJSON: json) : .follow(screenshots: screenshots)
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
