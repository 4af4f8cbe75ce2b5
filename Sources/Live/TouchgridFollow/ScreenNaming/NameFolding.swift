/// Reduces the number of page names: replaces numbers and generated identifiers in a path with
/// placeholders.
enum NameFolding {
  private static let number = ":n"
  private static let identifier = ":id"
  static let placeholders = [number, identifier]

  /// Returns a segment of a path with its numbers and identifiers replaced. `4711` becomes `:n`,
  /// `order-20391` becomes `order-:n`, and `step2` stays, because numbers within text are replaced
  /// only from three digits on. `9f86d081884c7d65` becomes `:id`, like any segment with an `@` or a
  /// `=` or with more than 48 characters.
  static func fold(_ segment: String) -> String {
    let scalars = Array(segment.unicodeScalars)
    if scalars.count > 48 || isIdentifier(scalars) { return identifier }
    if !scalars.isEmpty, scalars.allSatisfy(isDigit) { return number }
    var result = String.UnicodeScalarView()
    var index = 0
    while index < scalars.count {
      let run = scalars[index...].prefix(while: isDigit).count
      if run >= 3 {
        result.append(contentsOf: number.unicodeScalars)
      } else {
        result.append(contentsOf: scalars[index..<(index + max(run, 1))])
      }
      index += max(run, 1)
    }
    return String(result)
  }

  /// Returns whether a segment is an identifier. It is one if it has an `@` or a `=`. It is also
  /// one if it has, besides any `-` and `_`, at least eight letters and digits, among them a digit,
  /// and looks generated:
  /// - either all are hexadecimal digits, and the segment does not consist of decimal digits alone;
  /// - or they change at least four times between lower case, upper case and digits, which words
  ///   rarely do.
  private static func isIdentifier(_ text: [Unicode.Scalar]) -> Bool {
    if text.contains("@") || text.contains("=") { return true }
    let bare = text.filter { $0 != "-" && $0 != "_" }
    guard bare.count >= 8, bare.contains(where: isDigit) else { return false }
    if bare.allSatisfy({ $0.isASCII && UInt8(ascii: $0).isHexadecimal }) {
      return bare.count < text.count || !bare.allSatisfy(isDigit)
    }
    guard bare.allSatisfy({ $0.isASCII && (isDigit($0) || UInt8(ascii: $0).isLetter) }) else {
      return false
    }
    return zip(bare, bare.dropFirst()).count { kind($0) != kind($1) } >= 4
  }

  private static func kind(_ scalar: Unicode.Scalar) -> Int {
    isDigit(scalar) ? 0 : scalar.properties.isUppercase ? 1 : 2
  }

  /// Returns whether a character is a decimal digit, in any script.
  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.numericType == .decimal
  }
}
