extension String {
  /// The text with everything replaced that could disturb a log line, a terminal or a file name: control
  /// and format characters, line ends, and what is left of invalid UTF-8, as `\u{…}`.
  /// - Parameter limit: the most characters; what is cut off is shown as `…`.
  public func printable(limit: Int = 128) -> String {
    var result = ""
    var count = 0
    for scalar in unicodeScalars {
      if count == limit { return result + "…" }
      count += 1
      if scalar.isShown {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\u{" + String(scalar.value, radix: 16) + "}"
      }
    }
    return result
  }
}
