import ArgumentParser
import Glibc
import Recordings
import TouchModel
import VirtualTouchscreen

struct Play: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Plays a recording on a virtual touchscreen.",
    discussion: """
      Makes a touchscreen in the kernel like the recorded one and plays the recording on it: every \
      program that reads touchscreens takes the fingers for real ones. Needs write permission for \
      /dev/uinput. The device goes when the command ends, also when it is interrupted.
      """)

  @Argument(help: "The recording's file.", completion: .file())
  var recording: String

  @Option(help: "What the device is called, instead of the recorded name.")
  var name: String?

  @Option(help: ArgumentHelp("Where the device says it is plugged in.", valueName: "text"))
  var phys: String?

  @Option(help: "How fast: recorded, fast (without any pause), or frames per second.")
  var pace = PaceArgument.recorded

  @Option(help: ArgumentHelp("Cut recorded pauses to this.", valueName: "seconds"))
  var maxPause: Double?

  @Option(help: ArgumentHelp("How often; each time on a new device.", valueName: "times"))
  var `repeat` = 1

  @Option(help: ArgumentHelp("Keep the device for so long afterwards.", valueName: "seconds"))
  var hold = 0.0

  @Option(
    help: ArgumentHelp(
      "Wait so long before the first frame, for readers to open the device.",
      valueName: "seconds"))
  var startAfter = 1.0

  @Option(
    help: ArgumentHelp(
      "Write the device's node into this file instead of telling it.", valueName: "file"),
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
      throw ValidationError("--max-pause cuts recorded pauses; it goes with --pace recorded only.")
    }
  }

  func run() throws {
    let recording = try Recording.read(path: recording)
    let player = Player(recording.events, pace: pace.pace(maxPause: maxPause))
    for _ in 0..<`repeat` { try play(recording.description, player) }
  }

  /// Plays the recording once on a new device. If a signal ends the program, the kernel closes the
  /// descriptor and removes the device.
  private func play(_ description: DeviceDescription, _ player: Player) throws {
    var device = try VirtualTouchscreen(description, name: name, phys: phys)
    UdevWait.untilSettled(device.node)
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
enum PaceArgument: Equatable, ExpressibleByArgument {
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
