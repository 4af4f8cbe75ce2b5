/// Thrown when a command fails. The text says what failed and what to do.
struct Failure: Error, CustomStringConvertible {
  var description: String
  var exitStatus: Int32 = 1
  /// Whether the user lacks the role that the daemon demands.
  var isNotPermitted = false
  /// Whether no session is running.
  var hasNoSession = false
  init(_ description: String) { self.description = description }
}
