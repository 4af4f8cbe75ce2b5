internal import Glibc

/// The sockets that systemd hands to a service that it starts (`sd_listen_fds(3)`).
public enum InheritedSockets {
  /// Takes them, once: the environment variables that name them are removed, and the descriptors are closed on
  /// exec. To be called before there is a second thread.
  /// - Returns: the descriptors, which the caller owns; none where they are meant for another process.
  public static func take() -> [Int32] {
    let process = Environment.value("LISTEN_PID").flatMap { Int32($0) }
    let count = Environment.value("LISTEN_FDS").flatMap { Int32($0) } ?? 0
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PIDFDID"] {
      unsafe unsetenv(name)
    }
    guard process == getpid(), (1...1024).contains(count) else { return [] }
    // They start after standard error. One that is not open is none.
    return (3..<3 + count).filter { fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }
  }
}
