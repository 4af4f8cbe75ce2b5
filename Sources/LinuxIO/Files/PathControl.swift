internal import CLinux
internal import Glibc
internal import TouchModel

/// Who, besides root, can change what a path leads to. The owner of a folder can put a link in the place of any name
/// in it, at any moment, so root follows such a path only as that user, or not at all.
package enum PathControl: Hashable, Sendable {
  case rootAlone
  case user(Owner)
  /// Users who could change it one for another.
  case several([UInt32])
  /// Everybody who may write in a folder on the way.
  case anybody

  package struct Owner: Hashable, Sendable {
    package var user: UInt32
    /// The group of what made this user known; for one who is not in the user database.
    package var group: UInt32

    package init(user: UInt32, group: UInt32) {
      self.user = user
      self.group = group
    }
  }

  /// - Parameter isStrict: whether files beside the one of this name matter too, as SQLite's do: then no
  ///   folder that several users may write in will do.
  /// - Throws: where the path cannot be followed: `ELOOP`, `ENAMETOOLONG`.
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

  /// Why root keeps off a path; nil where it need not, and for every other user, who has no more rights than the
  /// kernel gives.
  package static func fault(of path: String, isStrict: Bool = false) -> String? {
    guard Privileges.isRoot else { return nil }
    do throws(SystemError) {
      return try PathControl(of: path, isStrict: isStrict).words
    } catch {
      return "\(error)"
    }
  }

  /// What is wrong with it for root.
  package var words: String? {
    switch self {
    case .rootAlone: nil
    case .user(let owner): "the user \(User.name(of: owner.user)) can change what it leads to"
    case .several(let users):
      "the users \(users.map { User.name(of: $0) }.joined(separator: " and ")) can change what it leads to"
    case .anybody: "other users may write in its folder"
    }
  }
}

/// The folder of a user's session, which the environment names.
package enum RuntimeFolder {
  package static let variable = "XDG_RUNTIME_DIR"

  /// Why root does nothing in it: it is that of another user, as where `sudo -E` was used; nil where nothing is wrong.
  package static var refusal: String? {
    guard let folder = Environment.value(variable),
      let fault = PathControl.fault(of: folder + "/systemd")
    else { return nil }
    let name = folder.printable(limit: 4096)
    return "\(variable) is \(name), and root does nothing there: \(fault). Run this as the user "
      + "whose session it is, without sudo"
  }
}
