import Testing
import TouchgridDaemon

@testable import TouchgridDaemon

@Suite struct OptionsTests {
  private func options(_ words: String...) throws -> Options {
    guard case .run(let options) = try Options.read(words) else {
      throw Options.UsageError(message: "the arguments do not start the daemon")
    }
    return options
  }

  @Test func `Without arguments the options are the defaults`() throws {
    #expect(try options() == Options())
  }

  @Test func `Values follow a space or an equals sign`() throws {
    let options = try options("--config", "a b.toml", "--store=x=y.db", "--socket", "-", "--check")
    #expect(options.config == "a b.toml")
    #expect(options.store == "x=y.db")
    #expect(options.socket == "-")
    #expect(options.check)
  }

  @Test func `Recordings continue up to the next option`() throws {
    let options = try options("--replay", "a", "b", "--pace", "recorded", "--replay=c", "d")
    #expect(options.replay == ["a", "b", "c", "d"])
    #expect(options.pace == .recorded)
  }

  @Test(
    arguments: [
      ["-h"], ["--check", "--help"], ["--replay", "a", "--help"], ["--store", "--help"],
      ["--bogus", "-h"], ["x", "--help"],
    ])
  func `Help takes precedence over all other arguments`(words: [String]) throws {
    #expect(try Options.read(words) == .help)
  }

  @Test func `A debug build has a clock for tests, of which the help says nothing`() throws {
    #expect(try options("--test-clock", "5").testClock == 5)
    #expect(!Usage.help.contains("test-clock") && !Options.names.contains("--test-clock"))
  }

  @Test func `--version is recognised`() throws {
    #expect(try Options.read(["--version"]) == .version)
  }

  private static let fastSocket =
    "'--socket' cannot be combined with '--replay' at the pace 'fast': add '--pace recorded'"

  @Test func `Without a replay, any pace may be combined with a socket`() throws {
    #expect(try options("--pace", "fast", "--socket", "s").socket == "s")
  }

  @Test(
    arguments: [
      (["--stor", "x"], "Unknown option '--stor'. Did you mean '--store'?"),
      (["--qqqqqqqqqqqq=1"], "Unknown option '--qqqqqqqqqqqq'"),
      (["-c"], "Unknown option '-c'"),
      (["--"], "Unknown option '--'"),
      (["--store"], "Missing value for '--store <file>'"),
      (["--socket", "--check"], "Missing value for '--socket <path>'"),
      (["--replay", "--check"], "Missing value for '--replay <recording>'"),
      (
        ["--pace", "slow"], "The value 'slow' is invalid for '--pace': it must be fast or recorded"
      ),
      (["--pace="], "The value '' is invalid for '--pace': it must be fast or recorded"),
      (["--test-clock", "now"], "'--test-clock' needs a whole number of ms"),
      (["--json"], "'--json' needs '--check'"),
      (["--check=yes"], "'--check' takes no value"),
      (["--replay", "a", "--pace", "fast", "--socket", "s"], fastSocket),
      (["--socket", "s", "--replay", "a"], fastSocket),
      (["x"], "Unexpected argument 'x'"),
      ([""], "Unexpected argument ''"),
      (["--check", "\u{1b}[2J"], "Unexpected argument '\\u{1b}[2J'"),
    ])
  func `Wrong arguments are refused with a reason`(words: [String], message: String) {
    #expect(throws: Options.UsageError(message: message)) { try Options.read(words) }
  }
}
