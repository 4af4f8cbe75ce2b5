internal import Evdev
internal import Glibc
internal import LinuxIO
internal import TouchModel

/// The daemon on real devices: one thread, one epoll.
public struct Daemon: ~Copyable {
  /// What the descriptors that are no touchscreens are known by; those have numbers of their own, which
  /// start at 1 and never come near these.
  private enum Token {
    static let udev = UInt64.max
    static let timer = UInt64.max - 1
    static let signals = UInt64.max - 2
    static let permissions = UInt64.max - 3
  }

  private let log: Log
  private let capture: Capture
  private let discovery: Discovery
  private let panels: Panels
  private let storage: StorageSink
  private var poller: Poller
  private var timer: BootTimer
  private let signals: Signals
  /// When the loop last went round.
  private var latest = Moment.now
  /// While a device waits for permissions.
  private var permissions: AttributeWatch?

  /// Opens the store and starts to listen. To be called before there is a second thread.
  public init(configuration: Configuration, log: Log) throws(DaemonError) {
    // First of all: the storage thread must inherit the blocked signals.
    let signals = try system { () throws(SystemError) in try Signals([SIGTERM, SIGINT, SIGHUP]) }
    let poller = try system { () throws(SystemError) in try Poller() }
    let timer = try system { () throws(SystemError) in try BootTimer() }
    let discovery = try system { () throws(SystemError) in
      try Discovery(seat: configuration.devices.seat) { key, name in
        configuration.rule(key: key, name: name)?.ignore ?? false
      }
    }
    let storage = try StorageSink(configuration.store, log: log)
    let capture = Capture(
      rules: configuration.sessionRules,
      assignment: DisplayAssignment(configuration: configuration) { DRMConnector.connected() },
      firstSession: storage.firstSession,
      mint: storage.mint, storage: storage, log: log)
    self.log = log
    self.discovery = discovery
    self.storage = storage
    self.capture = capture
    panels = Panels(discovery: discovery, capture: capture, log: log)
    self.signals = signals
    self.poller = poller
    self.timer = timer
  }

  /// Runs until a signal ends it; then the session is ended and written.
  public consuming func run() throws(DaemonError) {
    var failure: SystemError?
    do throws(SystemError) { try serve() } catch { failure = error }
    // Whatever happened: what is in memory is worth being written.
    let moment = Moment.now
    panels.stop(at: moment)
    capture.stop(at: moment)
    if let failure { log.error(.kernel, "\(failure)") }
    // A disk may take for ever. Whoever will not wait sends a second signal: what is in a checkpoint stays.
    log.debug(.store, "writing what waits")
    signals.release()
    try storage.finish()
    if let failure { throw .system(failure) }
  }

  private mutating func serve() throws(SystemError) {
    try poller.add(discovery.monitorDescriptor, token: Token.udev)
    try poller.add(timer.descriptor, token: Token.timer)
    try poller.add(signals.descriptor, token: Token.signals)
    apply(try discovery.enumerate(), at: .now)
    if discovery.touchscreens.isEmpty {
      log.info(.daemon, "no touchscreen found so far; one that is plugged in is read at once")
    }
    log.info(.daemon, "ready, writing to \(storage.path.printable(limit: 1000))")
    var ready: [Poller.Ready] = []
    while true {
      try schedule()
      try poller.wait(into: &ready)
      if try handle(ready) { return }
    }
  }

  /// - Returns: whether a signal asks to end.
  private mutating func handle(_ ready: [Poller.Ready]) throws(SystemError) -> Bool {
    let moment = Moment.now
    if moment.hasSlept(since: latest) { panels.cancelBeforeSleep(at: latest) }
    latest = moment
    var mustEnd = false
    for event in ready {
      switch event.token {
      case Token.udev: apply(try discovery.readMonitor(), at: moment)
      case Token.timer: try timer.acknowledge()
      case Token.signals:
        if let signal = try signals.next() {
          log.info(.daemon, "ending on signal \(signal)")
          mustEnd = true
        }
      case Token.permissions:
        try permissions?.drain()
        apply(discovery.retryAfterPermissions(), at: moment)
      default:
        panels.read(event.token, poller: &poller, at: moment)
      }
    }
    panels.checkSilence(poller: &poller, at: moment)
    capture.advance(to: moment)
    return mustEnd
  }

  private mutating func apply(_ changes: [Discovery.Change], at moment: Moment) {
    panels.apply(changes, poller: &poller, at: moment)
    watchPermissions(at: moment)
  }

  private mutating func watchPermissions(at moment: Moment) {
    guard discovery.waitsForPermission else {
      if let watch = permissions.take() { poller.remove(watch.descriptor) }
      return
    }
    guard permissions == nil else { return }
    do throws(SystemError) {
      let watch = try AttributeWatch(folder: "/dev/input")
      try poller.add(watch.descriptor, token: Token.permissions)
      permissions = consume watch
    } catch {
      return log.warning(.kernel, kind: "permissions", "\(error)")
    }
    // They may have arrived between the refusal and the watch.
    apply(discovery.retryAfterPermissions(), at: moment)
  }

  /// Sets the timer, if there is something to do before it goes off anyway: a timer that goes off too
  /// early costs less than one that is set anew with every frame.
  private mutating func schedule() throws(SystemError) {
    let next: Timestamp
    switch (capture.nextDeadline, panels.nextDeadline) {
    case (let one?, let other?): next = min(one, other)
    case (let one?, nil), (nil, let one?): next = one
    case (nil, nil): return
    }
    if let set = timer.deadline, set <= next.microseconds { return }
    try timer.set(next.microseconds)
  }
}
