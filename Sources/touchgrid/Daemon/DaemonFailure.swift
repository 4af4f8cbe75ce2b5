import Glibc
import LinuxIO
import TouchModel
import TouchgridAPI
import Varlink

extension Failure {
  /// What went wrong between us and the daemon, and what to do.
  /// - Parameter path: of the socket.
  init(_ error: ClientError, path: String) {
    let path = path.printable(limit: 4096)
    switch error {
    case .system(let error): self.init(error, path: path)
    case .closed: self.init("the daemon has closed the connection; 'touchgrid doctor' may know why")
    case .timedOut:
      self.init("the daemon did not answer in time; its log may say why: journalctl -u touchgridd")
    case .malformed(let reason):
      self.init("what answers at \(path) is no touchgridd: \(reason.printable())")
    case .remote(let error): self.init(error)
    }
  }

  private init(_ error: SystemError, path: String) {
    let start =
      path == TouchgridClient.standardPath
      ? "'sudo systemctl restart touchgridd' starts it, 'touchgrid doctor' says what is wrong"
      : "'touchgridd --socket \(path)' starts one there"
    switch error.code {
    case ENOENT: self.init("no daemon runs: there is no \(path); \(start)")
    case ECONNREFUSED: self.init("no daemon answers at \(path); \(start)")
    case EACCES, EPERM:
      self.init("\(path) cannot be opened by this user; its folder or the socket forbid it")
    case ENOTSOCK, EPROTOTYPE: self.init("\(path) is no socket of touchgridd")
    default: self.init("\(error)")
    }
  }

  private init(_ error: RemoteError) {
    if let fault = error.fault(API.NotPermitted.self) {
      self.init(fault)
    } else if let fault = error.fault(API.TooLate.self) {
      self.init(
        "the screen changed longer ago than is taken, which is "
          + "\(fault.limitUs / 1000) ms (late_names in the configuration); without --changed-ago it "
          + "changes now")
    } else if error.name == API.NoSession.name {
      self.init("no session runs; 'touchgrid session begin' begins one")
    } else if let fault = error.fault(API.NoSuchSession.self) {
      self.init("there is no session \(fault.session); 'touchgrid sessions' lists them")
    } else if error.name == API.NoSuchMask.name {
      self.init(
        "no client has added exactly this mask; 'touchgrid mask' lists them, and those of the "
          + "configuration are removed in its file, /etc/touchgrid/touchgridd.toml")
    } else if error.name == API.ReplyTooLong.name {
      self.init("the answer is too long; name a screen or a display, or a shorter time")
    } else if error.name.hasPrefix(API.interface + "."), let message = error.message {
      self.init(message.printable(limit: 1000))
    } else {
      self.init(
        "the daemon does not understand this (\(error.description.printable(limit: 500))); is it of "
          + "another version? 'touchgrid status' and 'touchgrid --version' tell")
    }
  }

  init(_ fault: API.NotPermitted) {
    let role = fault.role.printable()
    guard let group = fault.group?.printable() else {
      self.init(
        "this takes the role \(role), which the configuration gives to no group; only root may do it"
      )
      return
    }
    let user = User.current
    switch user.membership(in: group) {
    case .inDatabaseOnly:
      self.init(
        "\(user.name) is in the group \(group), but not in this login: log out and in again")
    case .noSuchGroup:
      self.init(
        "this takes the role \(role), which the group \(group) has, and there is no such group: "
          + "'sudo groupadd --system \(group)' and 'sudo usermod -aG \(group) \(user.name)', then log "
          + "in again")
    case .inLogin, .none:
      self.init(
        "this takes the role \(role), which the group \(group) has: 'sudo usermod -aG \(group) "
          + "\(user.name)', then log in again")
    }
  }
}

extension RemoteError {
  /// - Returns: nil where it is another error.
  func fault<F: Fault>(_ type: F.Type) -> F? {
    name == F.name ? parameters(type) : nil
  }
}
