import Glibc
import LinuxIO
import TouchModel

/// How the overlay is, as systemd and the process itself tell.
struct OverlayState {
  enum Activity: Equatable { case on, starting, off }

  static let properties = [
    "LoadState", "ActiveState", "StatusText", "MainPID", "ActiveEnterTimestampMonotonic", "Result",
    "ExecMainStatus", "ExecMainCode",
  ]

  var isInstalled: Bool
  var activity: Activity
  /// When it began to draw.
  var since: WallTime?
  /// What it says of itself; empty where it says nothing.
  var text: String
  /// Its arguments.
  var options: [String]
  /// Why it is off, where it ended by itself.
  var failure: String?

  /// - Parameter values: `properties`.
  init(_ values: [Substring: String]) {
    isInstalled = values["LoadState"] != "not-found"
    text = (values["StatusText"] ?? "").printable(limit: 1000)
    switch values["ActiveState"] {
    case "active", "reloading": activity = .on
    case "activating": activity = .starting
    default: activity = .off
    }
    if activity == .on,
      let began = values["ActiveEnterTimestampMonotonic"].flatMap({ Int64($0) }), began > 0
    {
      since = WallTime(milliseconds: Clocks.wall - (Clocks.monotonic - began) / 1000)
    }
    options = activity == .off ? [] : Self.arguments(ofProcess: values["MainPID"] ?? "0")
    if values["ActiveState"] == "failed" {
      failure = text.isEmpty ? Self.failure(values) : text
    }
  }

  private static func failure(_ values: [Substring: String]) -> String {
    let (code, status) = (values["ExecMainCode"], values["ExecMainStatus"] ?? "?")
    // CLD_EXITED of waitid(2).
    let end =
      code == "1" ? "it ended with status \(status)" : "it ended (\(values["Result"] ?? "?"))"
    return "\(end); 'journalctl --user -e -u \(OverlayService.unit)' may say why"
  }

  private static func arguments(ofProcess process: String) -> [String] {
    guard process != "0", let bytes = try? readFile("/proc/\(process)/cmdline", limit: 1 << 16)
    else { return [] }
    return bytes.split(separator: 0, omittingEmptySubsequences: false).dropFirst().dropLast()
      .map { String(decoding: $0, as: UTF8.self).printable(limit: 4096) }
  }
}
