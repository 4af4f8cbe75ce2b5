public import ArgumentParser
import Glibc
import TouchModel
public import TouchgridDaemon

@main
struct Touchgridd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "touchgridd",
    abstract: "Records where fingers touch the screen.",
    discussion: """
      Finds the touchscreens, follows every finger, counts touches in blocks for each screen of the app \
      and writes the counts when a session ends. It only listens: it never grabs a device and never writes \
      to one. SIGTERM and SIGINT end the session and write it; SIGHUP reads the configuration again, and \
      keeps the old one where the new is wrong.

      Exit status: 0 all is well; 1 something failed; 64 wrong usage; 65 the store is of a newer version or \
      another program's database; 78 wrong configuration.
      """,
    version: touchgridVersion)

  @Option(
    help: ArgumentHelp(
      "Configuration file. Default: \(defaultConfigurationPath) if it is there, else the defaults.",
      valueName: "file"))
  var config: String?

  @Option(help: ArgumentHelp("Database, in place of the configured one.", valueName: "file"))
  var store: String?

  @Option(
    help: ArgumentHelp(
      "Where clients connect, in place of the configured path; with --replay only at the recorded pace.",
      valueName: "path"))
  var socket: String?

  @Flag(help: "Check the configuration, say what it means, and exit.")
  var check = false

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Play recordings (evemu, libinput record) instead of reading devices, end the session and exit.",
      valueName: "recording"))
  var replay: [String] = []

  @Option(help: "How fast to replay: fast, recorded.")
  var pace: Replay.Pace = .fast

  func run() throws {
    // A file that is there now must be there for a reload as well: its masks must not be lost with it.
    let file = config ?? Configuration.defaultPath
    let load = { [store] () throws(ConfigurationError) in
      var configuration = try Configuration.load(file)
      if let store { configuration.store.path = store }
      return configuration
    }
    let configuration: Configuration
    do throws(ConfigurationError) { configuration = try load() } catch {
      throw failure("\(error)", status: EX_CONFIG)
    }
    if check { return print(configuration.explanation) }
    let log = Log(level: configuration.log.level)
    do throws(DaemonError) {
      if replay.isEmpty {
        try Daemon(configuration: configuration, socket: socket, log: log, reload: load).run()
      } else {
        try Replay(
          replay, pace: pace, configuration: configuration, socket: socket, log: log
        ).run()
      }
    } catch {
      throw failure("\(error)", status: error.exitStatus)
    }
  }

  private func failure(_ message: String, status: Int32) -> ExitCode {
    for line in message.split(separator: "\n") {
      var bytes = Array("touchgridd: \(line)\n".utf8)
      _ = unsafe write(STDERR_FILENO, &bytes, bytes.count)
    }
    return ExitCode(status)
  }
}

extension Replay.Pace: ExpressibleByArgument {}
