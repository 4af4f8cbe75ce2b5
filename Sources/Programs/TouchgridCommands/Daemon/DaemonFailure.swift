import Text
import TouchModel
import TouchgridAPI

extension Failure {
  /// Creates a failure with the error between this program and the daemon, and the remedy.
  /// - Parameter path: the path of the daemon's socket.
  init(_ error: TouchgridError, path: String) {
    switch error {
    case .system, .closed, .timedOut, .malformed: self.init(error.advice(path: path))
    case .fault(let fault):
      self.init(fault)
      self.fault = fault
    case .unknown(let name, let text) where name.hasPrefix(API.interface + "."):
      self.init(text.printable(limit: 1000))
    case .unknown(_, let text):
      self.init(
        "the daemon does not support this call (\(text.printable(limit: 500))); the "
          + "daemon may have another version than this program: compare 'touchgrid status' and "
          + "'touchgrid --version'")
    }
  }

  private init(_ fault: any Fault) {
    switch fault {
    case let fault as API.NotPermitted: self.init(fault.advice)
    case let fault as API.TooLate:
      self.init(
        "the change is \(fault.lateUs / 1000 + (fault.lateUs % 1000 > 0 ? 1 : 0)) ms old, which is above the limit of "
          + "\(fault.limitUs / 1000) ms (late_names in the configuration): make --changed-ago "
          + "shorter, or leave it out to change the screen now")
    case is API.NoSession:
      self.init("no session is running; 'touchgrid begin-session' begins one")
    case let fault as API.NoSuchSession:
      self.init("there is no session \(fault.session); 'touchgrid sessions' lists all sessions")
    case is API.NoSuchMask:
      self.init(
        "no client has added this mask; 'touchgrid mask' lists all masks. To remove one that is in "
          + "the configuration, repeat the command with sudo and --save")
    case is API.ReplyTooLong:
      self.init(
        "the reply is too long; where the command allows it, name one screen or --display, or a "
          + "shorter time with --since and --until")
    default: self.init(fault.message.printable(limit: 1000))
    }
  }
}
