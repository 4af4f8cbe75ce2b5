import TouchgridAPI

/// Thrown when a command fails. The text says what failed and what to do.
struct Failure: Error, CustomStringConvertible {
  var description: String
  var exitStatus: Int32 = 1
  /// The error that the daemon answered with; nil if the command failed for another reason.
  var fault: (any Fault)?
  init(_ description: String) { self.description = description }
}
