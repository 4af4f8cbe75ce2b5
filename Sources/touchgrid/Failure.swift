/// A question without an answer, or something that could not be done; says what to do.
struct Failure: Error, CustomStringConvertible {
  var description: String
  var exitStatus: Int32 = 1
  /// The daemon gives this user no role that would do.
  var isNotPermitted = false
  init(_ description: String) { self.description = description }
}
