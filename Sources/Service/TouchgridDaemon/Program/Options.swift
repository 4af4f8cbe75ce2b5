internal import ConfigurationFiles
internal import Text
internal import TouchModel

/// The options of the daemon's command line. They are parsed by hand, because the parser library of
/// the other programs loads Foundation: megabytes of memory in a program that runs all day.
struct Options: Equatable {
  var config: String?
  var store: String?
  var socket: String?
  var check = false
  var json = false
  var replay: [String] = []
  var pace = Replay.Pace.fast
  #if TOUCHGRID_TEST_CLOCK
    /// The wall clock that a test stops, in ms since 1970. See `TestControl`.
    var testClock: Int64?
  #endif

  enum Action: Equatable {
    case run(Options)
    case help
    case version
  }

  struct UsageError: Error, Equatable {
    let message: String
  }

  /// Parses the command line.
  /// - Parameter words: the arguments after the program's name.
  static func read(_ words: [String]) throws(UsageError) -> Action {
    // `--help` takes precedence over all other options, even invalid ones.
    if words.contains("--help") || words.contains("-h") { return .help }
    var options = Options()
    var rest = words[...]
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      let attached = parts.count == 2 ? String(parts[1]) : nil
      func value(_ shown: String) throws(UsageError) -> String {
        if let attached { return attached }
        guard let next = rest.first, !isOption(next) else {
          throw UsageError(message: "Missing value for '\(name) <\(shown)>'")
        }
        return rest.removeFirst()
      }
      switch name {
      case "--config": options.config = try value("file")
      case "--store": options.store = try value("file")
      case "--socket": options.socket = try value("path")
      case "--replay":
        options.replay.append(try value("recording"))
        while let next = rest.first, !isOption(next) {
          options.replay.append(rest.removeFirst())
        }
      case "--pace":
        let text = try value("pace")
        guard let pace = Replay.Pace(rawValue: text) else {
          throw UsageError(
            message: "The value '\(text.printable())' is invalid for '--pace': "
              + "it must be fast or recorded")
        }
        options.pace = pace
      #if TOUCHGRID_TEST_CLOCK
        case "--test-clock":
          guard let time = Int64(try value("ms")) else {
            throw UsageError(message: "'--test-clock' needs a whole number of ms")
          }
          options.testClock = time
      #endif
      case "--check", "--json", "--version":
        guard attached == nil else { throw UsageError(message: "'\(name)' takes no value") }
        switch name {
        case "--version": return .version
        case "--json": options.json = true
        default: options.check = true
        }
      default:
        guard isOption(word) else {
          throw UsageError(message: "Unexpected argument '\(word.printable())'")
        }
        let hint = nearest(name, in: names).map { ". Did you mean '\($0)'?" } ?? ""
        throw UsageError(message: "Unknown option '\(name.printable())'\(hint)")
      }
    }
    if options.json, !options.check {
      throw UsageError(message: "'--json' needs '--check'")
    }
    // A replay at full speed ends before it answers a client.
    if !options.replay.isEmpty, options.pace == .fast, options.socket != nil {
      throw UsageError(
        message: "'--socket' cannot be combined with '--replay' at the pace 'fast': "
          + "add '--pace recorded'")
    }
    return .run(options)
  }

  static let names = [
    "--config", "--store", "--socket", "--check", "--json", "--replay", "--pace", "--version",
    "--help",
  ]

  private static func isOption(_ word: String) -> Bool { word.hasPrefix("-") && word != "-" }
}
