internal import Glibc

/// A user, with groups from the user database and from the current login.
package struct User: Sendable {
  package enum Membership: Sendable {
    /// The login has the group.
    case inLogin
    /// The user database lists the user as a member, but the login lacks the group because it began
    /// earlier.
    case inDatabaseOnly
    case none
    case noSuchGroup
  }

  package var name: String
  /// The groups in the user database, which a new login would have.
  package var databaseGroups: Set<UInt32>
  /// The groups of this process. For a user that was looked up by name, the same as
  /// `databaseGroups`.
  package var loginGroups: Set<UInt32>

  package static var current: User {
    let id = geteuid()
    var count = getgroups(0, nil)
    var groups = Array(repeating: gid_t(), count: Int(max(count, 0)))
    count = unsafe getgroups(count, &groups)
    let login = Set(groups.prefix(Int(max(count, 0)))).union([getegid()])
    guard let entry = unsafe getpwuid(id) else {
      return User(name: String(id), databaseGroups: login, loginGroups: login)
    }
    let name = unsafe String(cString: entry.pointee.pw_name)
    return User(
      name: name, databaseGroups: groupsOfUser(name, unsafe entry.pointee.pw_gid),
      loginGroups: login)
  }

  /// Returns the name of a user; the number if the user is not in the database.
  package static func name(of id: UInt32) -> String {
    unsafe getpwuid(id).map { unsafe String(cString: $0.pointee.pw_name) } ?? String(id)
  }

  /// Looks up a user in the user database.
  /// - Returns: nil if there is no such user.
  package init?(named name: String) {
    guard let entry = unsafe getpwnam(name) else { return nil }
    let groups = User.groupsOfUser(name, unsafe entry.pointee.pw_gid)
    self.init(name: name, databaseGroups: groups, loginGroups: groups)
  }

  package init(name: String, databaseGroups: Set<UInt32>, loginGroups: Set<UInt32>) {
    self.name = name
    self.databaseGroups = databaseGroups
    self.loginGroups = loginGroups
  }

  private static func groupsOfUser(_ name: String, _ primary: gid_t) -> Set<UInt32> {
    var count: Int32 = 1024
    var groups = Array(repeating: gid_t(), count: Int(count))
    let result = unsafe getgrouplist(name, primary, &groups, &count)
    return result < 0 ? [primary] : Set(groups.prefix(Int(count)))
  }

  package func membership(in group: String) -> Membership {
    membership(ofID: unsafe getgrnam(group).map { unsafe $0.pointee.gr_gid })
  }

  /// - Parameter id: the ID of the group; nil if it does not exist.
  package func membership(ofID id: UInt32?) -> Membership {
    guard let id else { return .noSuchGroup }
    if loginGroups.contains(id) { return .inLogin }
    return databaseGroups.contains(id) ? .inDatabaseOnly : .none
  }
}
