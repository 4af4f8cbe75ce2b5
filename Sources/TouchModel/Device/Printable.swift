/// Text from elsewhere (names, paths, arguments, messages of other programs, what is in files) reaches a terminal, a log
/// or a message by these alone: it could steer the terminal, or look like lines of ours.
extension String {
  /// The text with everything replaced that could disturb a log line, a terminal or a file name: control
  /// and format characters, line ends, and what is left of invalid UTF-8, as `\u{…}`. What was made printable stays
  /// as it is.
  /// - Parameter limit: the most characters; what is cut off is shown as `…`.
  public func printable(limit: Int = 128) -> String {
    if utf8.count <= limit, utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) { return self }
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

  /// A text of several lines, each of them printable. For the last step before a terminal: what of the text is
  /// foreign has its own line ends escaped before.
  public var printableLines: String {
    utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self).printable(limit: .max) }.joined(separator: "\n")
  }

  /// JSON, with what does not show written as `\u….`, which means the same in its strings; elsewhere there is no such
  /// character.
  public var printableJSON: String {
    // Live touches come 120 times a second: what is nearly always all of it is not looked up in Unicode's tables.
    if utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.isShown {
        text.unicodeScalars.append(scalar)
      } else {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    return text
  }
}
