internal import CLinux
internal import Glibc

/// Reports the state of the service to systemd (`sd_notify(3)`).
public struct ServiceNotifier: Sendable {
  private let address: String

  /// - Returns: nil if there is no receiver: `NOTIFY_SOCKET` is unset or not the address of a Unix
  ///   socket.
  public init?() {
    guard let address = Environment.value("NOTIFY_SOCKET"),
      address.hasPrefix("/") || address.hasPrefix("@")
    else { return nil }
    self.address = address
  }

  /// Sends assignments, one per line, such as "READY=1". Waits for at most 20 ms, and ignores
  /// failures.
  public func send(_ state: String) {
    _ = unsafe touchgrid_notify(address, state, state.utf8.count)
  }

  /// The maximum time between two "WATCHDOG=1" messages that the service manager accepts, in µs;
  /// nil if it expects none from this process.
  public static var watchdogMicroseconds: Int64? {
    if let process = Environment.value("WATCHDOG_PID"), Int32(process) != getpid() { return nil }
    guard let limit = Environment.value("WATCHDOG_USEC").flatMap({ Int64($0) }), limit > 0 else {
      return nil
    }
    return limit
  }
}
