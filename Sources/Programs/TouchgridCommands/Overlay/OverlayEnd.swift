import Glibc
import Text
import TouchModel

/// The result of the overlay's process, as systemd reports it.
enum OverlayEnd: Equatable {
  case exit(Int32)
  /// A signal ended it, but not through `systemctl stop`.
  case signal(Int32)
  /// It did not start or did not end within the unit's timeout.
  case timeout
  /// Any other `Result` of systemd (systemd.service(5)).
  case other(String)

  /// - Parameter values: the properties of the unit.
  init(_ values: [Substring: String]) {
    let (result, status) = (values["Result"] ?? "", values["ExecMainStatus"].flatMap { Int32($0) })
    // CLD_EXITED, CLD_KILLED and CLD_DUMPED of waitid(2).
    switch (values["ExecMainCode"], status) {
    case _ where result == "timeout": self = .timeout
    case ("1", let status?) where status != 0: self = .exit(status)
    case ("2", let signal?), ("3", let signal?): self = .signal(signal)
    default: self = .other(result.isEmpty ? "unknown" : result)
    }
  }

  /// Returns the reason why the overlay is off, in one line.
  /// - Parameter itsWords: the last status text of the process. It is the reason only if the
  ///   process exited by itself.
  func reason(itsWords: String) -> String {
    let log = "; 'journalctl --user -e -u \(OverlayService.unit)' may show the reason"
    switch self {
    case .exit(let status) where [69, 71, 77].contains(status) && !itsWords.isEmpty:
      return itsWords
    // GDK exits with 1 when the compositor or the X server has ended.
    case .exit(1): return "its desktop session has ended"
    case .exit(let status): return "it ended with status \(status)\(log)"
    case .signal(let number):
      let name = unsafe strsignal(number).map { unsafe String(cString: $0) } ?? ""
      return "signal \(number) (\(name)) ended it\(log)"
    case .timeout: return "it did not start or end in time\(log)"
    case .other(let word): return "it ended (\(word.printable()))\(log)"
    }
  }
}
