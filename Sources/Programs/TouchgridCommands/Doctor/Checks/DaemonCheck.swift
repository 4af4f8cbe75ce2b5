import Text
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
    case .connected: return .ok("the daemon answers at \(path)")
    case .failed(let words):
      return .problem(words, "'sudo journalctl -u touchgridd' shows the daemon's log")
    case .noSocket, .refused:
      let text =
        answer == .noSocket
        ? "no daemon answers: the socket \(path) does not exist"
        : "no daemon answers: nothing listens on \(path)"
      return .problem(text, hint(unit: unit))
    }
  }

  private static func hint(unit: String?) -> String {
    switch unit {
    case "failed":

      "touchgridd.service has failed: 'sudo journalctl -u touchgridd' shows the reason; then run "
        + "'sudo systemctl restart touchgridd'"
    case "activating":

      "touchgridd.service is starting; if it does so again and again, 'sudo journalctl -u "
        + "touchgridd' shows the reason"
    case "active", "reloading":
      """
      touchgridd.service runs without this socket: run 'sudo systemctl restart touchgridd'. If its \
      socket is elsewhere, name it with --socket PATH or TOUCHGRID_SOCKET
      """
    case "inactive", "deactivating":
      "run 'sudo systemctl enable --now touchgridd.socket touchgridd.service'; if there is no such "
        + "unit, install the package touchgrid, which starts the daemon"
    default: "run 'touchgridd', or install the package touchgrid, which starts the daemon"
    }
  }
}
