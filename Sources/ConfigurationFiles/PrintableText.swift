internal import TouchModel

extension String {
  /// The text in quotes, escaped for a message, and shortened if it is long.
  public var quoted: String { "\"\(printable(limit: 80))\"" }
}
