import ArgumentParser
import Glibc
import ProgramArguments
import Storage
import Text
import TouchModel

public enum TouchgridProgram {
  /// Runs the command that the arguments of the process describe.
  public static func main() {
    // Without /proc, Swift cannot read the arguments. The command would then do nothing without an
    // error, for example while an image is made.
    if CommandLine.arguments.isEmpty {
      writeError("the arguments cannot be read: mount /proc")
      exit(EXIT_FAILURE)
    }
    Touchgrid.main()
  }
}

/// The command line `touchgrid VERB`. Each verb has a file in `Verbs`.
struct Touchgrid: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows where people touch a screen.",
    discussion: """
      The daemon touchgridd records touches; most commands call it through its socket. The \
      configuration gives each role to a group of users: app (screens, sessions, pauses, masks, \
      displays), read (status, sessions, heatmaps), watch (live touches) and signal (whether \
      somebody touches).

      --json prints JSON for programs: usually the daemon's reply, as the interface io.touchgrid \
      describes it; otherwise the help of the verb describes it. Colours are used only on a terminal, and not if NO_COLOR is set.

      Exit status: 0 success; 1 an error, or a check found a problem; 3 'touchgrid panel' \
      cannot tell the state of a touchscreen, or 'touchgrid panel test' was not done; 64 usage error; 65 the file is not a store, or is of another version.
      """,
    version: touchgridVersion,
    groupedSubcommands: [
      CommandGroup(
        name: "Health",
        subcommands: [
          Setup.self, Status.self, Devices.self, Displays.self, Doctor.self, Panel.self,
          Metrics.self, Calibrate.self,
          StoreMaintenance.self,
        ]),
      CommandGroup(
        name: "App",
        subcommands: [
          SetScreenVerb.self, GetScreenVerb.self, BeginSessionVerb.self, EndSessionVerb.self,
          TagSessionVerb.self, Pause.self, Resume.self, Mask.self, Control.self,
          SetDisplayVerb.self, Try.self,
        ]),
      CommandGroup(
        name: "Touch",
        subcommands: [
          Watch.self, WaitVerb.self, GuardVerb.self, CleanVerb.self, Overlay.self, Heatmap.self,
          Controls.self,
          GesturesVerb.self, Flows.self, Compare.self,
          MakeReport.self, Picture.self,
          Export.self,
          Import.self,
          Screens.self, Sessions.self,
        ]),
      CommandGroup(name: "Store", subcommands: [Forget.self]),
      CommandGroup(name: "Film", subcommands: [MakeTrack.self, MakeSubtitles.self]),
      CommandGroup(name: "Recording", subcommands: [Replay.self, Play.self]),
    ])

  /// Runs the command. Its errors are printed as `touchgrid: …` with exit status 1 or 65;
  /// `NothingToShow` is printed in the same way, with status 0. The parser prints usage errors,
  /// with status 64.
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if let fault = VerbSuggestion.fault(arguments) {
      endPrintably(fault, arguments: arguments, isPrintable: true)
    }
    do {
      var command = try parseAsRoot(arguments)
      try command.run()
    } catch let nothing as NothingToShow {
      writeError(nothing.description)
    } catch {
      guard exitCode(for: error) == .failure, !(error is ExitCode) else {
        endPrintably(error, arguments: arguments)
      }
      writeError(String(describing: error))
      if let user = ProcessIdentity.user {
        writeError(
          "this ran as the user \(user.printable()), who can write in the folder of the file, and "
            + "not as root: files that only root may open cannot be used")
      }
      Glibc.exit((error as? StoreError)?.exitStatus ?? (error as? Failure)?.exitStatus ?? 1)
    }
  }
}
