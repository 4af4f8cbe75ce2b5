internal import LinuxIO
internal import TouchModel

/// Notifies the service manager (`sd_notify`) of readiness, reloads and the stop, and sends
/// keep-alive messages to its watchdog.
///
/// The watchdog is armed when the daemon wakes up. It is disarmed once the daemon has done nothing
/// for half the watchdog's time. If it were always armed, a sleeping daemon would have to wake up
/// only to send keep-alive messages.
struct ServiceManagerNotifier {
  private let notifier: ServiceNotifier?
  /// The time without a keep-alive message after which the service manager restarts the daemon, in
  /// µs; nil if there is no watchdog.
  private let watchdog: Int64?
  /// The time of the next keep-alive message, on `CLOCK_BOOTTIME`; nil while the watchdog is
  /// disarmed.
  private(set) var nextKeepAlive: Timestamp?
  private var hasWorked = false

  init(notifier: ServiceNotifier?, watchdog: Int64?) {
    self.notifier = notifier
    self.watchdog = watchdog
  }

  /// Returns a notifier for the service manager that the environment names. It does nothing if
  /// there is none.
  static func fromEnvironment() -> ServiceManagerNotifier {
    ServiceManagerNotifier(
      notifier: ServiceNotifier(), watchdog: ServiceNotifier.watchdogMicroseconds)
  }

  /// Announces that the daemon is ready.
  /// - Parameter status: one line that the service manager shows.
  mutating func ready(_ status: String, at moment: Moment) {
    notifier?.send("READY=1\nSTATUS=\(status)")
    wake(at: moment.boottime)
  }

  func reloading(at moment: Moment) {
    notifier?.send("RELOADING=1\nMONOTONIC_USEC=\(moment.monotonic.microseconds)")
  }

  func reloaded(_ status: String) { notifier?.send("READY=1\nSTATUS=\(status)") }

  /// Announces the stop and disarms the watchdog, because writing to a slow disk may take longer
  /// than the watchdog allows. The unit's stop timeout (`TimeoutStopSec=`) limits that time
  /// instead.
  mutating func stopping() {
    let disarms = nextKeepAlive == nil ? "" : "\nWATCHDOG_USEC=0"
    notifier?.send("STOPPING=1\nSTATUS=writing pending records" + disarms)
    nextKeepAlive = nil
  }

  /// Arms the watchdog if it is disarmed. Otherwise sends the keep-alive message that is due, or
  /// disarms the watchdog if the daemon has been idle. Call it once in each round of the event
  /// loop.
  /// - Parameter isTimer: whether only the timer has woken the daemon.
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
