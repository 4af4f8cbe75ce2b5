internal import LinuxIO
internal import TouchModel

/// What the service manager is told (systemd: `sd_notify`): readiness, reloads, the end, and signs of life.
///
/// The watchdog guards work, not sleep: it is armed when the daemon wakes up, and disarmed once there has been
/// nothing to do for a while. Signs of life of a daemon that sleeps would wake it for nothing else.
struct Supervisor {
  private let notifier: ServiceNotifier?
  /// Without a sign of life for so long the service manager restarts the daemon, in microseconds; nil: never.
  private let watchdog: Int64?
  /// When a sign of life is due, on `CLOCK_BOOTTIME`; nil while the watchdog is disarmed.
  private(set) var nextSign: Timestamp?
  private var hasWorked = false

  init(notifier: ServiceNotifier?, watchdog: Int64?) {
    self.notifier = notifier
    self.watchdog = watchdog
  }

  /// As the environment says.
  static func ofEnvironment() -> Supervisor {
    Supervisor(notifier: ServiceNotifier(), watchdog: ServiceNotifier.watchdogMicroseconds)
  }

  /// Before it is ready: what is begun now may take a slow card a quarter of an hour, and must not be broken off.
  /// - Parameter status: one line for the owner of the machine.
  static func startTakesLong(_ status: String) {
    ServiceNotifier()?.send("EXTEND_TIMEOUT_USEC=900000000\nSTATUS=\(status)")
  }

  /// - Parameter status: one line for the owner of the machine.
  mutating func ready(_ status: String, at moment: Moment) {
    notifier?.send("READY=1\nSTATUS=\(status)")
    wake(at: moment.boottime)
  }

  func reloading(at moment: Moment) {
    notifier?.send("RELOADING=1\nMONOTONIC_USEC=\(moment.monotonic.microseconds)")
  }

  func reloaded(_ status: String) { notifier?.send("READY=1\nSTATUS=\(status)") }

  /// What waits may have to wait for a slow disk: the unit's time-out for stopping watches over that.
  mutating func stopping() {
    let disarms = nextSign == nil ? "" : "\nWATCHDOG_USEC=0"
    notifier?.send("STOPPING=1\nSTATUS=writing what waits" + disarms)
    nextSign = nil
  }

  /// The daemon is awake; to be called once a round.
  /// - Parameter isTimer: nothing but the time has woken it.
  mutating func wake(at now: Timestamp, byTimer isTimer: Bool = false) {
    guard let watchdog else { return }
    guard let due = nextSign else {
      notifier?.send("WATCHDOG_USEC=\(watchdog)\nWATCHDOG=1")
      nextSign = now + watchdog / 2
      hasWorked = false
      return
    }
    hasWorked = hasWorked || !isTimer
    guard due <= now else { return }
    if hasWorked {
      notifier?.send("WATCHDOG=1")
      nextSign = now + watchdog / 2
      hasWorked = false
    } else {
      notifier?.send("WATCHDOG_USEC=0")
      nextSign = nil
    }
  }
}
