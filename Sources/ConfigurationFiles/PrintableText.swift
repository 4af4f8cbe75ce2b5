internal import TouchModel

extension String {
  /// In quotes, fit for a message: long text is cut off.
  public var quoted: String { "\"\(printable(limit: 80))\"" }
}
