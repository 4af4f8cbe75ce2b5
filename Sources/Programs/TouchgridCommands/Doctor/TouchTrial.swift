import Heatmaps
import LinuxIO
import Text
import TouchModel
import TouchgridAPI

/// Asks the user to touch each touchscreen, and checks that the touches arrive.
struct TouchTrial {
  /// The time for touching all screens, in seconds.
  private static let seconds = 15

  let daemon: DaemonConnection

  func run() throws(Failure) -> [Finding] {
    let devices = try daemon.call(API.GetDevices()).devices
    guard !devices.isEmpty else { return [] }
    let names = devices.map { $0.name.printable() }.joined(separator: ", ")
    writeError(
      "touch each touchscreen now, for a second or two (within \(Self.seconds) s): \(names)")
    var trial = TouchTrialState(devices)
    let end = Clocks.boottime + Int64(Self.seconds) * 1_000_000
    while Clocks.boottime < end, !trial.isOver {
      TouchgridCommands.pause(0.2)
      trial.update(try daemon.call(API.GetDevices()).devices)
    }
    return trial.findings
  }
}

/// The events of each device since the trial began.
struct TouchTrialState {
  private struct Candidate {
    var key: String
    var name: String
    /// The number of touches that the daemon had counted before the trial.
    var before: Int64
    var hasArrived = false
    /// The number of updates with contacts from the kernel but without a touch.
    var silentContacts = 0
  }

  private var candidates: [Candidate]

  init(_ devices: [API.Device]) {
    candidates = devices.map {
      Candidate(key: $0.key, name: $0.name.printable(), before: $0.tally.touches)
    }
  }

  var isOver: Bool { candidates.allSatisfy(\.hasArrived) }

  mutating func update(_ devices: [API.Device]) {
    for index in candidates.indices {
      guard let device = devices.first(where: { $0.key == candidates[index].key }) else { continue }
      if device.tally.touches > candidates[index].before || device.touchesDown > 0 {
        candidates[index].hasArrived = true
      } else if (device.unheardContacts ?? 0) > 0 {
        candidates[index].silentContacts += 1
      }
    }
  }

  var findings: [Finding] {
    candidates.map { candidate in
      if candidate.hasArrived { return .ok("touches of \(candidate.name) arrive") }
      // After a single update, the touch of a new contact may not have arrived yet.
      if candidate.silentContacts > 1 {
        return .problem(
          "the kernel sees touches on \(candidate.name), but none arrives: another program has grabbed "
            + "the device",
          "hold a finger on it and run 'sudo touchgrid doctor', which names the programs that "
            + "have it open")
      }
      return .warning(
        "no touch arrived from \(candidate.name)",
        "if you touched it, 'sudo libinput debug-events' or 'sudo evtest' shows whether the kernel "
          + "sees touches"
      )
    }
  }
}
