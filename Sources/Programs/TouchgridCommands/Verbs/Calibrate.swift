import ArgumentParser
import Glibc
import Text
import TouchInput
import TouchModel
import TouchgridAPI

struct Calibrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Finds the calibration of a touchscreen from touches on crosses. Needs sudo.",
    discussion: """
      For a touchscreen whose touches land beside the finger: turned, mirrored, shifted or stretched \
      against its picture. Touch four crosses, and a fifth one that checks the result. The matrix is \
      written into the [[device]] of the configuration, if you agree, after a check by touchgridd, and \
      the service loads it. The rest of the file stays as it is.

      touchgrid-overlay draws the crosses, if it is installed and a user has a desktop that it supports. \
      Otherwise they are drawn in this terminal, which must fill the display: the console of the \
      machine, or a terminal in full screen.

      The daemon's matrix moves what Touchgrid counts. The app's touches are moved by the compositor, \
      which needs the same matrix: a rule for udev and lines for sway and X11 are printed. \
      docs/panel-test.md explains both.

      The daemon must run, and pauses recording meanwhile. Enter gives up.
      """)

  @OptionGroup var panel: TestedPanelOption

  @Flag(help: "Accept a map that mirrors the picture.")
  var mirrored = false

  @Flag(help: "Write the matrix without a question.")
  var yes = false

  @Flag(help: "Print the matrix, and write nothing.")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      "The configuration to change. Default: \(SetupChange.standardPath).", valueName: "file"),
    completion: .file())
  var config: String?

  @OptionGroup var socket: SocketOption

  func validate() throws {
    if yes, dryRun { throw ValidationError("--yes cannot be combined with --dry-run.") }
  }

  private var path: String { config ?? SetupChange.standardPath }

  func run() throws {
    let machine = try SetupMachine(try socket.connect())
    let tested = try TestedPanel(panel.place.device, machine)
    guard let device = tested.device, let placement = tested.placement else {
      throw Failure("the daemon does not read this touchscreen; 'touchgrid devices' says why")
    }
    // Report errors of saving before the person touches the crosses.
    func saved(_ matrix: CalibrationMatrix) -> SavedCalibration {
      SavedCalibration(
        matrix: matrix, touchscreen: device, all: machine.touchscreens, path: path, socket: socket)
    }
    if !dryRun { try saved(.identity).check() }
    let pause = try RecordingPause(socket.connect())
    let canvas: any PanelCanvas =
      try panel.overlay(on: placement.display, .onStandardError) ?? ScreenCanvas(placement.geometry)
    let result = try CalibrationRun(
      touches: tested.reader, pause: pause, placement: placement, allowsMirrored: mirrored,
      dialogue: .onStandardError, canvas: canvas
    ).run()
    try writeLines(lines(result, device, tested))
    guard !dryRun else { return }
    let name = path.printable(limit: 4096)
    let isBetter = result.presentError > result.error + 0.005
    guard
      try yes || Dialogue.onStandardError.agrees("Write it to \(name)?", usual: isBetter)
    else { throw Failure("nothing was changed") }
    try saved(result.matrix).save()
  }

  private func lines(
    _ result: CalibrationRun.Result, _ device: API.Device, _ tested: TestedPanel
  ) -> [String] {
    let calibration = CompositorCalibration(
      name: device.name, identifiers: tested.touchscreen.description.identifiers,
      matrix: result.matrix)
    var lines = [
      "matrix: \(result.matrix.text)",
      "With it, the touches are at most \(percent(result.error)) of the display beside their crosses, and "
        + "the fifth is \(percent(result.checkError)) beside. If one touch was off, places near the "
        + "edges may be up to \(percent(3 * result.error)) beside.",
      "With the present one (\(device.matrixSource.rawValue)) they are up to "
        + "\(percent(result.presentError)) beside.",
    ].flatMap { wrapped($0, to: Terminal.width) }
    guard device.rangeSource != .configuration else {
      return lines
        + wrapped(
          "The configuration sets the ranges of the axes, which compositors take from the kernel; so "
            + "the matrix is not theirs.", to: Terminal.width)
    }
    lines += [
      "",
      "The compositor needs the same matrix. For all with libinput, a rule for udev, such as in",
      "/etc/udev/rules.d/99-touchgrid-calibration.rules:", "", "  " + calibration.udevRule, "",
      "For sway alone, or an X server with libinput:", "", "  " + calibration.swayLine,
      "  " + calibration.xinputCommand, "",
    ]
    return lines
  }
}
