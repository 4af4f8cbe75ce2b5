import ArgumentParser
import Glibc
import ProgramEnd
import Storage
import TouchModel

/// The command line `touchgrid VERB`. Each verb has a file in `Verbs`.
@main struct Touchgrid: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows where fingers touch a screen.",
    discussion: """
      touchgridd records; most of these verbs ask it on its socket. Which of them a user may call is \
      decided by groups that the configuration names: app (screens, sessions, pauses, masks, displays), \
      read (status, sessions, heatmaps) and watch (live touches).

      --json prints what programs read: the daemon's replies, as its interface io.touchgrid describes \
      them. Colours are used on a terminal only, and not where NO_COLOR is set.

      Exit status: 0 done; 1 failed, or something is wrong; 64 wrong usage; 65 a file is no store, or one \
      of a newer version.
      """,
    version: touchgridVersion,
    groupedSubcommands: [
      CommandGroup(
        name: "Health",
        subcommands: [Status.self, Devices.self, Displays.self, Doctor.self, StoreCare.self]),
      CommandGroup(
        name: "App",
        subcommands: [
          Screen.self, Session.self, Pause.self, Resume.self, Mask.self, SetDisplay.self,
        ]),
      CommandGroup(
        name: "Touch",
        subcommands: [
          Watch.self, Overlay.self, Heatmap.self, Compare.self, MakeReport.self, Export.self,
          Screens.self, Sessions.self,
        ]),
      CommandGroup(name: "Store", subcommands: [Forget.self]),
      CommandGroup(name: "Film", subcommands: [RecordTouches.self, MakeSubtitles.self]),
      CommandGroup(name: "Recording", subcommands: [Replay.self, Play.self]),
    ])

  /// Runs the command. Its errors are printed as `touchgrid: …` with exit status 1 or 65. The
  /// parser prints syntax errors of the command line, with status 64.
  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      guard exitCode(for: error) == .failure, !(error is ExitCode) else { endPrintably(error) }
      writeError(String(describing: error))
      if let user = Acting.user {
        writeError(
          "this was done as the user \(user.printable()), whose folder it is; what root alone may read or write was "
            + "out of reach")
      }
      Glibc.exit((error as? StoreError)?.exitStatus ?? (error as? Failure)?.exitStatus ?? 1)
    }
  }
}
