import Glibc
import LinuxIO
import Text
import TouchModel

/// The state of the overlay, as systemd and the process itself report it.
struct OverlayState {
  enum Activity: Equatable { case on, starting, ending, off }

  private static let properties = [
    "LoadState", "ActiveState", "StatusText", "MainPID", "ActiveEnterTimestampMonotonic", "Result",
    "ExecMainStatus", "ExecMainCode",
  ]

  var isInstalled: Bool
  var activity: Activity
  /// The time at which it began to draw; nil if it is not on.
  var since: WallTime?
  /// The status text of the process; empty if there is none.
  var text: String
  /// The arguments of the process; empty if it is not on.
  var options: [String]
  /// The reason why it is off; nil unless it has failed.
  var failure: String?

  init(_ manager: UserManager) throws(Failure) {
    self.init(try manager.properties(Self.properties, of: OverlayService.unit))
  }

  /// - Parameter values: the values of `properties`.
  init(_ values: [Substring: String]) {
    isInstalled = values["LoadState"] != "not-found"
    text = (values["StatusText"] ?? "").printable(limit: 1000)
    switch values["ActiveState"] {
    case "active", "reloading", "refreshing": activity = .on
    case "activating": activity = .starting
    case "deactivating": activity = .ending
    default: activity = .off
    }
    if activity == .on,
      let began = values["ActiveEnterTimestampMonotonic"].flatMap({ Int64($0) }), began > 0
    {
      since = WallTime(milliseconds: Clocks.wall - (Clocks.monotonic - began) / 1000)
    }
    options = activity == .on ? Self.arguments(ofProcess: values["MainPID"] ?? "0") : []
    if values["ActiveState"] == "failed" { failure = OverlayEnd(values).reason(itsWords: text) }
  }

  private static func arguments(ofProcess process: String) -> [String] {
    guard process != "0", let bytes = try? readFile("/proc/\(process)/cmdline", limit: 1 << 16)
    else { return [] }
    return bytes.split(separator: 0, omittingEmptySubsequences: false).dropFirst().dropLast()
      .map { String(decoding: $0, as: UTF8.self).printable(limit: 4096) }
  }
}
