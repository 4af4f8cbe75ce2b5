public import ConfigurationFiles
internal import Glibc
internal import LinuxIO
internal import Storage
internal import Text
internal import TouchInput
internal import TouchModel

/// The daemon on real devices: one thread and one epoll instance.
public struct Daemon: ~Copyable {
  private typealias Token = EventLoop.Token

  private let log: Log
  private let capture: Capture
  private let discovery: Discovery
  private let ignored: IgnoredDevices
  private let panels: AttachedTouchscreens
  private let storage: StorageSink
  private let service: Service
  private let reload: () throws(ConfigurationError) -> Configuration
  private var loop: EventLoop
  /// The configuration with which the daemon started.
  private let initial: Configuration
  /// The configuration in force.
  private var configuration: Configuration
  /// The time of the last round of the loop.
  private var latest = Moment.now
  /// Reports changes of permissions in `/dev/input`; nil unless a device could not be opened for
  /// lack of permission.
  // Not written `AttributeWatch?`, which has the implicit initial value nil. With an initial value,
  // Swift 6.2 fails to compile the throwing `init`.
  private var permissions: Optional<AttributeWatch>

  /// Opens the store and the socket, and starts to listen for devices. Call it before a second
  /// thread exists.
  /// - Parameters:
  ///   - socket: the path of the socket for clients; it is an error if the socket cannot be
  ///     created. nil: the configured path; if that socket cannot be created, the daemon runs
  ///     without clients. A socket passed by the service manager takes precedence over both.
  ///   - reload: reads the configuration again, for SIGHUP.
  public init(
    configuration: Configuration, socket: String? = nil, log: Log,
    reload: @escaping () throws(ConfigurationError) -> Configuration
  ) throws(DaemonError) {
    try StoreOwner.become(
      of: configuration.store.path, readingDevicesWith: "input", log: log)
    // Signals are blocked before the storage thread starts, so that it inherits the signal mask.
    let signals = try system { () throws(SystemError) in try Signals([SIGTERM, SIGINT, SIGHUP]) }
    try system { () throws(SystemError) in try CoreDumps.forbid() }
    let ignored = IgnoredDevices(configuration)
    let discovery = try system { () throws(SystemError) in
      try Discovery(seat: configuration.devices.seat, ignores: ignored.matches)
    }
    Store.putTemporaryFiles(beside: configuration.store.path)
    let storage = try StorageSink(
      configuration.store, movesDamagedAside: true, log: log)
    let capture = Capture(
      rules: configuration.sessionRules,
      assignment: DisplayAssignment(configuration: configuration),
      connectors: { DRMConnector.connected() }, firstSession: storage.firstSession,
      mint: storage.mint, storage: storage, log: log)
    let panels = AttachedTouchscreens(discovery: discovery, capture: capture, log: log)
    let listener = try ClientSocket.open(socket, configuration.socket, log: log)
    let service = try Service(
      listener, configuration: configuration, capture: capture, storage: storage,
      devices: panels, log: log)
    loop = try EventLoop(signals: signals, service: service, supervisor: .fromEnvironment())
    initial = configuration
    self.configuration = configuration
    self.log = log
    self.discovery = discovery
    self.ignored = ignored
    self.storage = storage
    self.capture = capture
    self.panels = panels
    self.service = service
    self.reload = reload
    permissions = nil
  }

  /// Runs until SIGTERM or SIGINT arrives or the event loop fails. Then ends the session and writes
  /// it.
  public consuming func run() throws(DaemonError) {
    var failure: SystemError?
    do throws(SystemError) { try serve() } catch { failure = error }
    // The data in memory is written even after a failure.
    let moment = Moment.now
    panels.stop(at: moment)
    capture.stop(at: moment)
    if let failure { log.error(.kernel, "\(failure)") }
    log.debug(.store, "writing pending records")
    loop.stop()
    try storage.finish()
    if let failure { throw .system(failure) }
  }

