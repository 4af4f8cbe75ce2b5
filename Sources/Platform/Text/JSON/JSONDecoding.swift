/// The keys of a type that is decoded only from objects without other members.
package protocol OnlyKeys: CodingKey {}

/// Decodes values from JSON that has been scanned.
struct JSONDecoding: Decoder {
  let value: JSONScanner.Value
  private let bytes: ArraySlice<UInt8>
  private let parents: [any CodingKey]
  private let key: (any CodingKey)?

  var codingPath: [any CodingKey] { key.map { parents + [$0] } ?? parents }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ value: JSONScanner.Value, in bytes: ArraySlice<UInt8>) {
    self.init(value, in: bytes, parents: [], key: nil)
  }

  private init(
    _ value: JSONScanner.Value, in bytes: ArraySlice<UInt8>, parents: [any CodingKey],
    key: (any CodingKey)?
  ) {
    self.value = value
    self.bytes = bytes
    self.parents = parents
    self.key = key
  }

  /// - Parameter path: the coding path of this value.
  fileprivate func child(
    _ value: JSONScanner.Value, _ path: [any CodingKey], _ key: any CodingKey
  ) -> JSONDecoding {
    JSONDecoding(value, in: bytes, parents: path, key: key)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object = value.kind else { throw mismatch([String: Any].self) }
    let members = JSONScanner.members(of: value, in: bytes)
    if Key.self is any OnlyKeys.Type,
      let other = members.first(where: { Key(stringValue: $0.name.text) == nil })
    {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: codingPath + [JSONKey.member(other.name.text.printable())],
          debugDescription: "an unknown member"))
    }
    guard !members.lazy.map(\.name).hasEquivalents else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: codingPath, debugDescription: "two members with equivalent names"))
    }
    return KeyedDecodingContainer(JSONMembers(self, members))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array = value.kind else { throw mismatch([Any].self) }
    return JSONElements(self, JSONScanner.elements(of: value, in: bytes))
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension JSONDecoding: SingleValueDecodingContainer {
  func decodeNil() -> Bool { if case .null = value.kind { true } else { false } }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .bool(let value) = value.kind else { throw mismatch(type) }
    return value
  }

  func decode(_ type: String.Type) throws -> String {
    guard case .string = value.kind else { throw mismatch(type) }
    return JSONScanner.text(value, in: bytes)
  }

  func decode(_ type: Double.Type) throws -> Double {
    guard let number = Double(try digits(type)), number.isFinite else { throw unfit(type) }
    return number
  }

  func decode(_ type: Float.Type) throws -> Float {
    guard let number = Float(try digits(type)), number.isFinite else { throw unfit(type) }
    return number
  }

  /// Decodes a whole number. It may be written with a point or an exponent if its magnitude is
  /// below 2^53, because a double represents each of these numbers exactly.
  func decode<Whole: FixedWidthInteger & Decodable>(_ type: Whole.Type) throws -> Whole {
    let digits = try digits(type)
    if let number = Whole(digits) { return number }
    guard let number = Double(digits), number.magnitude < 0x1p53,
      let whole = Whole(exactly: number)
    else { throw unfit(type) }
    return whole
  }

  func decode<Other: Decodable>(_ type: Other.Type) throws -> Other { try Other(from: self) }

  /// Decodes a long list of numbers in one pass, without a decoder for each element.
  /// - Returns: nil if the value is not a list, if `type` is neither `[Int64]` nor `[Double]`, or
  ///   if an element cannot be decoded in this way. The caller then decodes element by element.
  fileprivate func numbers<List>(_ type: List.Type) -> List? {
    guard case .array = value.kind else { return nil }
    if type == [Int64].self {
      return JSONScanner.numbers(of: value, in: bytes, Self.integer) as? List
    }
    guard type == [Double].self else { return nil }
    return JSONScanner.numbers(of: value, in: bytes) { digits in
      if let whole = Self.integer(digits), whole.magnitude < 1 << 53, whole != 0 {
        return Double(whole)
      }
      return Double(String(decoding: digits, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
    } as? List
  }

  private static func integer(_ digits: ArraySlice<UInt8>) -> Int64? {
    // Any number of at most 18 characters fits into an `Int64`.
    guard digits.count <= 18 else { return Int64(String(decoding: digits, as: UTF8.self)) }
    var number: Int64 = 0
    let isNegative = digits.first == UInt8(ascii: "-")
    for digit in isNegative ? digits.dropFirst() : digits {
      guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
      number = number &* 10 &+ Int64(digit &- UInt8(ascii: "0"))
    }
    return isNegative ? -number : number
  }

  private func digits(_ type: any Any.Type) throws -> String {
    guard case .number = value.kind else { throw mismatch(type) }
    return String(decoding: bytes[value.range], as: UTF8.self)
  }

  private func mismatch(_ type: any Any.Type) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath, debugDescription: "a value of the wrong type")
    return decodeNil() ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  private func unfit(_ type: any Any.Type) -> DecodingError {
    .dataCorrupted(
      .init(codingPath: codingPath, debugDescription: "a number outside the range of \(type)"))
  }
}

/// The members of an object.
private struct JSONMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoding: JSONDecoding
  private let values: [ExactName: JSONScanner.Value]
  let codingPath: [any CodingKey]

  init(_ decoding: JSONDecoding, _ members: [JSONScanner.Member]) {
    self.decoding = decoding
    values = Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    codingPath = decoding.codingPath
  }

  var allKeys: [Key] { values.keys.compactMap { Key(stringValue: $0.text) } }

  func contains(_ key: Key) -> Bool { values[ExactName(key.stringValue)] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try member(key).decodeNil() }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    let member = try member(key)
    return try member.numbers(type) ?? Value(from: member)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try member(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try member(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try member(JSONKey.member("super")) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }

  private func member(_ key: some CodingKey) throws -> JSONDecoding {
    guard let value = values[ExactName(key.stringValue)] else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "a member is missing"))
    }
    return decoding.child(value, codingPath, key)
  }
}

/// The elements of an array.
private struct JSONElements: UnkeyedDecodingContainer {
  private let decoding: JSONDecoding
  private let values: [JSONScanner.Value]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(_ decoding: JSONDecoding, _ values: [JSONScanner.Value]) {
    self.decoding = decoding
    self.values = values
    codingPath = decoding.codingPath
  }

  var count: Int? { values.count }
  var isAtEnd: Bool { currentIndex == values.count }

  mutating func decodeNil() throws -> Bool {
    guard try element(Never.self).decodeNil() else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try Value(from: element(type))
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let container = try element(type).container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try element([Any].self).unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try element((any Decoder).self)
    currentIndex += 1
    return decoder
  }

  private func element(_ type: any Any.Type) throws -> JSONDecoding {
    let key = JSONKey.element(currentIndex)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: codingPath + [key], debugDescription: "there are no more elements"))
    }
    return decoding.child(values[currentIndex], codingPath, key)
  }
}
