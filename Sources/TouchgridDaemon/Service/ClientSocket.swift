internal import Glibc
internal import LinuxIO

/// Where clients connect: a socket that the service manager hands over, or one of our own making.
enum ClientSocket {
  /// - Parameter path: named by the user; nil: by the configuration.
  /// - Returns: nil where the configured one cannot be made: recording is worth more than clients.
  /// - Throws: where the one that the user named cannot be made.
  static func open(
    _ path: String?, _ configuration: Configuration.Socket, log: Log
  ) throws(DaemonError) -> UnixListener? {
    let inherited = InheritedSockets.take()
    for (position, descriptor) in inherited.enumerated() {
      do throws(SystemError) {
        let listener = try UnixListener(owning: descriptor)
        for other in inherited[(position + 1)...] {
          log.warning(.daemon, "one socket is enough: another of the service manager is closed")
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
      log.warning(.daemon, "\(error): recording without clients (--socket names another place)")
      return nil
    }
  }
}
