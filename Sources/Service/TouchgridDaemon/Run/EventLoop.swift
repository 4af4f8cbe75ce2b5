internal import LinuxIO
internal import TouchModel

/// Waits for signals, timers, clients and answers to clients. Used by the daemon and by replays.
/// Devices use the same poller, and are served before the clients.
struct EventLoop: ~Copyable {
  /// The poller's tokens for descriptors that are neither touchscreens nor clients. The tokens of
  /// touchscreens count from 1 and never reach these values; those of clients count from
  /// `Service.firstToken`, which is above them.
  enum Token {
    static let timer: UInt64 = 1 << 61
    static let signals = timer + 1
    static let answers = timer + 2
    static let udev = timer + 3
    static let permissions = timer + 4
    #if TOUCHGRID_TEST_CLOCK
      static let test = timer + 5
    #endif
  }

  var poller: Poller
  /// The ready descriptors that belong neither to the loop nor to `Service`. The owner of the loop
  /// handles them.
  private(set) var devices: [Poller.Ready]
  /// The signal that arrived in this round; nil if none did.
  private(set) var signal: Int32?
  var supervisor: ServiceManagerNotifier

  private let service: Service
  private let signals: Signals
  private var timer: BootTimer
  private var ready: [Poller.Ready]
  private var clients: [Poller.Ready]
  #if TOUCHGRID_TEST_CLOCK
    private var test: TestControl
  #endif

  /// - Parameter signals: must have been created before any additional thread.
  init(
    signals: consuming Signals, service: Service, supervisor: ServiceManagerNotifier
  ) throws(DaemonError) {
    var poller = try system { () throws(SystemError) in try Poller() }
    let timer = try system { () throws(SystemError) in try BootTimer() }
    try system { () throws(SystemError) in
      try poller.add(timer.descriptor, token: Token.timer)
      try poller.add(signals.descriptor, token: Token.signals)
      try service.start(poller: &poller)
      #if TOUCHGRID_TEST_CLOCK
        try TestControl.start(poller)
      #endif
    }
    self.poller = poller
    self.timer = timer
    self.signals = signals
    self.service = service
    self.supervisor = supervisor
    (devices, ready, clients) = ([], [], [])
    #if TOUCHGRID_TEST_CLOCK
      // Not initialised at its declaration: Swift 6.2.3 fails with an internal error.
      test = TestControl()
    #endif
  }

  /// Waits until a descriptor is ready or the deadline has passed. The wait may end earlier.
  /// - Parameters:
  ///   - deadline: a time on `CLOCK_BOOTTIME`; nil: no deadline.
  ///   - rest: another one, at most a second away. It needs no timer, so it suits deadlines that
  ///     are set again and again. After a suspend it may be late.
  /// - Returns: the time when the wait ended.
  @discardableResult
  mutating func wait(
    until deadline: Timestamp?, orRest rest: Timestamp? = nil
  ) throws(SystemError) -> Moment {
    try wait(
      for: .first(.first(deadline, service.nextDeadline), supervisor.nextKeepAlive), rest)
    let moment = Moment.now
    // Arms the watchdog before any work, so that it detects work that hangs.
    supervisor.wake(at: moment.boottime, byTimer: ready.allSatisfy { $0.token == Token.timer })
    if !devices.isEmpty { devices.removeAll(keepingCapacity: true) }
    if !clients.isEmpty { clients.removeAll(keepingCapacity: true) }
    signal = nil
    for event in ready {
      switch event.token {
      case Token.timer: try timer.acknowledge()
      case Token.signals: signal = try signals.next() ?? signal
      #if TOUCHGRID_TEST_CLOCK
        case Token.test: signal = test.read() ?? signal
      #endif
      case let token where service.owns(token): clients.append(event)
      default: devices.append(event)
      }
    }
    return moment
  }

  private mutating func wait(for next: Timestamp?, _ rest: Timestamp?) throws(SystemError) {
    #if TOUCHGRID_TEST_CLOCK
      if TestClock.isStopped {
        return try test.wait(for: .first(next, rest), &poller, into: &ready)
      }
    #endif
    try schedule(next)
    guard let rest else { return try poller.wait(into: &ready) }
    // Rounded up: a wait that ends early would be followed by another one.
    let left = (max(0, rest.microseconds - Clocks.boottime) + 999) / 1000
    try poller.wait(into: &ready, atMost: Int32(clamping: left))
  }

  /// Which rests of panels end in this round.
  var urgency: AttachedTouchscreens.Urgency {
    if signal != nil || !devices.isEmpty { return .all }
    return ready.contains { $0.token == Token.timer } ? .unmasked : .none
  }

  /// Returns a signal that has arrived, without waiting; nil if there is none.
  func pendingSignal() throws(SystemError) -> Int32? { try signals.next() }

  /// Serves the clients, after the devices. Call it once after each `wait`.
  mutating func finishRound(at moment: Moment) {
    service.serve(clients, poller: &poller, at: moment)
  }

  /// Stops serving clients and restores the default action of signals, so that a second signal ends
  /// the process even if writing the remaining data blocks.
  mutating func stop() {
    supervisor.stopping()
    service.stop(poller: &poller)
    signals.release()
  }

  /// Sets the timer unless it already expires early enough. It is never set to a later time: waking
  /// up too early costs less than setting the timer for every frame.
  private mutating func schedule(_ next: Timestamp?) throws(SystemError) {
    guard let next else { return }
    if let set = timer.deadline, set <= next.microseconds { return }
    try timer.set(next.microseconds)
  }
}
