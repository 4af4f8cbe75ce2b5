/// Thrown when a query has no result, for example before the first session. The program prints the
/// text and exits with status 0.
struct NothingToShow: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
