import TouchgridAPI

/// A pause of the daemon's recording. It ends with this object's connection, even if this program
/// is killed.
final class RecordingPause {
  private let daemon: DaemonConnection

  /// - Throws: an error if the daemon does not pause. Then nothing may be touched.
  init(_ daemon: DaemonConnection) throws(Failure) {
    self.daemon = daemon
    try daemon.start(API.Pause())
    guard let (_, isPaused) = try daemon.receive(API.Pause.self, within: .seconds(10)), isPaused
    else { throw Failure("the daemon does not pause recording; 'touchgrid doctor' says more") }
  }

  /// A descriptor that is readable when the pause may have ended.
  var descriptor: Int32 { daemon.descriptor }

  /// - Throws: an error if the pause has ended.
  func check() throws(Failure) {
    guard try daemon.receive(API.Pause.self, within: .zero) != nil else { return }
    throw Failure(
      "another client has ended the pause, so the next touches would be recorded: start again")
  }
}
