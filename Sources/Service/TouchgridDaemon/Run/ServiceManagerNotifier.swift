internal import LinuxIO
internal import TouchModel

/// Notifies the service manager (`sd_notify`) of readiness, reloads, the stop, and signs of life.
///
/// The watchdog is armed when the daemon wakes up, and disarmed once it has been idle for half the
/// watchdog's time. With the watchdog armed all the time, a sleeping daemon would have to wake up
/// just for signs of life.
struct ServiceManagerNotifier {
  private let notifier: ServiceNotifier?
  /// The service manager restarts the daemon after this time without a sign of life, in µs; nil:
  /// never.
  private let watchdog: Int64?
  /// When the next sign of life is due, on `CLOCK_BOOTTIME`; nil while the watchdog is disarmed.
  private(set) var nextKeepAlive: Timestamp?
  private var hasWorked = false

  init(notifier: ServiceNotifier?, watchdog: Int64?) {
    self.notifier = notifier
    self.watchdog = watchdog
  }

  /// Returns a supervisor configured by the environment.
  static func fromEnvironment() -> ServiceManagerNotifier {
    ServiceManagerNotifier(
      notifier: ServiceNotifier(), watchdog: ServiceNotifier.watchdogMicroseconds)
  }

  /// Extends the start timeout to 15 minutes: the next step may take that long on a slow memory
  /// card, and must not be interrupted.
  /// - Parameter status: one line for the administrator.
  static func extendStartTimeout(_ status: String) {
    ServiceNotifier()?.send("EXTEND_TIMEOUT_USEC=900000000\nSTATUS=\(status)")
  }

  /// Announces that the daemon is ready.
  /// - Parameter status: one line for the administrator.
  mutating func ready(_ status: String, at moment: Moment) {
    notifier?.send("READY=1\nSTATUS=\(status)")
    wake(at: moment.boottime)
  }

  func reloading(at moment: Moment) {
    notifier?.send("RELOADING=1\nMONOTONIC_USEC=\(moment.monotonic.microseconds)")
  }

  func reloaded(_ status: String) { notifier?.send("READY=1\nSTATUS=\(status)") }

  /// Announces the stop and disarms the watchdog: writing to a slow disk may take long. The unit's
  /// stop timeout (`TimeoutStopSec=`) limits it.
  mutating func stopping() {
    let disarms = nextKeepAlive == nil ? "" : "\nWATCHDOG_USEC=0"
    notifier?.send("STOPPING=1\nSTATUS=writing pending records" + disarms)
    nextKeepAlive = nil
  }

  /// Notes that the daemon is awake, and sends what is due. Call it once a round.
  /// - Parameter isTimer: whether the timer alone has woken the daemon.
  mutating func wake(at now: Timestamp, byTimer isTimer: Bool = false) {
    guard let watchdog else { return }
    guard let due = nextKeepAlive else {
      notifier?.send("WATCHDOG_USEC=\(watchdog)\nWATCHDOG=1")
      nextKeepAlive = now + watchdog / 2
      hasWorked = false
      return
    }
    hasWorked = hasWorked || !isTimer
    guard due <= now else { return }
    if hasWorked {
      notifier?.send("WATCHDOG=1")
      nextKeepAlive = now + watchdog / 2
      hasWorked = false
    } else {
      notifier?.send("WATCHDOG_USEC=0")
      nextKeepAlive = nil
    }
  }
}
