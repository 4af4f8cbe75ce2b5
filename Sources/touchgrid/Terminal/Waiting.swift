import Glibc
import LinuxIO

/// Waits for the daemon and for signals at once.
struct Waiting: ~Copyable {
  enum Event: Equatable {
    /// The daemon may have said something.
    case daemon
    /// The terminal has another size.
    case resized
    /// Ctrl-C, or somebody ends us.
    case interrupted
    case timeout
  }

  private let signals: Signals

  init() throws(Failure) {
    do throws(SystemError) {
      signals = try Signals([SIGINT, SIGTERM, SIGHUP, SIGWINCH])
    } catch {
      throw Failure("\(error)")
    }
  }

  /// - Parameters:
  ///   - descriptor: of the connection; what was read already must have been received.
  ///   - milliseconds: nil is without end.
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
