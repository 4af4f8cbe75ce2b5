internal import CLinux
internal import Glibc

/// The sockets that systemd passes to a service (`sd_listen_fds(3)`).
public enum InheritedSockets {
  /// Takes ownership of the sockets. Removes the environment variables that describe them, so later
  /// calls return none, and sets the descriptors to close on exec. Call it before a second thread
  /// exists.
  /// - Returns: the descriptors, which the caller owns; empty if there are none, or if they are
  ///   meant for another process.
  public static func take() -> [Int32] {
    let isOurs = areOurs
    let count = Environment.value("LISTEN_FDS").flatMap { Int32($0) } ?? 0
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PIDFDID"] {
      unsafe unsetenv(name)
    }
    guard isOurs, (1...1024).contains(count) else { return [] }
    // The descriptors follow standard error. Descriptors that are not open are skipped.
    return (3..<3 + count).filter { fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }
  }

  private static var areOurs: Bool {
    guard Environment.value("LISTEN_PID").flatMap({ Int32($0) }) == getpid() else { return false }
    // Process IDs are reused, so newer versions of systemd also pass the inode of the process's
    // pidfd.
    guard let identity = Environment.value("LISTEN_PIDFDID") else { return true }
    var inode: UInt64 = 0
    return unsafe touchgrid_process_inode(&inode) == 0 && UInt64(identity) == inode
  }
}
