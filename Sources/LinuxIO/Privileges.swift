internal import CLinux
internal import Glibc

/// What a process may do as the user whose it is.
package enum Privileges {
  /// Whether the kernel lets this process do nearly everything.
  package static var isRoot: Bool { geteuid() == 0 }

  /// Makes this process another user's, with the groups of a login of that user, for good. For root, before there is
  /// a second thread.
  /// - Parameter group: one more group, by its name; nil, or one that is not there: none.
  package static func become(
    _ owner: PathControl.Owner, with group: String? = nil
  ) throws(SystemError) {
    guard unsafe touchgrid_become(owner.user, owner.group, group) == 0 else {
      throw SystemError(context: "becoming the user \(User.name(of: owner.user))")
    }
  }

  /// Starts a copy of this process that does one thing and ends. Before there is a second thread.
  /// - Parameter body: runs in the copy, with its end of a socket.
  /// - Returns: this process's end.
  package static func split(
    _ body: (consuming UnixStream) -> Void
  ) throws(SystemError) -> UnixStream {
    var ends: [Int32] = [-1, -1]
    guard unsafe touchgrid_socket_pair(&ends) == 0 else {
      throw SystemError(context: "making a pair of sockets")
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
