internal import CLinux
internal import Glibc

/// The sockets that systemd hands to a service that it starts (`sd_listen_fds(3)`).
public enum InheritedSockets {
  /// Takes them, once: the environment variables that name them are removed, and the descriptors are closed on
  /// exec. To be called before there is a second thread.
  /// - Returns: the descriptors, which the caller owns; none where they are meant for another process.
  public static func take() -> [Int32] {
    let isOurs = areOurs
    let count = Environment.value("LISTEN_FDS").flatMap { Int32($0) } ?? 0
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PIDFDID"] {
      unsafe unsetenv(name)
    }
    guard isOurs, (1...1024).contains(count) else { return [] }
    // They start after standard error. One that is not open is none.
    return (3..<3 + count).filter { fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }
  }

  private static var areOurs: Bool {
    guard Environment.value("LISTEN_PID").flatMap({ Int32($0) }) == getpid() else { return false }
    // A number of a process may be used again; newer versions of systemd give another one beside it.
    guard let identity = Environment.value("LISTEN_PIDFDID") else { return true }
    var inode: UInt64 = 0
    return unsafe touchgrid_process_inode(&inode) == 0 && UInt64(identity) == inode
  }
}
