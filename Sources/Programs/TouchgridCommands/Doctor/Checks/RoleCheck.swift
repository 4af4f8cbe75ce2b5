import LinuxIO
import TouchgridAPI

/// Checks that this user has a role.
enum RoleCheck {
  enum Answer: Equatable {
    case allowed
    /// The user does not have the role. `group` is the group that has it; nil if there is none.
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
        "the configuration gives the role \"\(role.rawValue)\" to no group; name one in its "
          + "section [roles], and run 'sudo systemctl reload touchgridd'")
    }
    switch membership(group) {
    case .noSuchGroup:
      return .problem(
        "\(text): the group \(group) does not exist",
        "run 'sudo groupadd --system \(group)', 'sudo usermod -aG \(group) \(user)' and 'sudo "
          + "systemctl reload touchgridd', then log in again")
    case .inDatabaseOnly:
      return .problem(
        "\(text): the group \(group) is missing from this login",
        "\(user) was added to it after the login: log out and in again, or run 'newgrp \(group)'")
    case .inLogin:
      return .problem(
        "\(text), although \(user) is in the group \(group)",
        "if the group was created after the daemon started, run 'sudo systemctl reload "
          + "touchgridd'; in a container, processes may lack the groups of their user")
    case .none:
      let hint = "run 'sudo usermod -aG \(group) \(user)', then log in again"
      // Only the role `read` is required: without it the user sees nothing. Few users need the
      // other roles.
      return role == .read
        ? .problem(text, hint) : .warning(text, "if \(user) should: \(hint)")
    }
  }
}

extension API.Role {
  fileprivate var deeds: String {
    switch self {
    case .app: "name screens, begin sessions and pause (role \"app\")"
    case .read: "see status, sessions and heatmaps (role \"read\")"
    case .watch: "watch live touches (role \"watch\")"
    case .signal: "learn whether somebody touches (role \"signal\")"
    case .operate: "keep touches from the app, and pause (role \"operate\")"
    case .owner: "forget sessions (role \"owner\")"
    }
  }
}
