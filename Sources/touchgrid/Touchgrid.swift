import ArgumentParser
import Glibc
import TouchModel

/// The command line: `touchgrid VERB`, one file a verb in `Verbs`.
@main struct Touchgrid: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows where fingers touch a screen.",
    discussion: """
      touchgridd records; these verbs read its store, decode recordings of touchscreens and play \
      them back. None of them needs the daemon.
      """,
    version: touchgridVersion,
    subcommands: [Sessions.self, Screens.self, Heatmap.self, Replay.self, Play.self])

  /// Errors of ours are told as `touchgrid: …` with exit status 1, those of the command line's syntax by
  /// the parser, with 64.
  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      guard exitCode(for: error) == .failure, !(error is ExitCode) else { exit(withError: error) }
      writeError(String(describing: error))
      Glibc.exit(1)
    }
  }
}
