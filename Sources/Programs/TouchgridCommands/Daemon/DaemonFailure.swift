import Text
import TouchModel
import TouchgridAPI
import Varlink

extension Failure {
  /// What went wrong between this program and the daemon, and what to do.
  /// - Parameter path: the path of the daemon's socket.
  init(_ error: ClientError, path: String) {
    if case .remote(let error) = error {
      self.init(error)
    } else {
      self.init(error.advice(path: path))
    }
  }

  private init(_ error: RemoteError) {
    if let fault = error.fault(API.NotPermitted.self) {
      self.init(fault.advice)
      isNotPermitted = true
    } else if let fault = error.fault(API.TooLate.self) {
      self.init(
        "--changed-ago is above the limit of \(fault.limitUs / 1000) ms (late_names in the "
          + "configuration); without --changed-ago the screen changes now")
    } else if error.name == API.NoSession.name {
      self.init("no session is running; 'touchgrid session begin' begins one")
      hasNoSession = true
    } else if let fault = error.fault(API.NoSuchSession.self) {
      self.init("there is no session \(fault.session); 'touchgrid sessions' lists them")
    } else if error.name == API.NoSuchMask.name {
      self.init(
        "no client has added this mask; 'touchgrid mask' lists all masks. Masks of the configuration "
          + "are removed in its file, usually /etc/touchgrid/touchgridd.toml")
    } else if error.name == API.ReplyTooLong.name {
      self.init("the reply is too long; ask for a single screen or display, or for a shorter time")
    } else if error.name.hasPrefix(API.interface + "."), let message = error.message {
      self.init(message.printable(limit: 1000))
    } else {
      self.init(
        "the daemon does not support this call (\(error.description.printable(limit: 500))); it may be of "
          + "another version: compare 'touchgrid status' and 'touchgrid --version'")
    }
  }
}

extension RemoteError {
  /// Returns the parameters of an error.
  /// - Returns: nil if it is another error.
  func fault<F: Fault>(_ type: F.Type) -> F? {
    name == F.name ? parameters(type) : nil
  }
}
