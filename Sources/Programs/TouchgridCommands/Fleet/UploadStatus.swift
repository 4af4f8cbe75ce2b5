import Glibc
import Storage
import Text
import TouchModel

/// The status that the package `touchgrid-upload` wrote about its last run, in a file that every
/// user may read.
struct UploadStatus: Equatable {
  static let path = "/var/lib/touchgrid-upload/status.json"
  private static let limit = 4096
  /// The years 1970 to 9999, in ms since 1970.
  private static let times = Int64(0)...253_402_300_799_999

  /// The kind of target: `s3`, `folder` or `ssh`; nil if no target is set.
  var target: String?
  /// The number of days that are still to be sent.
  var waiting: Int64
  var oldestDay: Day?
  /// The time at which everything had last been sent; nil if it never was.
  var sent: WallTime?
  /// The error of the last attempt; nil if it succeeded.
  var error: String?
  var nextAttempt: WallTime?
  /// The time at which the file was written.
  var written: WallTime

  /// The result of reading the file.
  enum Fact: Equatable {
    /// The package is not installed, or has not run yet.
    case none
    /// The file cannot be read, or is not the package's.
    case unreadable
    case known(UploadStatus)
  }

  /// Reads the file, which belongs to another user: does not follow links, and does not wait for
  /// pipes.
  static func read(_ path: String = path) -> Fact {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return errno == ENOENT ? .none : .unreadable }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return .unreadable
    }
    var buffer = Array(repeating: UInt8(0), count: limit)
    let count = unsafe Glibc.read(descriptor, &buffer, limit)
    let (written, overflows) = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1000)
    guard count > 0, !overflows, times.contains(written),
      let known = UploadStatus(buffer[..<count], written: WallTime(milliseconds: written))
    else { return .unreadable }
    return .known(known)
  }

  init?(_ bytes: ArraySlice<UInt8>, written: WallTime) {
    // The file ends with a line feed.
    let text = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes
    guard let file = try? JSON.decode(File.self, from: text), file.waiting >= 0,
      file.oldestDay == nil || file.oldestDay.flatMap({ Day($0) }) != nil,
      [file.sentAtMs, file.nextAttemptAtMs].allSatisfy({ $0.map(Self.times.contains) ?? true })
    else { return nil }
    target = file.target
    waiting = file.waiting
    oldestDay = file.oldestDay.flatMap { Day($0) }
    sent = file.sentAtMs.map { WallTime(milliseconds: $0) }
    error = file.error
    nextAttempt = file.nextAttemptAtMs.map { WallTime(milliseconds: $0) }
    self.written = written
  }

  private struct File: Decodable {
    var target: String?
    var waiting: Int64
    var oldestDay: String?
    var sentAtMs: Int64?
    var error: String?
    var nextAttemptAtMs: Int64?
  }

  // MARK: For people

  /// The days that are still to be sent, in a few words, for `touchgrid status`.
  var words: String {
    var parts = [waiting == 0 ? "every day was sent" : waitingWords]
    if target == nil { parts.append("no target is set") }
    if let error {
      parts.append("the last attempt failed: \(error.printable(limit: 1000))")
    }
    if let next = nextAttempt.flatMap({ LocalTime($0)?.text }) {
      parts.append("the next attempt is due at \(next)")
    }
    return parts.joined(separator: "; ")
  }

  fileprivate var waitingWords: String {
    counted(waiting, "day waits", "days wait") + (oldestDay.map { ", the oldest is \($0)" } ?? "")
  }
}

/// Checks that the days of this kiosk reach the fleet.
enum UploadCheck {
  /// The longest time in ms between two runs. The timer starts the upload several times a day.
  private static let longestPause: Int64 = 2 * 86_400_000
  /// The time in ms without success from which an outage is reported.
  private static let longestOutage: Int64 = 7 * 86_400_000

  /// - Returns: nil if the package is not installed.
  static func finding(_ fact: UploadStatus.Fact, now: WallTime) -> Finding? {
    switch fact {
    case .none: return nil
    case .unreadable:
      return .warning(
        "the status of the upload, \(UploadStatus.path), cannot be read",
        "run 'sudo systemctl start touchgrid-upload', and see 'journalctl -u touchgrid-upload'")
    case .known(let status): return finding(status, now: now)
    }
  }

  private static func finding(_ status: UploadStatus, now: WallTime) -> Finding {
    let waiting = status.waitingWords
    guard status.target != nil else {
      return .warning(
        "no target of the upload is set: " + waiting,
        "set TARGET in /etc/touchgrid/upload.conf, or remove the package touchgrid-upload")
    }
    if now.milliseconds - status.written.milliseconds > longestPause {
      return .warning(
        "touchgrid-upload has not run for "
          + longDuration(now.milliseconds - status.written.milliseconds),
        "run 'sudo systemctl enable --now touchgrid-upload.timer'")
    }
    guard let error = status.error else {
      return .ok("upload: " + (status.waiting == 0 ? "every day was sent" : waiting))
    }
    let text = "the upload failed: \(error.printable(limit: 1000)); \(waiting)"
    let hint =
      "nothing is lost: it is tried again"
      + (status.nextAttempt.flatMap { LocalTime($0)?.text }.map { " at \($0)" } ?? "")
      + ". 'sudo touchgrid-upload --check' checks the configuration"
    let since = status.sent?.milliseconds ?? 0
    return now.milliseconds - since > longestOutage ? .problem(text, hint) : .warning(text, hint)
  }
}
