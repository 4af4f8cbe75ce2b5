internal import Text

/// A TOML value without quotes or brackets.
struct BareValue {
  private let text: String

  /// - Parameter text: the text up to the end of the line or item. Spaces and tabs around it are
  ///   removed; TOML has no other white space.
  init(_ text: String) {
    let start = text.drop(while: Self.isSpace)
    self.text = start.lastIndex { !Self.isSpace($0) }.map { String(start[...$0]) } ?? ""
  }

  private static func isSpace(_ character: Character) -> Bool {
    character == " " || character == "\t"
  }

  /// The error message for a value that must not reach the parser; nil for true, false and text
  /// that may be a number. Dates are rejected, because no key takes one and some invalid dates can
  /// abort the parser.
  var complaint: String? {
    if text == "true" || text == "false" || isNumber { return nil }
    switch text.lowercased() {
    case "": return "a value is missing"
    case "yes", "no", "on", "off", "true", "false":
      return "\(text.quoted) is not a TOML value; write true or false, or put text in quotes"
    default: return "a string needs quotes: write \(text.quoted)"
    }
  }

  /// Whether the text may be a number: it begins with a digit after an optional sign, consists of
  /// characters that occur in numbers, and has signs only in valid places; or it is `inf` or `nan`.
  /// The parser checks the rest.
  private var isNumber: Bool {
    var digits = text[...]
    if digits.first == "+" || digits.first == "-" { digits.removeFirst() }
    if digits == "inf" || digits == "nan" { return true }
    guard let first = digits.first, first.isASCII, first.isNumber else { return false }
    var isExponent = false
    return digits.allSatisfy { character in
      defer { isExponent = character == "e" || character == "E" }
      return switch character {
      case "0"..."9", "a"..."f", "A"..."F", "x", "o", "_", ".": character.isASCII
      case "+", "-": isExponent
      default: false
      }
    }
  }
}
