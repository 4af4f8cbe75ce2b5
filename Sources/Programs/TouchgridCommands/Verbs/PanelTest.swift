import ArgumentParser
import Glibc
import Heatmaps
import Reports
import Text
import TouchInput
import TouchModel
import TouchgridAPI

struct PanelTest: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract:
      "Tests a touchscreen by hand, against the limits of Windows HLK and ChromeOS. Needs sudo.",
    discussion: """
      Stand in front of the panel, with a ruler. The test asks for lines across it and along its \
      edges, for a finger that rests, and for two fingers that slide together. It measures jitter, straightness, \
      gaps, lost and extra touches, the rate of reports, and how close to the edges the panel senses. \
      Each result is compared with a limit of Windows HLK, of ChromeOS or of Touchgrid; \
      docs/panel-test.md describes them. Enter leaves a step out.

      touchgrid-overlay draws the lines on the display itself, full screen, if it is installed and a \
      user has a desktop that it supports; then no other program gets the touches. Otherwise this \
      terminal shows sketches, and the app on the screen gets the touches, too: show a page on which \
      they do no harm.

      The daemon pauses recording while the test runs. The test reads the panel itself, so it also \
      reads touches in masks. It keeps results, and of the touches at most two places: that of the \
      largest gap, and that of the first extra touch.

      Files, by their ending:
        .pdf   the result on one page
        .json  all of it; docs/panel-test.md has the members

      Exit status: 0 the panel is within all limits; 1 a limit is broken; 3 nothing is known: \
      something could not be measured, the test was interrupted during a step, or an error; 64 usage \
      error.

          sudo touchgrid panel test -o panel.pdf
      """)

  @OptionGroup var panel: TestedPanelOption

  @Option(
    help: ArgumentHelp(
      """
      The size of the panel before rotation, if its driver does not know it: \
      \(MillimetresArgument.forms).
      """, valueName: "size"),
    transform: MillimetresArgument.read)
  var size: MillimetresArgument?

  @OptionGroup var file: FileOptions<PanelTestFormat>
  @OptionGroup var socket: SocketOption

  func run() throws {
    let verdict: PanelTestResult.Verdict
    do { verdict = try test() } catch let error as ValidationError { throw error } catch {
      throw Panel.unknown(error)
    }
    switch verdict {
    case .passed: break
    case .failed: throw ExitCode.failure
    case .notMeasured: throw ExitCode(Panel.unknown)
    }
  }

  /// Lets the person test the panel, and writes the result.
  private func test() throws -> PanelTestResult.Verdict {
    let machine = try SetupMachine(try socket.connectIfThere())
    let tested = try TestedPanel(panel.place.device, machine)
    let surface = try tested.surface(size)
    let dialogue = Dialogue.onStandardError
    var pause: RecordingPause?
    func paused() throws -> RecordingPause? {
      if pause == nil { pause = try socket.connectIfThere().map { try RecordingPause($0) } }
      return pause
    }
    if try paused() == nil { try dialogue.say("No daemon runs, so nothing records the touches.") }
    let run = PanelTestRun(
      touches: tested.reader, pause: paused, surface: surface, dialogue: dialogue,
      canvas: try panel.overlay(on: tested.placement?.display, dialogue) ?? SketchCanvas(dialogue))
    let device = PanelTestResult.Device(
      name: tested.touchscreen.description.name, key: tested.touchscreen.key,
      display: tested.placement?.display,
      identifiers: tested.touchscreen.description.identifiers, contactProtocol: tested.panel,
      surface: surface, isTurned: tested.isTurned)
    let steps = PanelTestStep.all.filter { $0 != .twoFingers || device.hasSeveralTouches }
    let result = PanelTestResult(
      device, try run.run(steps), time: LocalTime(.now)?.text ?? "")
    if file.path != nil || file.output == nil && !file.json {
      try writeLines(PanelTestText(result).lines(width: Terminal.width))
    }
    do {
      switch try file.chosen() {
      case .json: try file.save(Array((result.json.text + "\n").utf8))
      case .pdf: try file.save(try PictureFormat.pdf.bytes([PanelTestPage(result).drawing()]))
      case nil: break
      }
    } catch {
      guard result.verdict == .failed else { throw error }
      // Continue: the result matters more than the file.
      writeError(String(describing: error))
    }
    return result.verdict
  }
}

/// A format of the result of `touchgrid panel test`.
enum PanelTestFormat: String, FileFormat {
  case pdf, json
}

/// A touchscreen, and the desktop above it.
struct PanelDesktopOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The key or name of the touchscreen, if there are several; 'touchgrid devices' lists them.",
      valueName: "key"))
  var device: String?

  @Option(
    help: ArgumentHelp(
      "The user of the desktop on which to draw, if several users have one.", valueName: "name"))
  var user: String?

  @Option(
    help: ArgumentHelp(
      "The desktop's name of the monitor, if it differs from that of the display.",
      valueName: "output"))
  var monitor: String?
}

/// The options of verbs that read one touchscreen themselves.
struct TestedPanelOption: ParsableArguments {
  @OptionGroup var place: PanelDesktopOption

  @Flag(help: "Draw in this terminal, also if there is a desktop with touchgrid-overlay.")
  var inTerminal = false

  func validate() throws {
    if inTerminal, place.user != nil || place.monitor != nil {
      throw ValidationError("--in-terminal cannot be combined with --user or --monitor.")
    }
  }

  /// Returns an overlay that has covered the panel's display.
  /// - Returns: nil if the terminal must be used.
  func overlay(on display: String?, _ dialogue: Dialogue) throws -> OverlayCanvas? {
    guard !inTerminal, let display, geteuid() == 0,
      let canvas = try OverlayCanvas(on: display, user: place.user, monitor: place.monitor)
    else { return nil }
    do {
      try canvas.show(PanelScene(title: ""))
      return canvas
    } catch let failure as Failure where place.user == nil && place.monitor == nil {
      try dialogue.say("\(failure). This terminal is used.")
      return nil
    }
  }
}

extension Dialogue {
  /// Asks on standard error, so that standard output has only the result.
  static var onStandardError: Dialogue {
    Dialogue(
      read: { readLine() },
      write: { text throws(Failure) in
        try TouchgridCommands.write(
          Array(text.utf8), to: STDERR_FILENO, name: "standard error")
      }, width: Terminal.width(of: STDERR_FILENO))
  }
}
