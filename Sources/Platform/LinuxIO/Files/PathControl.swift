internal import CLinux
internal import Glibc
internal import Text

/// The users besides root who can change the target of a path. The owner of a folder can replace
/// any file in it by a link at any moment. Root therefore follows such a path only as that user, or
/// not at all.
package enum PathControl: Hashable, Sendable {
  case rootAlone
  case user(Owner)
  /// Several users, by their IDs, each of whom can change the target of the path.
  case several([UInt32])
  /// All users with write permission for a folder on the path.
  case anybody

  package struct Owner: Hashable, Sendable {
    package var user: UInt32
    /// The group of the file or folder that the user owns. Used as the user's group if the user is
    /// not in the user database.
    package var group: UInt32

    package init(user: UInt32, group: UInt32) {
      self.user = user
      self.group = group
    }
  }

  /// Follows the path and collects the users.
  /// - Parameter isStrict: whether the result is `anybody` if several users can write in the folder
  ///   of the last name. Pass false only for a file that is written under another name and then
  ///   renamed (`FileReplacement`). Files that are read, sockets, and files that need others beside
  ///   them, such as SQLite's, need true.
  /// - Throws: `ELOOP` or `ENAMETOOLONG` if the path cannot be followed.
  package init(of path: String, isStrict: Bool) throws(SystemError) {
    var found = Array(repeating: touchgrid_owner(), count: 8)
    let count = unsafe touchgrid_path_owners(path, isStrict ? 1 : 0, &found, Int32(found.count))
    guard count >= 0 else { throw SystemError(context: "following \(path)") }
    let users = found.prefix(Int(count))
    if users.contains(where: { $0.user == UInt32.max }) {
      self = .anybody
    } else if users.count > 1 {
      self = .several(users.map(\.user))
    } else {
      self = users.first.map { .user(Owner(user: $0.user, group: $0.group)) } ?? .rootAlone
    }
  }

  /// Returns the reason why this process, as root, must not use a path; nil if it may. Always nil
  /// if the process is not root, because the kernel checks its permissions.
  package static func fault(of path: String, isStrict: Bool = false) -> String? {
    guard Privileges.isRoot else { return nil }
    do throws(SystemError) {
      return try PathControl(of: path, isStrict: isStrict).words
    } catch {
      return "\(error)"
    }
  }

  /// The reason why root must not use the path; nil if it may.
  package var words: String? {
    switch self {
    case .rootAlone: nil
    case .user(let owner):
      "the user \(User.name(of: owner.user)) can replace the file that the path leads to"
    case .several(let users):
      "the users \(users.map { User.name(of: $0) }.joined(separator: " and ")) can replace the file that the path leads to"
    case .anybody: "other users can write in its folder"
    }
  }
}

/// The runtime folder of a user's session, named by the environment.
package enum RuntimeFolder {
  package static let variable = "XDG_RUNTIME_DIR"

  /// The reason why root must not use the folder, such as `sudo -E` in another user's session; nil
  /// if it may.
  package static var refusal: String? {
    guard let folder = Environment.value(variable),
      let fault = PathControl.fault(of: folder + "/systemd", isStrict: true)
    else { return nil }
    let name = folder.printable(limit: 4096)
    return
      "\(variable) is \(name), which root does not use: \(fault). Run this as the user of that "
      + "session, without sudo"
  }
}
