/// Encodes values as JSON, with members sorted by name.
final class JSONEncoding: Encoder {
  private enum Content {
    case nothing
    case scalar(JSONScalar)
    case array([JSONEncoding])
    case object([(name: String, value: JSONEncoding)])
  }

  let codingPath: [any CodingKey]
  private var content = Content.nothing

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(codingPath: [any CodingKey] = []) { self.codingPath = codingPath }

  func write(to json: inout JSONWriter) {
    switch content {
    // The type encodes nothing.
    case .nothing: json.object { _ in }
    case .scalar(let scalar): scalar.write(to: &json)
    case .array(let elements):
      json.array { json in
        for element in elements { element.write(to: &json) }
      }
    case .object(let members):
      json.object { json in
        for member in members.sorted(by: { $0.name < $1.name }) {
          json.member(member.name)
          member.value.write(to: &json)
        }
      }
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .object = content {} else { content = .object([]) }
    return KeyedEncodingContainer(JSONEncodedMembers(encoding: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .array = content {} else { content = .array([]) }
    return JSONEncodedElements(encoding: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    JSONEncodedValue(encoding: self)
  }

  fileprivate func set(_ scalar: JSONScalar) { content = .scalar(scalar) }

  fileprivate func member(_ key: any CodingKey) -> JSONEncoding {
    let value = JSONEncoding(codingPath: codingPath + [key])
    guard case .object(var members) = content else { return value }
    content = .nothing
    members.append((key.stringValue, value))
    content = .object(members)
    return value
  }

  fileprivate var count: Int {
    if case .array(let elements) = content { elements.count } else { 0 }
  }

  fileprivate func element() -> JSONEncoding {
    let value = JSONEncoding(codingPath: codingPath + [JSONKey.element(count)])
    guard case .array(var elements) = content else { return value }
    content = .nothing
    elements.append(value)
    content = .array(elements)
    return value
  }
}

private enum JSONScalar {
  case null
  case bool(Bool)
  case text(String)
  case integer(Int64)
  case large(UInt64)
  case number(Double)

  func write(to json: inout JSONWriter) {
    switch self {
    case .null: json.value(literal: "null")
    case .bool(let value): json.value(literal: value ? "true" : "false")
    case .text(let text): json.value(text)
    case .integer(let number): json.value(number)
    case .large(let number): json.value(literal: "\(number)")
    case .number(let number): json.value(number)
    }
  }
}

private struct JSONEncodedValue: SingleValueEncodingContainer {
  let encoding: JSONEncoding
  var codingPath: [any CodingKey] { encoding.codingPath }

  func encodeNil() { encoding.set(.null) }
  func encode(_ value: Bool) { encoding.set(.bool(value)) }
  func encode(_ value: String) { encoding.set(.text(value)) }
  func encode(_ value: Double) { encoding.set(.number(value)) }
  func encode(_ value: Float) { encoding.set(.number(Double(value))) }

  func encode<Whole: FixedWidthInteger & Encodable>(_ value: Whole) {
    encoding.set(Int64(exactly: value).map { .integer($0) } ?? .large(UInt64(clamping: value)))
  }

  func encode<Other: Encodable>(_ value: Other) throws { try value.encode(to: encoding) }
}

private struct JSONEncodedMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoding: JSONEncoding
  var codingPath: [any CodingKey] { encoding.codingPath }

  func encodeNil(forKey key: Key) { encoding.member(key).set(.null) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try value.encode(to: encoding.member(key))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoding.member(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoding.member(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoding.member(JSONKey.member("super")) }
  func superEncoder(forKey key: Key) -> any Encoder { encoding.member(key) }
}

private struct JSONEncodedElements: UnkeyedEncodingContainer {
  let encoding: JSONEncoding
  var codingPath: [any CodingKey] { encoding.codingPath }
  var count: Int { encoding.count }

  func encodeNil() { encoding.element().set(.null) }

  func encode<Value: Encodable>(_ value: Value) throws {
    try value.encode(to: encoding.element())
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    encoding.element().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    encoding.element().unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoding.element() }
}
