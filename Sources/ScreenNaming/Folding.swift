/// What makes names of pages few: parts that are a number, or an identifier that a machine made, are all alike.
enum Folding {
  private static let number = ":n"
  private static let identifier = ":id"

  /// A segment of a path with its numbers and identifiers folded: `4711` is `:n`, `order-20391` is `order-:n`,
  /// `9f86d081884c7d65` is `:id`, and so is what has an `@` or a `=` in it; `step2` stays.
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

  /// Eight hexadecimal digits and more, in groups with dashes or not; or letters and digits, eight and more, that change
  /// between small, capital and digit more often than words do.
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

  /// In any script.
  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.numericType == .decimal
  }
}
