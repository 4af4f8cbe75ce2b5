internal import Glibc
internal import LinuxIO
internal import Recordings
internal import TouchModel

/// Plays recordings instead of devices, through the very same path.
public struct Replay: ~Copyable {
  /// How fast a recording plays.
  public enum Pace: String, Sendable, CaseIterable {
    /// As fast as it goes. The session is dated as if the last recording ended now.
    case fast
    /// As it was recorded.
    case recorded
  }

  /// One file.
  private struct Tape {
    var path: String
    var timeline: ReplayTimeline
    var panels: [ReplayPanel]

    init(_ path: String) throws(DaemonError) {
      let devices: [Recording]
      do throws(RecordingError) {
        devices = try Recording.readAll(path: path)
      } catch {
        throw .recording(error)
      }
      panels = []
      for (number, recording) in devices.enumerated() {
        panels.append(try ReplayPanel(recording, number: number, path: path))
      }
      timeline = ReplayTimeline(devices)
      self.path = path
    }
  }

  /// Time between two recordings, in microseconds.
  private static let gap: Int64 = 1_000_000

  private let tapes: [Tape]
  private let pace: Pace
  private let log: Log
  private let signals: Signals
  private let storage: StorageSink
  private let capture: Capture
  /// Where the replay stands.
  private var now = Moment.now

  /// Reads the recordings and opens the store. To be called before there is a second thread.
  /// - Throws: also where one of the recordings cannot be played: then none is.
  public init(
    _ paths: [String], pace: Pace, configuration: Configuration, log: Log
  ) throws(DaemonError) {
    var tapes: [Tape] = []
    for path in paths { tapes.append(try Tape(path)) }
    // The storage thread must inherit the blocked signals.
    let signals = try system { () throws(SystemError) in try Signals([SIGTERM, SIGINT, SIGHUP]) }
    let storage = try StorageSink(configuration.store, log: log)
    self.tapes = tapes
    self.pace = pace
    self.log = log
    self.signals = signals
    self.storage = storage
    capture = Capture(
      rules: configuration.sessionRules,
      assignment: DisplayAssignment(configuration: configuration, connectors: { [] }),
      firstSession: storage.firstSession, mint: storage.mint, storage: storage, log: log)
  }

  /// Plays all recordings one after another, or until a signal ends it; then the session is ended and
  /// written.
  public consuming func run() throws(DaemonError) {
    var failure: DaemonError?
    do throws(DaemonError) { try play() } catch { failure = error }
    // Whatever happened: what is in memory is worth being written.
    capture.stop(at: now)
    // A disk may take for ever. Whoever will not wait sends a second signal.
    signals.release()
    try storage.finish()
    if let failure { throw failure }
  }

  private mutating func play() throws(DaemonError) {
    now = Moment.now
    if pace == .fast { now = now.later(-totalDuration) }
    for (number, tape) in tapes.enumerated() {
      if number > 0 { guard try pass(to: now.later(Self.gap)) else { return } }
      guard try play(tape) else { return }
    }
  }

  private var totalDuration: Int64 {
    let gaps = Timestamp(microseconds: Int64(max(0, tapes.count - 1)) * Self.gap)
    return tapes.reduce(gaps) { $0 + $1.timeline.duration }.microseconds
  }

  /// - Returns: false where a signal asks to end.
  private mutating func play(_ tape: Tape) throws(DaemonError) -> Bool {
    if tape.timeline.steps.isEmpty {
      log.warning(.daemon, "\(tape.path.printable(limit: 1000)) holds no events")
      return true
    }
    let start = now
    defer { for panel in tape.panels { panel.finish(at: now) } }
    for panel in tape.panels { try panel.attach(to: capture, at: start) }
    for step in tape.timeline.steps {
      guard try pass(to: start.later(step.offset)) else { return false }
      switch step.what {
      case .screen(let name): capture.show(name, at: now)
      case .event(let event, let device): tape.panels[device].process(event, at: now)
      }
      capture.advance(to: now)
    }
    return true
  }

  // MARK: Time

  /// Time passes, and what becomes due is done.
  /// - Returns: false where a signal asks to end.
  private mutating func pass(to end: Moment) throws(DaemonError) -> Bool {
    // What was done now is not due again, but where the clocks have come to their end.
    while let due = capture.nextDeadline, due <= end.boottime, due > now.boottime {
      guard try wait(until: end.at(boottime: due)) else { return false }
      capture.advance(to: now)
    }
    return try wait(until: end)
  }

  /// - Returns: false where a signal asks to end.
  private mutating func wait(until moment: Moment) throws(DaemonError) -> Bool {
    while true {
      let left = left(until: moment)
      let signal = try system { () throws(SystemError) in try signals.next(within: left) }
      if let signal {
        log.info(.daemon, "ending on signal \(signal)")
        // At the recorded pace part of the wait has passed all the same.
        if pace == .recorded { now = moment.later(-self.left(until: moment)) }
        return false
      }
      if left == 0 {
        now = moment
        return true
      }
    }
  }

  /// How long a moment is still to be waited for, in microseconds.
  private func left(until moment: Moment) -> Int64 {
    pace == .fast ? 0 : max(0, moment.monotonic.microseconds - Clocks.monotonic)
  }
}
