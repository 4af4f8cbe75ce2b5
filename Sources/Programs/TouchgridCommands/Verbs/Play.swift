import ArgumentParser
import Glibc
import Recordings
import TouchModel

struct Play: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Plays a recording on a virtual touchscreen.",
    discussion: """
      Creates a virtual touchscreen like the recorded one, and plays the recording on it. Other \
      programs get these touches like those of a real touchscreen. You need write permission for \
      /dev/uinput; use sudo otherwise. The virtual touchscreen is removed when the command ends.

      If the recorded touchscreen had a calibration in udev, the positions are changed by it, unless       a udev rule gives the new device a calibration too.
      """)

  @Argument(help: "The file of the recording.", completion: .file())
  var recording: String

  @Option(help: "The name of the device, instead of the recorded name.")
  var name: String?

  @Option(help: ArgumentHelp("The physical path (phys) of the device.", valueName: "text"))
  var phys: String?

  @Option(
    help: """
      The speed: recorded, fast (without pauses), or a number of frames per second. Default: \
      recorded.
      """,
    completion: .list(["recorded", "fast"]), transform: PaceArgument.read)
  var pace = PaceArgument.recorded

  @Option(
    help: ArgumentHelp(
      "Shorten recorded pauses to this time, if they are longer.", valueName: "seconds"),
    transform: readNumber)
  var maxPause: Double?

  @Option(
    help: ArgumentHelp(
      "How many times to play it, each time on a new device. Default: 1.", valueName: "times"),
    transform: readInteger)
  var `repeat` = 1

  @Option(
    help: ArgumentHelp(
      "How long to keep the new device after playing. Default: 0.", valueName: "seconds"),
    transform: readNumber)
  var hold = 0.0

  @Option(
    help: ArgumentHelp(
      "How long to wait before playing, so that programs can open the new device. Default: 1.",
      valueName: "seconds"), transform: readNumber)
  var startAfter = 1.0

  @Option(
    help: ArgumentHelp(
      "Write the path of the device node to this file instead of printing it.", valueName: "file"),
    completion: .file())
  var nodeFile: String?

  func validate() throws {
    let day = 86_400.0
    for (option, value) in [("hold", hold), ("start-after", startAfter), ("max-pause", maxPause)] {
      guard let value, !(0...day).contains(value) else { continue }
      throw ValidationError("--\(option) takes 0 to \(Int(day)) seconds.")
    }
    guard (1...1_000_000).contains(`repeat`) else {
      throw ValidationError("--repeat takes 1 to 1000000 times.")
    }
    if maxPause != nil, pace != .recorded {
      throw ValidationError("--max-pause requires --pace recorded.")
    }
  }

  func run() throws {
    let recording = try Recording.read(path: recording)
    for _ in 0..<`repeat` { try play(recording) }
  }

  /// Plays the recording once on a new device. If a signal ends the program, the kernel closes the
  /// descriptor and removes the device.
  private func play(_ recording: Recording) throws {
    var device = try VirtualTouchscreen(recording.description, name: name, phys: phys)
    UdevWait.untilSettled(device.node)
    let isCalibrated = UdevWait.hasProperty("LIBINPUT_CALIBRATION_MATRIX", device.node)
    let events = isCalibrated ? recording.events : recording.calibratedEvents
    let player = Player(events, pace: pace.pace(maxPause: maxPause))
    if let nodeFile {
      try writeFile(Array((device.node + "\n").utf8), to: nodeFile)
    } else {
      writeError("playing on \(device.node)")
    }
    pause(startAfter)
    try player.play(into: &device)
    pause(hold)
  }
}

/// The option `--pace`.
enum PaceArgument: Equatable, FormedArgument {
  static let forms = "recorded, fast, or a number of frames per second, up to 1000000"

  case recorded
  case fast
  case rate(Double)

  init?(argument: String) {
    switch argument {
    case "recorded": self = .recorded
    case "fast": self = .fast
    default:
      guard let rate = Double(argument), rate > 0, rate <= 1_000_000 else { return nil }
      self = .rate(rate)
    }
  }

  var defaultValueDescription: String { "recorded" }

  /// - Parameter maxPause: the longest pause, in seconds.
  func pace(maxPause: Double?) -> Pace {
    switch self {
    case .recorded: .recorded(maxPause: maxPause.map { Int64($0 * 1e6) })
    case .fast: .asFastAsPossible
    case .rate(let rate): .rate(framesPerSecond: rate)
    }
  }
}
