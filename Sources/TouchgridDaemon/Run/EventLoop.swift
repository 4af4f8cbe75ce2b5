internal import LinuxIO
internal import TouchModel

/// What the daemon and a replay wait for alike: signals, the time, clients, and answers for these. Devices are
/// watched by the same poller, and served before the clients.
struct EventLoop: ~Copyable {
  /// What the descriptors are known by. Touchscreens have numbers that start at 1, clients those from
  /// `Service.firstToken` on; none of them comes near these.
  enum Token {
    static let timer: UInt64 = 1 << 61
    static let signals = timer + 1
    static let answers = timer + 2
    static let udev = timer + 3
    static let permissions = timer + 4
  }

  var poller: Poller
  /// What is ready and none of the loop's own, for the owner to serve.
  private(set) var devices: [Poller.Ready] = []
  /// The signal that has come.
  private(set) var signal: Int32?
  var supervisor: Supervisor

  private let service: Service
  private let signals: Signals
  private var timer: BootTimer
  private var ready: [Poller.Ready] = []
  private var clients: [Poller.Ready] = []

  /// - Parameter signals: taken before the first other thread was made.
  init(
    signals: consuming Signals, service: Service, supervisor: Supervisor
  ) throws(DaemonError) {
    var poller = try system { () throws(SystemError) in try Poller() }
    let timer = try system { () throws(SystemError) in try BootTimer() }
    try system { () throws(SystemError) in
      try poller.add(timer.descriptor, token: Token.timer)
      try poller.add(signals.descriptor, token: Token.signals)
      try service.start(poller: &poller)
    }
    self.poller = poller
    self.timer = timer
    self.signals = signals
    self.service = service
    self.supervisor = supervisor
  }

  /// Waits until something is ready or the time has come.
  /// - Parameter deadline: on `CLOCK_BOOTTIME`; nil: without end. It may be over earlier.
  /// - Returns: when that was.
  @discardableResult
  mutating func wait(until deadline: Timestamp?) throws(SystemError) -> Moment {
    try schedule(.first(.first(deadline, service.nextDeadline), supervisor.nextSign))
    try poller.wait(into: &ready)
    let moment = Moment.now
    // Before any work: what hangs in it is what the watchdog is for.
    supervisor.wake(at: moment.boottime, byTimer: ready.allSatisfy { $0.token == Token.timer })
    if !devices.isEmpty { devices.removeAll(keepingCapacity: true) }
    if !clients.isEmpty { clients.removeAll(keepingCapacity: true) }
    signal = nil
    for event in ready {
      switch event.token {
      case Token.timer: try timer.acknowledge()
      case Token.signals: signal = try signals.next() ?? signal
      case let token where service.owns(token): clients.append(event)
      default: devices.append(event)
      }
    }
    return moment
  }

  /// A signal that has come, without waiting.
  func pendingSignal() throws(SystemError) -> Int32? { try signals.next() }

  /// Serves the clients, after the devices; to be called once after each `wait`.
  mutating func finishRound(at moment: Moment) {
    service.serve(clients, poller: &poller, at: moment)
  }

  /// Nobody is served any longer, and signals end the process again: a disk may take for ever, and whoever will
  /// not wait sends a second one.
  mutating func stop() {
    supervisor.stopping()
    service.stop(poller: &poller)
    signals.release()
  }

  /// Sets the timer, if there is something to do before it goes off anyway: a timer that goes off too
  /// early costs less than one that is set anew with every frame.
  private mutating func schedule(_ next: Timestamp?) throws(SystemError) {
    guard let next else { return }
    if let set = timer.deadline, set <= next.microseconds { return }
    try timer.set(next.microseconds)
  }
}
