/// Checks that bytes are JSON and finds the members of an object, before they are decoded. Accepted
/// text is safe for a decoder: it is valid UTF-8 and has limited depth, no duplicate members, no
/// lone surrogates and no overlong numbers.
struct JSONScanner {
  enum Kind { case object, array, string, number, bool(Bool), null }

  struct Value {
    let kind: Kind
    /// The position of the value in the scanned bytes.
    let range: Range<Int>
  }

  struct Member {
    let name: ExactName
    let value: Value
  }

  static let depthLimit = 64
  /// The maximum number of characters, more than any double or 64-bit integer needs.
  static let numberLimit = 400

  private let bytes: ArraySlice<UInt8>
  private let checksNested: Bool
  private var position: Int

  private init(_ bytes: ArraySlice<UInt8>, checksNested: Bool = true) {
    self.bytes = bytes
    self.checksNested = checksNested
    position = bytes.startIndex
  }

  /// Checks a message, which must be one object, and returns its members in order.
  /// - Parameter checksNested: whether nested objects and lists are checked too. If false, only
  ///   their ends are found.
  static func members(
    of bytes: ArraySlice<UInt8>, checksNested: Bool = true
  ) throws(MalformedMessage) -> [Member] {
    do {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      throw MalformedMessage("it is not valid UTF-8")
    }
    var scanner = JSONScanner(bytes, checksNested: checksNested)
    scanner.skipSpace()
    guard scanner.peek == UInt8(ascii: "{") else {
      throw MalformedMessage("it is not a JSON object")
    }
    var members: [Member] = []
    try scanner.object(depth: 1) { members.append($0) }
    scanner.skipSpace()
    guard scanner.peek == nil else { throw scanner.unexpected() }
    return members
  }

  /// Returns the text of a string that has been scanned.
  static func text(_ value: Value, in bytes: ArraySlice<UInt8>) -> String {
    var scanner = JSONScanner(bytes[..<value.range.upperBound])
    scanner.position = value.range.lowerBound
    return (try? scanner.string()) ?? ""
  }

  // MARK: Values

  private mutating func value(depth: Int) throws(MalformedMessage) -> Value {
    let start = position
    let kind: Kind
    switch peek {
    case UInt8(ascii: "{"):
      if checksNested { try object(depth: depth + 1) { _ in } } else { try skipNested() }
      kind = .object
    case UInt8(ascii: "["):
      if checksNested { try array(depth: depth + 1) } else { try skipNested() }
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

  /// Scans an object and passes its members to `body`. It returns no list, because most callers
  /// need none, and a message may be one very long list.
  private mutating func object(
    depth: Int, _ body: (Member) -> Void
  ) throws(MalformedMessage) {
    try checkDepth(depth)
    position += 1
    var names: Set<ExactName> = []
    skipSpace()
    if take(UInt8(ascii: "}")) { return }
    repeat {
      skipSpace()
      guard peek == UInt8(ascii: "\"") else { throw unexpected() }
      let name = ExactName(try string())
      guard names.insert(name).inserted else {
        throw MalformedMessage("an object has two members with the same name")
      }
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw unexpected() }
      skipSpace()
      body(Member(name: name, value: try value(depth: depth)))
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw unexpected() }
  }

  private mutating func array(depth: Int) throws(MalformedMessage) {
    try checkDepth(depth)
    position += 1
    skipSpace()
    if take(UInt8(ascii: "]")) { return }
    repeat {
      skipSpace()
      _ = try value(depth: depth)
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw unexpected() }
  }

  private mutating func skipNested() throws(MalformedMessage) {
    guard let end = JSON.endOfNested(in: bytes, from: position) else {
      position = bytes.endIndex
      throw unexpected()
    }
    position = end
  }

  private func checkDepth(_ depth: Int) throws(MalformedMessage) {
    guard depth <= Self.depthLimit else {
      throw MalformedMessage("it is nested more than \(Self.depthLimit) levels deep")
    }
  }

  private mutating func word(_ word: String) throws(MalformedMessage) {
    let end = position + word.utf8.count
    guard end <= bytes.endIndex, bytes[position..<end].elementsEqual(word.utf8) else {
      throw unexpected()
    }
    position = end
  }

  private mutating func number() throws(MalformedMessage) {
    let start = position
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    if take(UInt8(ascii: ".")) { try digits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    guard position - start <= Self.numberLimit else {
      throw MalformedMessage("a number has more than \(Self.numberLimit) digits")
    }
  }

  private mutating func digits() throws(MalformedMessage) {
    let start = position
    while let byte = peek, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
    guard position > start else { throw unexpected() }
  }

  // MARK: Strings

  /// Skips a string without decoding its text.
  private mutating func skipString() throws(MalformedMessage) {
    position += 1
    while let byte = peek {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return
      case UInt8(ascii: "\\"): _ = try escape()
      case ..<0x20: throw MalformedMessage("a string contains a control character")
      default: break
      }
    }
    throw unexpected()
  }

  private mutating func string() throws(MalformedMessage) -> String {
    let start = position + 1
    try skipString()
    let end = position - 1
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

  /// Decodes the escape after a backslash.
  private mutating func escape() throws(MalformedMessage) -> Unicode.Scalar {
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
    default: throw MalformedMessage("a string contains an unknown escape")
    }
  }

  private mutating func unicodeEscape() throws(MalformedMessage) -> Unicode.Scalar {
    let lone = MalformedMessage("a string contains half a surrogate pair")
    let unit = try hexadecimal()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard 0xd800..<0xdc00 ~= unit, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
      throw lone
    }
    let low = try hexadecimal()
    guard 0xdc00..<0xe000 ~= low,
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00))
    else { throw lone }
    return scalar
  }

  private mutating func hexadecimal() throws(MalformedMessage) -> UInt32 {
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

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 {
      position += 1
    }
  }

  private func unexpected() -> MalformedMessage {
    peek == nil
      ? MalformedMessage("the JSON ends too early")
      : MalformedMessage("it is not valid JSON at byte \(position - bytes.startIndex)")
  }
}

/// The message is not a valid Varlink message. The reason completes "the message is malformed: …".
struct MalformedMessage: Error, Hashable {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}
