/// A JSON value. Members keep their order, numbers their exact digits.
public enum JSONValue: Hashable, Sendable {
  public struct Member: Hashable, Sendable {
    public var name: String
    public var value: JSONValue
    public init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  case null
  case bool(Bool)
  /// A number, as its digits.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// Returns an integer as a JSON number.
  public static func integer(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }

  /// Returns a number with the shortest digits that parse to the same number; `null` for NaN and
  /// infinities, which JSON cannot represent.
  public static func real(_ value: Double) -> JSONValue {
    value.isFinite ? .number(shortestDigits(value)) : .null
  }

  /// The JSON text: one line without white space between tokens. All unprintable characters are
  /// escaped, which is more than JSON demands, because a name from another program must not control
  /// the terminal that shows it.
  public var text: String { exactText.printableJSON }

  /// The same JSON text as `text`, except that only the characters are escaped that JSON requires.
  /// Meant for files whose bytes must not depend on the abilities of a terminal.
  public var exactText: String {
    var writer = JSONWriter()
    write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func write(to json: inout JSONWriter) {
    switch self {
    case .null: json.value(literal: "null")
    case .bool(let value): json.value(value)
    case .number(let digits): json.value(literal: digits)
    case .string(let string): json.value(string)
    case .array(let elements):
      json.array { json in
        for element in elements { element.write(to: &json) }
      }
    case .object(let members):
      json.object { json in
        for member in members {
          json.member(member.name)
          member.value.write(to: &json)
        }
      }
    }
  }
}

extension JSONValue {
  /// Reads one value.
  /// - Parameter text: the whole text, which need not be valid.
  public init(parsing text: String) throws(JSON.Problem) {
    let bytes = Array(text.utf8)[...]
    self.init(try JSONScanner.value(of: bytes), in: bytes)
  }

  private init(_ value: JSONScanner.Value, in bytes: ArraySlice<UInt8>) {
    switch value.kind {
    case .null: self = .null
    case .bool(let truth): self = .bool(truth)
    case .number: self = .number(String(decoding: bytes[value.range], as: UTF8.self))
    case .string: self = .string(JSONScanner.text(value, in: bytes))
    case .array:
      self = .array(
        JSONScanner.elements(of: value, in: bytes).map { JSONValue($0, in: bytes) })
    case .object:
      self = .object(
        JSONScanner.members(of: value, in: bytes).map {
          Member(name: $0.name.text, value: JSONValue($0.value, in: bytes))
        })
    }
  }

  /// The value of a member; nil if there is none, or if this is not an object.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// The text; nil if this is not a string.
  public var string: String? { if case .string(let string) = self { string } else { nil } }
  /// The elements; nil if this is not a list.
  public var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }
  /// The digits of the number; nil if this is not a number.
  public var digits: String? { if case .number(let digits) = self { digits } else { nil } }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByStringLiteral
{
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member(name: $0.0, value: $0.1) })
  }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(stringLiteral value: String) { self = .string(value) }
}
