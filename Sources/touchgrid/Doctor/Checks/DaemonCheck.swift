import TouchModel
import TouchgridAPI

/// Checks that the daemon answers.
enum DaemonCheck {
  enum Answer: Equatable {
    case connected
    /// The socket does not exist.
    case noSocket
    /// The socket exists, but no daemon listens on it.
    case refused
    /// Another error, as text.
    case failed(String)
  }

  /// - Parameters:
  ///   - path: the path of the socket.
  ///   - unit: the output of `systemctl is-active touchgridd.service`; nil if systemd does not run.
  static func finding(_ answer: Answer, path: String, unit: String?) -> Finding {
    let path = path.printable(limit: 1000)
    switch answer {
    case .connected: return .ok("a daemon answers at \(path)")
    case .failed(let words):
      return .problem(words, "'journalctl -u touchgridd' shows the daemon's log")
    case .noSocket, .refused:
      let text =
        answer == .noSocket ? "no daemon runs: there is no \(path)" : "no daemon answers at \(path)"
      return .problem(text, hint(unit: unit))
    }
  }

  private static func hint(unit: String?) -> String {
    switch unit {
    case "failed":
      "touchgridd.service has failed: 'journalctl -u touchgridd' says why; 'systemctl restart touchgridd'"
    case "activating":
      "touchgridd.service tries to start again and again: 'journalctl -u touchgridd' says why it fails"
    case "active", "reloading":
      """
      touchgridd.service runs, and its socket does not: 'sudo systemctl restart touchgridd'; or it has \
      its socket elsewhere: --socket PATH or TOUCHGRID_SOCKET
      """
    case "inactive", "deactivating":
      "'sudo systemctl enable --now touchgridd.socket touchgridd.service'"
    default: "run 'touchgridd', or install its package, which starts it"
    }
  }
}
