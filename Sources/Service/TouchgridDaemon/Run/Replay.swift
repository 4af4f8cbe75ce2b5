internal import Glibc
internal import LinuxIO
internal import Recordings
internal import Text
internal import TouchModel

/// Plays recordings instead of reading devices. The recorded events are processed like those of
/// devices.
public struct Replay: ~Copyable {
  /// The speed of a replay.
  public enum Pace: String, Sendable, CaseIterable {
    /// As fast as possible. The sessions are dated as if the last recording ended when the replay
    /// begins.
    case fast
    /// At the recorded speed.
    case recorded
  }

  /// One recording file.
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

  /// The time between two recording files, in µs.
  private static let gap: Int64 = 1_000_000

  private let tapes: [Tape]
  private let pace: Pace
  private let log: Log
  private let storage: StorageSink
  private let capture: Capture
  private var loop: EventLoop
  /// The current time of the replay.
  private var now = Moment.now

  /// Reads the recordings and opens the store. Call it before a second thread exists.
  /// - Parameter socket: the path of the socket for clients; nil: no clients. Clients are served
  ///   only at the recorded pace.
  /// - Throws: `.recording` or `.noTouchscreen` if one of the recordings cannot be played, even if
  ///   others could; `.storeInUse` and other errors of opening the store.
  public init(
    _ paths: [String], pace: Pace, configuration: Configuration, socket: String? = nil, log: Log
  ) throws(DaemonError) {
    var tapes: [Tape] = []
    for path in paths { tapes.append(try Tape(path)) }
    try StoreOwner.become(of: configuration.store.path, readingDevicesWith: nil, log: log)
    // The storage thread must inherit the blocked signals.
    let signals = try system { () throws(SystemError) in try Signals([SIGTERM, SIGINT, SIGHUP]) }
    let storage = try StorageSink(
      configuration.store, movesDamagedAside: false, log: log)
    let capture = Capture(
      rules: configuration.sessionRules,
      assignment: DisplayAssignment(configuration: configuration), connectors: { [] },
      firstSession: storage.firstSession, mint: storage.mint, storage: storage, log: log)
    let listener =
      if let socket { try ClientSocket.open(socket, configuration.socket, log: log) } else {
        nil as UnixListener?
      }
    let service = try Service(
      listener, configuration: configuration, capture: capture, storage: storage,
      devices: ReplayedDevices(tapes.flatMap(\.panels)), log: log)
    loop = try EventLoop(
      signals: signals, service: service,
      supervisor: ServiceManagerNotifier(notifier: nil, watchdog: nil))
    self.tapes = tapes
    self.pace = pace
    self.log = log
    self.storage = storage
    self.capture = capture
  }

  /// Plays the recordings one after another until the last has ended or a signal arrives. Then ends
  /// the session and writes it.
  public consuming func run() throws(DaemonError) {
    var failure: DaemonError?
    do throws(DaemonError) { try play() } catch { failure = error }
    // The data in memory is written even after a failure.
    capture.stop(at: now)
    loop.stop()
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

  /// Plays one file.
  /// - Returns: false if a signal asks the replay to end.
  private mutating func play(_ tape: Tape) throws(DaemonError) -> Bool {
    if tape.timeline.steps.isEmpty {
      log.warning(.daemon, "\(tape.path.printable(limit: 1000)) contains no events")
      return true
    }
    let start = now
    defer { for panel in tape.panels { panel.finish(at: now) } }
    for panel in tape.panels { try panel.attach(to: capture, at: start) }
    for step in tape.timeline.steps {
      let time = start.later(step.offset)
      for panel in tape.panels {
        guard let end = panel.bounceEnd, end.boottime <= time.boottime else { continue }
        guard try pass(to: end) else { return false }
        panel.endBounce(at: now)
        capture.advance(to: now)
      }
      guard try pass(to: time) else { return false }
      switch step.what {
      case .screen(let name): show(name)
      case .response(let cue, let screen):
        capture.recorder.add(cue.response(on: screen, at: now), at: now)
      case .event(let event, let device): tape.panels[device].process(event, at: now)
      }
      capture.advance(to: now)
    }
    return true
  }

  private func show(_ screen: String) {
    do throws(SessionRecorder.ScreenError) {
      try capture.recorder.setScreen(screen, at: now)
    } catch {
      log.warning(
        .client, kind: "screen",
        "the name \(screen.printable()) is ignored: the session has too many screens already; touches "
          + "are counted on the screen that was named before")
    }
  }

  // MARK: Time

  /// Lets time pass until `end`, and performs the work that becomes due.
  /// - Returns: false if a signal asks the replay to end.
  private mutating func pass(to end: Moment) throws(DaemonError) -> Bool {
    while true {
      // A deadline that has already been handled is ignored. It may remain set when the clocks have
      // reached their maximum, and waiting for it again would never end.
      let due = capture.nextDeadline.flatMap { $0 <= end.boottime && $0 > now.boottime ? $0 : nil }
      let target = due.map { end.at(boottime: $0) } ?? end
      switch try system({ () throws(SystemError) in try wait(until: target) }) {
      case .ended: return false
      case .over where due == nil: return true
      case .over, .disturbed: capture.advance(to: now)
      }
    }
  }

  private enum Wait {
    /// The time has been reached.
    case over
    /// The event loop has waited, perhaps not long enough. It has served clients, which may have
    /// changed the deadlines.
    case disturbed
    /// A signal asks the replay to end.
    case ended
  }

  private mutating func wait(until moment: Moment) throws(SystemError) -> Wait {
    let left = pace == .fast ? 0 : max(0, moment.monotonic.microseconds - Clocks.monotonic)
    if left == 0 {
      now = moment
      return try hasEnded(loop.pendingSignal()) ? .ended : .over
    }
    try loop.wait(until: moment.boottime)
    now = moment.later(-max(0, moment.monotonic.microseconds - Clocks.monotonic))
    loop.finishRound(at: now)
    return hasEnded(loop.signal) ? .ended : .disturbed
  }

  private func hasEnded(_ signal: Int32?) -> Bool {
    guard let signal else { return false }
    log.info(.daemon, "stopping on signal \(signal)")
    return true
  }
}
