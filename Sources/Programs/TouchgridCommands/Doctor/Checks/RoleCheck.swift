import LinuxIO
import TouchgridAPI

/// Checks that this user has a role.
enum RoleCheck {
  enum Answer: Equatable {
    case allowed
    /// The user does not have the role. `group` is the group that has it; nil if no group has it.
    case denied(group: String?)
  }

  static func finding(
    _ role: API.Role, _ answer: Answer, user: String, membership: (String) -> User.Membership
  ) -> Finding {
    guard case .denied(let group) = answer else { return .ok("\(user) may \(role.deeds)") }
    let text = "\(user) may not \(role.deeds)"
    guard let group else {
      return .warning(
        text,
        "the configuration gives the role \(role.rawValue) only to root; name a group in its "
          + "section [roles]")
    }
    switch membership(group) {
    case .noSuchGroup:
      return .problem(
        "\(text): the group \(group) does not exist",
        "run 'sudo groupadd --system \(group)' and 'sudo usermod -aG \(group) \(user)', then log in "
          + "again; the package creates the group (systemd-sysusers)")
    case .inDatabaseOnly:
      return .problem(
        "\(text): the group \(group) is missing from this login",
        "\(user) was added to it after the login: log out and in again, or run 'newgrp \(group)'")
    case .inLogin:
      return .problem(
        "\(text), although \(user) is in the group \(group)",
        "the daemon reads the groups of the calling process; is this process in a container?")
    case .none:
      let hint = "run 'sudo usermod -aG \(group) \(user)', then log in again"
      // Only a missing role read is a problem: without it the user sees nothing. Few users need the
      // other roles.
      return role == .read
        ? .problem(text, hint) : .warning(text, "if \(user) should: \(hint)")
    }
  }
}

extension API.Role {
  fileprivate var deeds: String {
    switch self {
    case .app: "name screens, begin sessions, pause (app)"
    case .read: "see status, sessions and heatmaps (read)"
    case .watch: "watch live touches (watch)"
    case .owner: "forget sessions (owner)"
    }
  }
}
