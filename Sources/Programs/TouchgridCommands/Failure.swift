import LinuxIO
import TouchgridAPI

/// Thrown when a command fails. The text has the failure and the remedy.
struct Failure: Error, CustomStringConvertible {
  var description: String
  var exitStatus: Int32 = 1
  /// The daemon's error; nil if the command failed for another reason.
  var fault: (any Fault)?
  init(_ description: String) { self.description = description }
}

/// Runs `body`, and turns its error into a failure.
func failing<Result: ~Copyable>(
  _ body: () throws(SystemError) -> Result
) throws(Failure) -> Result {
  do throws(SystemError) { return try body() } catch { throw Failure("\(error)") }
}
