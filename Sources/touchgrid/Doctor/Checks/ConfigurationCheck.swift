import Glibc
import TouchModel

/// Checks that the configuration is valid.
enum ConfigurationCheck {
  /// - Parameter result: the result of `touchgridd --check`; nil if it cannot be run.
  static func finding(_ result: Command.Result?) -> Finding {
    guard let result else {
      return .warning(
        "the configuration was not checked: no touchgridd was found",
        "add its folder to PATH")
    }
    if result.status == 0 { return .ok("the configuration is right") }
    let words = result.text.split(separator: "\n").map { line in
      let prefix = "touchgridd: "
      return String(line.hasPrefix(prefix) ? line.dropFirst(prefix.count) : line).printable(
        limit: 500)
    }
    let text = words.prefix(5).joined(separator: "; ")
    return result.status == EX_CONFIG
      ? .problem(
        "the configuration is wrong: \(text)",
        "mend it, then 'sudo systemctl reload-or-restart touchgridd'; a daemon that runs goes on with "
          + "the old one")
      : .warning(
        "the configuration could not be checked: \(text)", "run 'touchgridd --check' as root")
  }
}
