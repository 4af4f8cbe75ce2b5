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
        "the screen changed longer ago than is taken, which is "
          + "\(fault.limitUs / 1000) ms (late_names in the configuration); without --changed-ago it "
          + "changes now")
    } else if error.name == API.NoSession.name {
      self.init("no session runs; 'touchgrid session begin' begins one")
    } else if let fault = error.fault(API.NoSuchSession.self) {
      self.init("there is no session \(fault.session); 'touchgrid sessions' lists them")
    } else if error.name == API.NoSuchMask.name {
      self.init(
        "no client has added exactly this mask; 'touchgrid mask' lists them, and those of the "
          + "configuration are removed in its file, /etc/touchgrid/touchgridd.toml")
    } else if error.name == API.ReplyTooLong.name {
      self.init("the answer is too long; name a screen or a display, or a shorter time")
    } else if error.name.hasPrefix(API.interface + "."), let message = error.message {
      self.init(message.printable(limit: 1000))
    } else {
      self.init(
        "the daemon does not understand this (\(error.description.printable(limit: 500))); is it of "
          + "another version? 'touchgrid status' and 'touchgrid --version' tell")
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
