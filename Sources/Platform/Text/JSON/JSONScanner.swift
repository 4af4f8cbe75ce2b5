/// Checks that bytes are JSON, and finds the members of an object, before they are decoded.
/// Accepted text is safe for a decoder: it is valid UTF-8 of limited depth, without duplicate
/// members, lone surrogates and overlong numbers.
package struct JSONScanner {
  package enum Kind { case object, array, string, number, bool(Bool), null }

  package struct Value {
    package let kind: Kind
    /// The position of the value in the scanned bytes.
    package let range: Range<Int>
  }

  package struct Member {
    package let name: ExactName
    package let value: Value
  }

  package static let depthLimit = 64
  /// The maximum number of characters of a number, more than any double or 64-bit integer needs.
  package static let numberLimit = 400
  /// The maximum number of combining marks in a row, if it is limited: as many as a name may have,
  /// and twice as many as in the Stream-Safe Text Format of UAX #15. When Swift compares two
  /// strings, it sorts the marks in a row, in a time proportional to the square of their number.
  package static let markLimit = 64

  /// The parts of a text that need no check.
  private enum Trust { case nothing, nested, everything }

  private let bytes: ArraySlice<UInt8>
  private let trust: Trust
  private var limitsMarks = false
  private var position: Int

  private init(_ bytes: ArraySlice<UInt8>, trust: Trust = .nothing) {
    self.bytes = bytes
    self.trust = trust
    position = bytes.startIndex
  }

  /// Begins at a value that has been scanned.
  private init(_ value: Value, in bytes: ArraySlice<UInt8>) {
    self.init(bytes[..<value.range.upperBound], trust: .everything)
    position = value.range.lowerBound
  }

  /// Checks a text, which must be one object, and returns its members in order.
  /// - Parameters:
  ///   - checksNested: whether nested objects and lists are checked too. If false, only their ends
  ///     are found.
  ///   - limitsMarks: whether more than `markLimit` combining marks in a row are refused.
  package static func members(
    of bytes: ArraySlice<UInt8>, checksNested: Bool = true, limitsMarks: Bool = false
  ) throws(JSON.Problem) -> [Member] {
    var scanner = try JSONScanner(checking: bytes, trust: checksNested ? .nothing : .nested)
    scanner.limitsMarks = limitsMarks
    guard scanner.peek == UInt8(ascii: "{") else {
      throw JSON.Problem("it is not a JSON object")
    }
    var members: [Member] = []
    try scanner.object(depth: 1) { members.append($0) }
    try scanner.end()
    return members
  }

  /// Checks a text, which must be one value.
  package static func value(
    of bytes: ArraySlice<UInt8>, limitsMarks: Bool = false
  ) throws(JSON.Problem) -> Value {
    var scanner = try JSONScanner(checking: bytes, trust: .nothing)
    scanner.limitsMarks = limitsMarks
    let value = try scanner.value(depth: 0)
    try scanner.end()
    return value
  }

  /// Checks that the bytes are valid UTF-8, and skips leading white space.
  private init(checking bytes: ArraySlice<UInt8>, trust: Trust) throws(JSON.Problem) {
    do {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      throw JSON.Problem("it is not valid UTF-8")
    }
    self.init(bytes, trust: trust)
    skipSpace()
  }

  /// Checks that nothing but white space follows.
  private mutating func end() throws(JSON.Problem) {
    skipSpace()
    guard peek == nil else { throw unexpected() }
  }

  // MARK: Text that has been scanned

  /// Returns a whole text as one value.
  package static func acceptedValue(of bytes: ArraySlice<UInt8>) -> Value {
    var scanner = JSONScanner(bytes, trust: .everything)
    scanner.skipSpace()
    return (try? scanner.value(depth: 0))
      ?? Value(kind: .null, range: bytes.startIndex..<bytes.startIndex)
  }

  package static func text(_ value: Value, in bytes: ArraySlice<UInt8>) -> String {
    var scanner = JSONScanner(value, in: bytes)
    return (try? scanner.string()) ?? ""
  }

  package static func members(of object: Value, in bytes: ArraySlice<UInt8>) -> [Member] {
    var scanner = JSONScanner(object, in: bytes)
    var members: [Member] = []
    try? scanner.object(depth: 0) { members.append($0) }
    return members
  }

  package static func elements(of array: Value, in bytes: ArraySlice<UInt8>) -> [Value] {
    var scanner = JSONScanner(array, in: bytes)
    var elements: [Value] = []
    try? scanner.array(depth: 0) { elements.append($0) }
    return elements
  }

  /// Returns the elements of a list of numbers. For long lists this is ten times as fast as
  /// decoding single elements.
  /// - Parameter number: converts the bytes of one element; nil if that is impossible.
  /// - Returns: nil if an element is not a number, or `number` returns nil for it.
  static func numbers<Number>(
    of array: Value, in bytes: ArraySlice<UInt8>, _ number: (ArraySlice<UInt8>) -> Number?
  ) -> [Number]? {
    var scanner = JSONScanner(array, in: bytes)
    scanner.position += 1
    var numbers: [Number] = []
    while let byte = scanner.peek, byte != UInt8(ascii: "]") {
      switch byte {
      case UInt8(ascii: ","), 0x20, 0x0a, 0x0d, 0x09: scanner.position += 1
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        let start = scanner.position
        guard (try? scanner.number()) != nil, let number = number(bytes[start..<scanner.position])
        else { return nil }
        numbers.append(number)
      default: return nil
      }
    }
    return numbers
  }

  // MARK: Values

  private mutating func value(depth: Int) throws(JSON.Problem) -> Value {
    let start = position
    let kind: Kind
    switch peek {
    case UInt8(ascii: "{"):
      if trust == .nothing { try object(depth: depth + 1) { _ in } } else { try skipNested() }
      kind = .object
    case UInt8(ascii: "["):
      if trust == .nothing { try array(depth: depth + 1) { _ in } } else { try skipNested() }
      kind = .array
    case UInt8(ascii: "\""):
      try skipString()
      kind = .string
    case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
      try number()
      kind = .number
    case UInt8(ascii: "t"):
      try word("true")
      kind = .bool(true)
    case UInt8(ascii: "f"):
      try word("false")
      kind = .bool(false)
    case UInt8(ascii: "n"):
      try word("null")
      kind = .null
    default: throw unexpected()
    }
    return Value(kind: kind, range: start..<position)
  }

  /// Scans an object and passes its members to `body`. Returns no list of members, because most
  /// callers need none, and a message may have very many.
  private mutating func object(
    depth: Int, _ body: (Member) -> Void
  ) throws(JSON.Problem) {
    try checkDepth(depth)
    position += 1
    var names: Set<ExactName> = []
    skipSpace()
    if consume(UInt8(ascii: "}")) { return }
    repeat {
      skipSpace()
      guard peek == UInt8(ascii: "\"") else { throw unexpected() }
      let name = ExactName(try string())
      guard trust == .everything || names.insert(name).inserted else {
        throw JSON.Problem("an object has two members with the same name")
      }
      skipSpace()
      guard consume(UInt8(ascii: ":")) else { throw unexpected() }
      skipSpace()
      body(Member(name: name, value: try value(depth: depth)))
      skipSpace()
    } while consume(UInt8(ascii: ","))
    guard consume(UInt8(ascii: "}")) else { throw unexpected() }
  }

  private mutating func array(
    depth: Int, _ body: (Value) -> Void
  ) throws(JSON.Problem) {
    try checkDepth(depth)
    position += 1
    skipSpace()
    if consume(UInt8(ascii: "]")) { return }
    repeat {
      skipSpace()
      body(try value(depth: depth))
      skipSpace()
    } while consume(UInt8(ascii: ","))
    guard consume(UInt8(ascii: "]")) else { throw unexpected() }
  }

  /// Finds the end of an object or a list by its brackets. The content is not checked.
  private mutating func skipNested() throws(JSON.Problem) {
    var depth = 0
    var isInString = false
    while let byte = peek {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "\\") where isInString: position += 1
      case UInt8(ascii: "{") where !isInString, UInt8(ascii: "[") where !isInString: depth += 1
      case UInt8(ascii: "}") where !isInString, UInt8(ascii: "]") where !isInString:
        depth -= 1
        if depth == 0 { return }
      default: break
      }
    }
    throw unexpected()
  }

  private func checkDepth(_ depth: Int) throws(JSON.Problem) {
    guard depth <= Self.depthLimit else {
      throw JSON.Problem("it is nested more than \(Self.depthLimit) levels deep")
    }
  }

  private mutating func word(_ word: String) throws(JSON.Problem) {
    let end = position + word.utf8.count
    guard end <= bytes.endIndex, bytes[position..<end].elementsEqual(word.utf8) else {
      throw unexpected()
    }
    position = end
  }

  private mutating func number() throws(JSON.Problem) {
    let start = position
    _ = consume(UInt8(ascii: "-"))
    if !consume(UInt8(ascii: "0")) { try digits() }
    if consume(UInt8(ascii: ".")) { try digits() }
    if consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E")) {
      if !consume(UInt8(ascii: "+")) { _ = consume(UInt8(ascii: "-")) }
      try digits()
    }
    guard position - start <= Self.numberLimit else {
      throw JSON.Problem("a number has more than \(Self.numberLimit) digits")
    }
  }

  private mutating func digits() throws(JSON.Problem) {
    let start = position
    while let byte = peek, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
    guard position > start else { throw unexpected() }
  }

  // MARK: Strings

  /// Skips a string without decoding its text.
  private mutating func skipString() throws(JSON.Problem) {
    position += 1
    let start = position
    var mayHaveMarks = false
    while let byte = peek {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        if limitsMarks && mayHaveMarks { try checkMarks(in: try decoded(start..<position - 1)) }
        return
      case UInt8(ascii: "\\"): if try !escape().isASCII { mayHaveMarks = true }
      case ..<0x20: throw JSON.Problem("a string contains a control character")
      case 0x80...: mayHaveMarks = true
      default: break
      }
    }
    throw unexpected()
  }

  private func checkMarks(in text: String) throws(JSON.Problem) {
    var count = 0
    for scalar in text.unicodeScalars {
      let isMark =
        !scalar.isASCII && scalar.properties.canonicalCombiningClass != .notReordered
      count = isMark ? count + 1 : 0
      guard count <= Self.markLimit else {
        throw JSON.Problem("a string contains more than \(Self.markLimit) combining marks in a row")
      }
    }
  }

  private mutating func string() throws(JSON.Problem) -> String {
    let start = position + 1
    try skipString()
    return try decoded(start..<position - 1)
  }

  /// Returns the text of the characters between two quotation marks.
  private mutating func decoded(_ range: Range<Int>) throws(JSON.Problem) -> String {
    let (start, end) = (range.lowerBound, range.upperBound)
    let plain = bytes[start..<end]
    guard plain.contains(UInt8(ascii: "\\")) else { return String(decoding: plain, as: UTF8.self) }
    var text: [UInt8] = []
    let after = position
    position = start
    while position < end {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\\") {
        text += try escape().utf8
      } else {
        text.append(byte)
      }
    }
    position = after
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads and decodes the rest of an escape, after its backslash.
  private mutating func escape() throws(JSON.Problem) -> Unicode.Scalar {
    guard let byte = peek else { throw unexpected() }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeEscape()
    default: throw JSON.Problem("a string contains an unknown escape")
    }
  }

  private mutating func unicodeEscape() throws(JSON.Problem) -> Unicode.Scalar {
    let lone = JSON.Problem("a string contains an unpaired surrogate")
    let unit = try hexadecimal()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard 0xd800..<0xdc00 ~= unit, consume(UInt8(ascii: "\\")), consume(UInt8(ascii: "u")) else {
      throw lone
    }
    let low = try hexadecimal()
    guard 0xdc00..<0xe000 ~= low,
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00))
    else { throw lone }
    return scalar
  }

  private mutating func hexadecimal() throws(JSON.Problem) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      let digit: UInt8
      switch peek {
      case .some(let byte) where UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte:
        digit = byte - UInt8(ascii: "0")
      case .some(let byte) where UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte:
        digit = byte - UInt8(ascii: "a") + 10
      case .some(let byte) where UInt8(ascii: "A")...UInt8(ascii: "F") ~= byte:
        digit = byte - UInt8(ascii: "A") + 10
      default: throw unexpected()
      }
      unit = unit << 4 | UInt32(digit)
      position += 1
    }
    return unit
  }

  // MARK: Bytes

  private var peek: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  private mutating func consume(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 {
      position += 1
    }
  }

  private func unexpected() -> JSON.Problem {
    peek == nil
      ? JSON.Problem("the JSON ends too early")
      : JSON.Problem("the JSON is not valid at byte \(position - bytes.startIndex)")
  }
}
