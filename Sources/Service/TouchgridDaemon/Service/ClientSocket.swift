internal import Glibc
internal import LinuxIO

enum ClientSocket {
  /// Opens the first usable socket that the service manager has passed or, without one, creates a
  /// socket.
  /// - Parameter path: the path given on the command line; nil: the configured path.
  /// - Returns: nil if the socket at the configured path cannot be created. The daemon then records
  ///   without clients.
  /// - Throws: `.system` if the socket at `path` cannot be created.
  static func open(
    _ path: String?, _ configuration: Configuration.Socket, log: Log
  ) throws(DaemonError) -> UnixListener? {
    let inherited = InheritedSockets.take()
    for (position, descriptor) in inherited.enumerated() {
      do throws(SystemError) {
        let listener = try UnixListener(owning: descriptor)
        for other in inherited[(position + 1)...] {
          log.warning(
            .daemon, "the service manager passed more than one socket; only the first is used")
          _ = FileDescriptor(owning: other)
        }
        return listener
      } catch {
        log.warning(.daemon, "a socket of the service manager cannot be used: \(error)")
      }
    }
    do throws(SystemError) {
      return try UnixListener(path: path ?? configuration.path)
    } catch {
      guard path == nil else { throw .system(error) }
      log.warning(
        .daemon,
        "\(error); recording without a socket, so no client can connect; name another path in "
          + "[socket] or with --socket")
      return nil
    }
  }
}