  private mutating func serve() throws(SystemError) {
    try loop.poller.add(discovery.monitorDescriptor, token: Token.udev)
    apply(try discovery.enumerate(), at: .now)
    if discovery.touchscreens.isEmpty {
      log.info(
        .daemon, "no touchscreen is read yet; one that is plugged in later is read automatically")
    }
    logIfNotSetUp()
    log.info(.daemon, "ready, writing to \(storage.path.printable(limit: 1000))")
    loop.supervisor.ready(status, at: .now)
    while true {
      // The positions of masked touches, and of touches during pauses, must not stay on the stack
      // while the daemon sleeps.
      if capture.recorder.hasHadMasksOrPauses { Stack.wipe() }
      let moment = try loop.wait(until: nextDeadline, orRest: panels.nextRead)
      try handle(loop.devices, at: moment)
      loop.finishRound(at: moment)
      panels.settle(poller: &loop.poller, at: moment)
      switch loop.signal {
      case nil: continue
      case SIGHUP: reconfigure(at: moment)
      case let signal?:
        log.info(.daemon, "stopping on signal \(signal)")
        return
      }
    }
  }

  private var nextDeadline: Timestamp? {
    .first(.first(capture.nextDeadline, panels.nextDeadline), storage.nextDeadline)
  }

  private mutating func handle(
    _ ready: [Poller.Ready], at moment: Moment
  ) throws(SystemError) {
    if moment.hasSlept(since: latest) {
      let end = latest.later(moment.monotonic - latest.monotonic)
      panels.cancelBeforeSleep(at: latest, end: end)
    }
    latest = moment
    panels.read(ready, ending: loop.urgency, at: moment)
    for event in ready {
      switch event.token {
      case Token.udev: apply(try discovery.readMonitor(), at: moment)
      case Token.permissions:
        try permissions?.drain()
        apply(discovery.retryAfterPermissions(), at: moment)
      default: break
      }
    }
    panels.checkSilence(poller: &loop.poller, at: moment)
    capture.advance(to: moment)
    storage.advance(to: moment)
  }

  private mutating func apply(_ changes: [Discovery.Change], at moment: Moment) {
    panels.apply(changes, poller: &loop.poller, at: moment)
    watchPermissions(at: moment)
  }

  private mutating func watchPermissions(at moment: Moment) {
    guard discovery.waitsForPermission else {
      if let watch = permissions.take() { loop.poller.remove(watch.descriptor) }
      return
    }
    guard permissions == nil else { return }
    do throws(SystemError) {
      let watch = try AttributeWatch(folder: "/dev/input")
      try loop.poller.add(watch.descriptor, token: Token.permissions)
      permissions = consume watch
    } catch {
      return log.warning(.kernel, kind: "permissions", "\(error)")
    }
    // The permissions may have changed between the refusal and the start of the watch.
    apply(discovery.retryAfterPermissions(), at: moment)
  }

  /// The status that the service manager shows, in one line.
  private var status: String {
    "reading \(counted(discovery.touchscreens.count, "touchscreen"))"
      + (configuration.isSetUp ? "" : "; masking everything until set up: sudo touchgrid setup")
  }

  private func logIfNotSetUp() {
    guard !configuration.isSetUp else { return }
    log.warning(
      .daemon,
      "masking everything until set up: there is no \(defaultConfigurationPath), so touches are only "
        + "counted; 'sudo touchgrid setup' writes it")
  }
}

// MARK: Reloading

extension Daemon {
  /// Loads the new configuration without ending the session. Keeps the old configuration if the new
  /// one is invalid.
  private mutating func reconfigure(at moment: Moment) {
    loop.supervisor.reloading(at: moment)
    do throws(ConfigurationError) {
      apply(try reload(), at: moment)
      loop.supervisor.reloaded(status)
    } catch {
      for line in "\(error)".split(separator: "\n") { log.error(.daemon, "\(line)") }
      log.error(.daemon, "the new configuration is invalid; the old one remains in force")
      loop.supervisor.reloaded(
        "the new configuration is invalid, the old one remains in force; \(status)")
    }
  }

  private mutating func apply(_ new: Configuration, at moment: Moment) {
    service.restartNeededFor = initial.keysNeedingRestart(for: new)
    for key in service.restartNeededFor {
      log.warning(
        .daemon, "\(key) has changed; 'sudo systemctl restart touchgridd' applies the change")
    }
    log.level = new.log.level
    storage.apply(new.store)
    ignored.apply(new)
    capture.recorder.setRules(new.sessionRules, at: moment)
    capture.assignment.setConfiguration(new)
    capture.assignDisplays(at: moment)
    service.apply(new, at: moment)
    configuration = new
    // This comes last, so that the new masks apply to panels that are added here.
    apply(discovery.reconsider(), at: moment)
    log.info(.daemon, "the configuration was reloaded")
    logIfNotSetUp()
  }
}
