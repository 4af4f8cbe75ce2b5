import Glibc
import TouchModel

/// How the overlay's process ended, as systemd tells.
enum OverlayEnd: Equatable {
  case exit(Int32)
  /// A signal that nobody sent who wanted it to end.
  case signal(Int32)
  /// It did not say that it draws, or did not end, in time.
  case timeout
  /// systemd's word for anything else (`Result` in systemd.service(5)).
  case other(String)

  /// - Parameter values: properties of the unit.
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

  /// Why it is off, in one line.
  /// - Parameter itsWords: what it said last; of how it ended, only where it ended of its own accord.
  func reason(itsWords: String) -> String {
    let log = "; 'journalctl --user -e -u \(OverlayService.unit)' may say why"
    switch self {
    case .exit(69), .exit(71), .exit(77):
      return itsWords.isEmpty ? "it refused\(log)" : itsWords
    // GDK's way out when the compositor or the X server is no more.
    case .exit(1): return "its desktop has gone"
    case .exit(let status): return "it ended with status \(status)\(log)"
    case .signal(let number):
      let name = unsafe strsignal(number).map { unsafe String(cString: $0) } ?? ""
      return "it was ended by signal \(number) (\(name))\(log)"
    case .timeout: return "it did not start or end in time\(log)"
    case .other(let word): return "it ended (\(word.printable()))\(log)"
    }
  }
}
