internal import Glibc
internal import LinuxIO
internal import TouchModel
package import Varlink

extension ClientError {
  /// Returns one line for a person: what went wrong between a program and the daemon, and what to
  /// do.
  /// - Parameter path: the path of the daemon's socket.
  package func advice(path: String) -> String {
    let name = path.printable(limit: 4096)
    switch self {
    case .system(let error):
      let start = TouchgridClient.startAdvice(path: path)
      switch error.code {
      case ENOENT: return "no daemon runs: there is no \(name); \(start)"
      // The kernel reports the same error for a path that is not a socket.
      case ECONNREFUSED where TouchgridClient.isOther(path): return "\(name) is no socket"
      case ECONNREFUSED: return "no daemon answers at \(name); \(start)"
      case EACCES, EPERM:
        return "\(name) cannot be opened by this user; its folder or the socket forbid it: "
          + "'namei -l \(name)' shows which"
      case ENOTSOCK, EPROTOTYPE: return "\(name) is no socket of touchgridd"
      default: return "\(error)".printable(limit: 5000)
      }
    case .closed: return "the daemon has closed the connection; 'touchgrid doctor' may know why"
    case .timedOut:
      return "the daemon did not answer in time; its log may say why: journalctl -u touchgridd"
    case .malformed(let reason):
      return "what answers at \(name) is no touchgridd: \(reason.printable())"
    case .remote(let error):
      if let fault = error.parameters(API.NotPermitted.self), error.name == API.NotPermitted.name {
        return fault.advice
      }
      return "\(error)".printable(limit: 1000)
    }
  }
}

extension TouchgridClient {
  /// Returns whether `path` exists and is not a socket.
  package static func isOther(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFSOCK
  }

  /// Returns one line that says how to start a daemon that listens at `path`.
  package static func startAdvice(path: String) -> String {
    path == standardPath
      ? "'sudo systemctl restart touchgridd' starts it, 'touchgrid doctor' says what is wrong"
      : "'touchgridd --socket \(path.printable(limit: 4096))' starts one there"
  }
}

extension API.NotPermitted {
  /// What the current user has to do to get the role, in one line.
  package var advice: String {
    if role == API.Role.owner.rawValue { return message.printable(limit: 500) }
    let role = self.role.printable()
    guard let group = self.group?.printable() else {
      return
        "this takes the role \(role), which the configuration gives to no group; only root may do it"
    }
    let user = User.current
    return switch user.membership(in: group) {
    case .inDatabaseOnly:
      "\(user.name) is in the group \(group), but not in this login: log out and in again"
    case .noSuchGroup:
      "this takes the role \(role), which the group \(group) has, and there is no such group: "
        + "'sudo groupadd --system \(group)' and 'sudo usermod -aG \(group) \(user.name)', then log "
        + "in again"
    case .inLogin, .none:
      "this takes the role \(role), which the group \(group) has: 'sudo usermod -aG \(group) "
        + "\(user.name)', then log in again"
    }
  }
}
