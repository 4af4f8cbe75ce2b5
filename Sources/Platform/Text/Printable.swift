/// Escapes foreign text, such as names, paths, arguments, messages of other programs and contents
/// of files. Only escaped text may reach a terminal, a log or a message, because foreign text could
/// control the terminal, or look like lines of this program.
extension String {
  /// Returns the text with every character that could disturb a log line, a terminal or a file name
  /// replaced by `\u{…}`: control and format characters, line ends, and private-use and unassigned
  /// characters. Printable text does not change.
  /// - Parameter limit: the maximum number of Unicode scalars, before they are escaped; `…`
  ///   replaces the rest.
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

  /// The text in quotes, escaped for a message, and cut to 80 characters.
  public var quoted: String { "\"\(printable(limit: 80))\"" }

  /// This text of several lines, with each line escaped. Use it as the last step before a terminal.
  /// Line ends are kept, so those in foreign parts of the text must have been escaped before.
  public var printableLines: String {
    utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self).printable(limit: .max) }.joined(separator: "\n")
  }

  /// This JSON text of one line, with unprintable characters written as `\uXXXX`. In JSON, these
  /// characters occur only within strings, where the escape means the same.
  public var printableJSON: String {
    // Fast path without Unicode's tables: live touches are written 120 times a second, and are
    // nearly always ASCII.
    if utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.isShown {
        text.unicodeScalars.append(scalar)
      } else {
        for unit in String(scalar).utf16 { text += "\\u" + padded(unit, 4, radix: 16) }
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// Whether the scalar can be shown and has no other effect on a terminal.
  public var isShown: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      false
    default: true
    }
  }
}
