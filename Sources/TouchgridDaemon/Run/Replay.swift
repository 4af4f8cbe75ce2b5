internal import Glibc
internal import LinuxIO
internal import Recordings
internal import TouchModel

/// Plays recordings instead of devices, through the very same path.
public struct Replay {
  /// How fast a recording plays.
  public enum Pace: String, Sendable, CaseIterable {
    /// As fast as it goes. The session is dated as if the last recording ended now.
    case fast
    /// As it was recorded.
    case recorded
  }

  /// Something that a recording says.
  private struct Step {
    enum What {
      case screen(String)
      case event(InputEvent, device: Int)
    }
    var time: Timestamp
    var what: What
  }

  /// Time between two recordings, in microseconds.
  private static let gap: Int64 = 1_000_000

  private let recordings: [(path: String, devices: [Recording])]
  private let pace: Pace
  private let log: Log
  private let storage: StorageSink
  private let capture: Capture

  /// Reads the recordings and opens the store.
  public init(
    _ paths: [String], pace: Pace, configuration: Configuration, log: Log
  ) throws(DaemonError) {
    var recordings: [(String, [Recording])] = []
    for path in paths {
      do throws(RecordingError) {
        recordings.append((path, try Recording.readAll(path: path)))
      } catch {
        throw .recording(error)
      }
    }
    self.recordings = recordings
    self.pace = pace
    self.log = log
    storage = try StorageSink(configuration.store, log: log)
    capture = Capture(
      rules: configuration.sessionRules,
      assignment: DisplayAssignment(configuration: configuration, connectors: []),
      firstSession: storage.firstSession, mint: .afterEarlierRuns(wall: Moment.now.wall),
      storage: storage, log: log)
  }

  /// Plays all recordings one after another, ends the session and writes it.
  public func run() throws(DaemonError) {
    var moment = Moment.now
    if pace == .fast { moment = moment.later(-totalDuration) }
    for recording in recordings {
      moment = try play(recording.devices, path: recording.path, from: moment).later(Self.gap)
    }
    capture.stop(at: moment)
    try storage.finish()
  }

  private var totalDuration: Int64 {
    recordings.reduce(Timestamp.zero) { total, recording in
      let times = recording.devices.flatMap { $0.events.lazy.map(\.time) }
      return total + ((times.max() ?? .zero) - (times.min() ?? .zero)) + Self.gap
    }
    .microseconds
  }

  /// - Returns: the moment at which it ended.
  private func play(
    _ devices: [Recording], path: String, from start: Moment
  ) throws(DaemonError) -> Moment {
    let steps = Self.steps(of: devices)
    guard let first = steps.first else {
      log.warning(.daemon, "\(path.printable(limit: 1000)) holds no events")
      return start
    }
    var panels: [ReplayPanel] = []
    for (number, recording) in devices.enumerated() {
      panels.append(
        try ReplayPanel(recording, number: number, path: path, capture: capture, at: start))
    }
    var timeline = ReplayTimeline(start: start, origin: first.time)
    var moment = start
    for step in steps {
      moment = timeline.moment(of: step.time)
      wait(until: moment)
      while let due = capture.nextDeadline(at: moment), due <= moment.boottime {
        capture.advance(to: moment.at(boottime: due))
      }
      switch step.what {
      case .screen(let name): capture.show(name, at: moment)
      case .event(let event, let device): panels[device].process(event, at: moment)
      }
    }
    for panel in panels { panel.finish(at: moment) }
    return moment
  }

  /// Everything that happens, in the order in which it does: events in that of each device's recording,
  /// a screen before the touches of its moment.
  private static func steps(of devices: [Recording]) -> [Step] {
    var steps = (devices.first?.screens ?? []).map { Step(time: $0.time, what: .screen($0.screen)) }
    for (number, recording) in devices.enumerated() {
      // A recording may step back in time; its events do not change places for that.
      var latest = Timestamp(microseconds: .min)
      for event in recording.events {
        latest = max(latest, event.time)
        steps.append(Step(time: latest, what: .event(event, device: number)))
      }
    }
    return steps.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
  }

  private func wait(until moment: Moment) {
    guard pace == .recorded else { return }
    let left = moment.monotonic.microseconds - Clocks.monotonic
    if left > 0 { usleep(UInt32(min(left, 4_000_000_000))) }
  }
}
