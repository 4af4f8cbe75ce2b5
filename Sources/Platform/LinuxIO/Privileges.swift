internal import CLinux
internal import Glibc

/// The user and the privileges of this process.
package enum Privileges {
  /// Whether the process runs as root.
  package static var isRoot: Bool { geteuid() == 0 }

  /// Makes this process run permanently as another user, with the groups that a login of that user
  /// would have. Only root may call this, before a second thread exists.
  /// - Parameters:
  ///   - owner: the user. `owner.group` is the only group of a user who is not in the user
  ///     database.
  ///   - group: the name of one more group; ignored if it does not exist.
  /// - Throws: `EPERM` if the process could become root again.
  package static func become(
    _ owner: PathControl.Owner, with group: String? = nil
  ) throws(SystemError) {
    guard unsafe touchgrid_become(owner.user, owner.group, group) == 0 else {
      throw SystemError(context: "becoming the user \(User.name(of: owner.user))")
    }
  }

  /// Forks this process. The child runs `body` and exits. Call it before a second thread exists.
  /// - Parameter body: runs in the child, with one end of a socket pair.
  /// - Returns: in the parent, the other end of the socket pair.
  package static func split(
    _ body: (consuming UnixStream) -> Void
  ) throws(SystemError) -> UnixStream {
    var ends: [Int32] = [-1, -1]
    guard unsafe touchgrid_socket_pair(&ends) == 0 else {
      throw SystemError(context: "creating a pair of sockets")
    }
    let process = touchgrid_fork()
    guard process >= 0 else {
      let error = SystemError(context: "starting a process")
      for end in ends { close(end) }
      throw error
    }
    close(ends[process == 0 ? 0 : 1])
    if process == 0 {
      body(UnixStream(owning: ends[1]))
      _exit(0)
    }
    return UnixStream(owning: ends[0])
  }
}
