internal import Glibc
internal import LinuxIO
internal import TouchgridAPI
internal import Varlink

/// The permissions of clients, determined by the user and the groups of the calling process.
struct Access: CallerPolicy, Sendable {
  private struct Group: Sendable {
    var name: String
    /// The group's ID; nil if the system has no such group.
    var number: UInt32?
  }

  private var groups: [API.Role: Group] = [:]
  /// The roles with a configured group that does not exist on the system, and the group's name.
  private(set) var missing: [(role: API.Role, group: String)] = []

  /// Looks up the IDs of the configured groups.
  init(_ roles: Configuration.Roles) {
    for (role, name) in [
      (API.Role.app, roles.app), (.read, roles.read), (.watch, roles.watch),
      (.signal, roles.signal), (.operate, roles.operate),
    ] {
      guard let name else { continue }
      let number = Self.number(ofGroup: name)
      groups[role] = Group(name: name, number: number)
      if number == nil { missing.append((role, name)) }
    }
  }

  /// Returns the configured group that has a role; nil if no group has it.
  func groupName(of role: API.Role) -> String? { groups[role]?.name }

  func privilege(of peer: PeerCredentials) -> CallerPrivilege {
    if peer.isOwner { return .owner }
    if has(.app, peer) { return .urgent }
    let others: [API.Role] = [.read, .watch, .signal, .operate]
    return others.contains { has($0, peer) } ? .withRole : .withoutRole
  }

  /// Checks whether the caller may call the method.
  /// - Throws: `NotPermitted`, which names the required group, if the caller has none of the
  ///   method's roles; `MethodNotFound` for an unknown method.
  func check(_ method: String, by peer: PeerCredentials) throws(VarlinkError) {
    guard let rule = MethodRule.of(method) else { throw .methodNotFound(method) }
    guard !peer.isOwner, !rule.roles.contains(where: { has($0, peer) }) else { return }
    let role = rule.roles[0]
    throw API.NotPermitted(role, group: groupName(of: role)).varlinkError
  }

  func isUrgent(_ method: String) -> Bool { MethodRule.of(method)?.isUrgent ?? false }

  private func has(_ role: API.Role, _ peer: PeerCredentials) -> Bool {
    guard let number = groups[role]?.number else { return false }
    return peer.group == number || peer.groups.contains(number)
  }

  /// Returns the ID of a group (`getgrnam_r`); nil if it does not exist or cannot be looked up.
  private static func number(ofGroup name: String) -> UInt32? {
    var entry = unsafe group()
    var found: UnsafeMutablePointer<group>?
    // The list of the group's members is not used, but must fit into the buffer. It may be long.
    var buffer = [CChar](repeating: 0, count: 4096)
    while true {
      let code = unsafe getgrnam_r(name, &entry, &buffer, buffer.count, &found)
      if code == EINTR { continue }
      guard code == ERANGE, buffer.count < 1 << 20 else { break }
      buffer = Array(repeating: 0, count: 4 * buffer.count)
    }
    return unsafe found == nil ? nil : entry.gr_gid
  }
}
