internal import Glibc
internal import LinuxIO
internal import Text
internal import TouchModel

extension TouchgridError {
  /// Returns one line for a person: the reason why a call or a connection failed, and the remedy.
  /// - Parameter path: the path of the daemon's socket.
  package func advice(path: String) -> String {
    let name = path.printable(limit: 4096)
    switch self {
    case .system(let code, let text):
      let start = TouchgridClient.startAdvice(path: path)
      switch code {
      case ENOENT: return "no daemon answers: the socket \(name) does not exist; \(start)"
      // The kernel also reports ECONNREFUSED for a path that is not a socket.
      case ECONNREFUSED where TouchgridClient.isOther(path): return "\(name) is not a socket"
      case ECONNREFUSED: return "no daemon answers: nothing listens on \(name); \(start)"
      case EACCES, EPERM:
        return
          "no permission to open \(name); 'namei -l \(name)' shows which folder or file forbids it"
      case ENOTSOCK, EPROTOTYPE: return "\(name) is not a socket of touchgridd"
      default: return text.printable(limit: 5000)
      }
    case .closed: return "the daemon closed the connection; 'touchgrid doctor' may find the reason"
    case .timedOut:
      return
        "the daemon did not answer in time; 'sudo journalctl -u touchgridd' may show the reason"
    case .malformed(let reason):
      return "the program that listens on \(name) is not touchgridd: \(reason.printable())"
    case .fault(let fault as API.NotPermitted): return fault.advice
    case .fault, .unknown: return "\(self)".printable(limit: 1000)
    }
  }
}

extension TouchgridError {
  /// Whether the connection failed because no daemon listens on the socket.
  package var isAbsence: Bool {
    guard case .system(let code, _) = self else { return false }
    return code == ENOENT || code == ECONNREFUSED
  }

  /// Returns one line for a person: the reason why there is no connection, and that further
  /// attempts follow.
  /// - Parameter path: the path of the daemon's socket.
  func adviceOnLoss(path: String) -> String {
    if case .closed = self {
      return "lost the connection to the daemon at \(path.printable(limit: 4096)): trying again"
    }
    guard isAbsence, !TouchgridClient.isOther(path) else {
      return "\(advice(path: path)) (trying again)"
    }
    return TouchgridClient.absenceAdvice(path: path)
  }
}

extension TouchgridClient {
  /// Returns one line for a person: no daemon listens on `path`, and further attempts follow.
  package static func absenceAdvice(path: String) -> String {
    "no daemon at \(path.printable(limit: 4096)): trying again; \(startAdvice(path: path))"
  }

  /// Returns whether `path` exists and is not a socket.
  package static func isOther(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFSOCK
  }

  /// Returns one line that explains how to start a daemon that listens at `path`.
  package static func startAdvice(path: String) -> String {
    path == standardPath
      ? "'sudo systemctl restart touchgridd' starts it, 'touchgrid doctor' finds problems"
      : "'touchgridd --socket \(path.printable(limit: 4096))' starts it there"
  }
}

extension API.NotPermitted {
  /// The way for the current user to get the role, in one line.
  package var advice: String {
    if role == API.Role.owner.rawValue { return message.printable(limit: 500) }
    let role = self.role.printable()
    guard let group = self.group?.printable() else {
      return
        "this needs the role \(role), which the configuration gives to no group; use sudo, or "
        + "name a group in its section [roles]"
    }
    let user = User.current
    return switch user.membership(in: group) {
    case .inDatabaseOnly:
      "\(user.name) is in the group \(group), but not in this login: log out and in again"
    case .noSuchGroup:
      "this needs the role \(role), given to the group \(group), which does not exist: run "
        + "'sudo groupadd --system \(group)' and 'sudo usermod -aG \(group) \(user.name)', reload "
        + "the daemon, then log in again"
    case .inLogin, .none:
      "this needs the role \(role), given to the group \(group): run 'sudo usermod -aG \(group) "
        + "\(user.name)', then log in again"
    }
  }
}
