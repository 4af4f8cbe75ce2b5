internal import CLinux
internal import Glibc

/// Tells systemd how the service is (`sd_notify(3)`).
public struct ServiceNotifier: Sendable {
  private let address: String

  /// - Returns: nil where nobody wants to know: `NOTIFY_SOCKET` is not set, or is no Unix socket.
  public init?() {
    guard let address = Environment.value("NOTIFY_SOCKET"),
      address.hasPrefix("/") || address.hasPrefix("@")
    else { return nil }
    self.address = address
  }

  /// Sends assignments, one a line, such as "READY=1". Takes at most 20 ms; failures are passed over.
  public func send(_ state: String) {
    _ = unsafe touchgrid_notify(address, state, state.utf8.count)
  }

  /// Within how long the service manager wants to hear "WATCHDOG=1" each time; nil where it does not.
  public static var watchdogMicroseconds: Int64? {
    if let process = Environment.value("WATCHDOG_PID"), Int32(process) != getpid() { return nil }
    guard let limit = Environment.value("WATCHDOG_USEC").flatMap({ Int64($0) }), limit > 0 else {
      return nil
    }
    return limit
  }
}
