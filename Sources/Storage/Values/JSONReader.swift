/// Reads the JSON that `JSON.text` writes, in any equivalent form: the database may have been
/// edited.
struct JSONReader {
  /// The limit of nesting. Placements are three levels deep.
  private static let depthLimit = 8

  private var rest: Substring.UnicodeScalarView

  /// - Returns: nil unless the text is one value of objects, arrays, strings and numbers.
  static func read(_ text: String) -> JSON? {
    var reader = JSONReader(rest: Substring(text).unicodeScalars)
    guard let value = reader.value(depth: 0) else { return nil }
    reader.skipSpace()
    return reader.rest.isEmpty ? value : nil
  }

  private mutating func skipSpace() {
    rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
  }

  /// Consumes the scalar if it comes next, after white space.
  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    skipSpace()
    guard rest.first == scalar else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func value(depth: Int) -> JSON? {
    guard depth < Self.depthLimit else { return nil }
    skipSpace()
    switch rest.first {
    case "{": return object(depth: depth)
    case "[": return array(depth: depth)
    case "\"": return string().map { .string($0) }
    default: return number()
    }
  }

  private mutating func object(depth: Int) -> JSON? {
    guard take("{") else { return nil }
    if take("}") { return .object([]) }
    var members: [JSON.Member] = []
    repeat {
      skipSpace()
      guard let name = string(), take(":"), let value = value(depth: depth + 1) else { return nil }
      members.append(JSON.Member(name: name, value: value))
    } while take(",")
    return take("}") ? .object(members) : nil
  }

  private mutating func array(depth: Int) -> JSON? {
    guard take("[") else { return nil }
    if take("]") { return .array([]) }
    var elements: [JSON] = []
    repeat {
      guard let value = value(depth: depth + 1) else { return nil }
      elements.append(value)
    } while take(",")
    return take("]") ? .array(elements) : nil
  }

  private mutating func string() -> String? {
    guard rest.popFirst() == "\"" else { return nil }
    var scalars = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"": return String(scalars)
      case "\\":
        guard let escaped = escape() else { return nil }
        scalars.append(escaped)
      case "\u{0}"..."\u{1f}": return nil
      default: scalars.append(scalar)
      }
    }
    return nil
  }

  private mutating func escape() -> Unicode.Scalar? {
    switch rest.popFirst() {
    case "\"": return "\""
    case "\\": return "\\"
    case "/": return "/"
    case "b": return "\u{8}"
    case "f": return "\u{c}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u":
      guard let unit = unit() else { return nil }
      guard 0xd800..<0xdc00 ~= unit else { return Unicode.Scalar(unit) }
      guard rest.popFirst() == "\\", rest.popFirst() == "u", let low = self.unit(),
        0xdc00..<0xe000 ~= low
      else { return nil }
      return Unicode.Scalar(0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00))
    default: return nil
    }
  }

  /// Reads four hexadecimal digits.
  private mutating func unit() -> UInt32? {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = rest.popFirst().flatMap({ Character($0).hexDigitValue }) else { return nil }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }

  private mutating func number() -> JSON? {
    let digits = rest.prefix { ("0"..."9").contains($0) || "+-.eE".unicodeScalars.contains($0) }
    guard !digits.isEmpty, Double(String(digits)) != nil else { return nil }
    rest = rest[digits.endIndex...]
    return .number(String(digits))
  }
}
