import Glibc
import Text
import TouchModel
import TouchgridAPI

/// Checks that the configuration is valid.
enum ConfigurationCheck {
  /// - Parameter result: the result of `touchgridd --check`; nil if it cannot be run.
  static func finding(_ result: Command.Result?) -> Finding {
    guard let result else {
      return .warning(
        "the configuration was not checked: touchgridd was not found",
        "add the folder of touchgridd to PATH")
    }
    if result.status == 0 { return .ok("the configuration is valid") }
    let words = result.text.split(separator: "\n").map { line in
      let prefix = "touchgridd: "
      return String(line.hasPrefix(prefix) ? line.dropFirst(prefix.count) : line).printable(
        limit: 500)
    }
    let text = words.prefix(5).joined(separator: "; ")
    return result.status == EX_CONFIG
      ? .problem(
        "the configuration is invalid: \(text)",
        "fix it, then run 'sudo systemctl reload-or-restart touchgridd'; a running daemon keeps the old "
          + "configuration")
      : .warning(
        "the configuration could not be checked: \(text)", "run 'sudo touchgridd --check'")
  }

  /// Warns that the daemon still uses the values of an earlier configuration; nil if it does not.
  static func neededRestart(_ status: API.GetStatus.Reply) -> Finding? {
    guard !status.restartNeededFor.isEmpty else { return nil }
    return .warning(
      "the daemon still uses the former values of \(status.restartText)",
      "run 'sudo systemctl restart touchgridd'")
  }
}

extension API.GetStatus.Reply {
  /// The keys of the configuration whose new values take effect after a restart, as text.
  var restartText: String {
    restartNeededFor.prefix(5).map { $0.printable() }.joined(separator: ", ")
  }
}
