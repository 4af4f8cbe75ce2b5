import Glibc
import LinuxIO

/// Waits for the daemon and for signals at the same time.
struct Waiting: ~Copyable {
  enum Event: Equatable {
    /// The daemon may have sent something.
    case daemon
    /// The terminal was resized.
    case resized
    /// Ctrl-C, or another signal that ends the program.
    case interrupted
    case timeout
  }

  private let signals: Signals

  init() throws(Failure) {
    signals = try failing { () throws(SystemError) in
      try Signals([SIGINT, SIGTERM, SIGHUP, SIGWINCH])
    }
  }

  /// - Parameters:
  ///   - descriptor: the connection to the daemon. Before waiting, receive all replies that have
  ///     already been read from it.
  ///   - milliseconds: the longest wait; nil waits without limit.
  func next(_ descriptor: Int32, within milliseconds: Int32? = nil) throws(Failure) -> Event {
    do throws(SystemError) {
      if let event = try signalled() { return event }
      var waits = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let count = unsafe poll(&waits, 2, milliseconds ?? -1)
      if count < 0, errno != EINTR { throw SystemError(context: "waiting") }
      if let event = try signalled() { return event }
      return waits[0].revents != 0 ? .daemon : .timeout
    } catch {
      throw Failure("\(error)")
    }
  }

  private func signalled() throws(SystemError) -> Event? {
    switch try signals.next() {
    case nil: nil
    case SIGWINCH: .resized
    default: .interrupted
    }
  }
}
