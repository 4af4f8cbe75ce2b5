/// Thrown when a query has no result, such as before the first session. The program prints the text
/// and ends with status 0.
struct NothingToShow: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
