/// A question without an answer, or something that could not be done; says what to do.
struct Failure: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
