internal import ConfigurationFiles
internal import Glibc
internal import Text
internal import TouchModel

/// The program `touchgridd`.
public enum DaemonProgram {
  /// Runs the daemon as the arguments of the process require.
  public static func main() {
    let wish: Options.Action
    do throws(Options.UsageError) {
      wish = try Options.read(Array(CommandLine.arguments.dropFirst()))
    } catch {
      printError(
        """
        Error: \(error.message)
        Usage: \(Usage.synopsis)
          See 'touchgridd --help' for more information.
        """)
      exit(EX_USAGE)
    }
    switch wish {
    case .help: print(Usage.help)
    case .version: print(touchgridVersion)
    case .run(let options):
      do throws(Failure) { try run(options) } catch {
        for line in error.message.split(separator: "\n") { printError("touchgridd: \(line)") }
        exit(error.status)
      }
    }
  }

  private struct Failure: Error {
    let message: String
    let status: Int32
  }

  private static func run(_ options: Options) throws(Failure) {
    #if TOUCHGRID_TEST_CLOCK
      if let time = options.testClock { TestControl.stopClocks(wall: time) }
    #endif
    // Once a file exists, always read it: if it is deleted later, a reload must fail instead of
    // silently dropping its masks.
    var file = options.config
    let load = { () throws(ConfigurationError) in
      file = file ?? Configuration.defaultPath
      var configuration = try Configuration.load(file)
      if let store = options.store { configuration.store.path = store }
      // A recording is played intentionally, so count its touches.
      if !options.replay.isEmpty { configuration.isSetUp = true }
      return configuration
    }
    let configuration: Configuration
    do throws(ConfigurationError) { configuration = try load() } catch {
      throw Failure(message: "\(error)", status: EX_CONFIG)
    }
    if options.check {
      return print(options.json ? configuration.json : configuration.explanation.printableLines)
    }
    let log = Log(level: configuration.log.level)
    do throws(DaemonError) {
      if options.replay.isEmpty {
        try Daemon(configuration: configuration, socket: options.socket, log: log, reload: load)
          .run()
      } else {
        try Replay(
          options.replay, pace: options.pace, configuration: configuration, socket: options.socket,
          log: log
        ).run()
      }
    } catch {
      throw Failure(message: "\(error)", status: error.exitStatus)
    }
  }

  private static func printError(_ text: String) {
    var bytes = Array("\(text.printableLines)\n".utf8)
    _ = unsafe write(STDERR_FILENO, &bytes, bytes.count)
  }
}
