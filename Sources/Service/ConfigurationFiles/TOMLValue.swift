internal import CToml

/// A value in a TOML file.
public enum TOMLValue: Equatable {
  /// The members by name.
  case table([String: TOMLValue])
  case array([TOMLValue])
  case string(String)
  case integer(Int64)
  case float(Double)
  case boolean(Bool)
  case date
  case time
  case dateTime

  /// A syntax error: the description from toml++, and the line.
  struct ParseError: Error, Equatable {
    let reason: String
    let line: Int
  }

  /// Parses a TOML document.
  /// - Returns: the root table.
  static func parse(_ text: String) throws(ParseError) -> TOMLValue {
    var text = text
    var reason = [CChar](repeating: 0, count: 1024)
    var line: Int64 = 1
    let root = text.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) {
        unsafe tg_toml_parse($0.baseAddress, $0.count, &reason, reason.count, &line)
      }
    }
    guard let root = unsafe root else {
      let words = reason.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }
      throw ParseError(reason: String(decoding: words, as: UTF8.self), line: Int(line))
    }
    defer { unsafe tg_toml_free(root) }
    return unsafe TOMLValue(root)
  }

  private init(_ value: OpaquePointer) {
    switch unsafe tg_toml_kind(value) {
    case TG_TOML_TABLE:
      self = .table(
        unsafe Dictionary(Self.values(of: value), uniquingKeysWith: { $1 }))
    case TG_TOML_ARRAY: self = .array(unsafe Self.values(of: value).map(\.value))
    case TG_TOML_INTEGER: self = .integer(unsafe tg_toml_integer(value))
    case TG_TOML_FLOAT: self = .float(unsafe tg_toml_float(value))
    case TG_TOML_BOOLEAN: self = .boolean(unsafe tg_toml_boolean(value))
    case TG_TOML_DATE: self = .date
    case TG_TOML_TIME: self = .time
    case TG_TOML_DATE_TIME: self = .dateTime
    default:
      var size = 0
      let start = unsafe tg_toml_string(value, &size)
      self = .string(unsafe Self.text(start, size))
    }
  }

  /// Returns the members of a table, with their names, or the elements of an array, with empty
  /// names.
  private static func values(of parent: OpaquePointer) -> [(name: String, value: TOMLValue)] {
    var values: [(name: String, value: TOMLValue)] = []
    unsafe withUnsafeMutablePointer(to: &values) { values in
      unsafe tg_toml_each(
        parent,
        { context, name, size, value in
          guard let value = unsafe value else { return }
          unsafe context?.assumingMemoryBound(to: [(name: String, value: TOMLValue)].self).pointee
            .append((TOMLValue.text(name, size), TOMLValue(value)))
        }, values)
    }
    return values
  }

  private static func text(_ start: UnsafePointer<CChar>?, _ size: Int) -> String {
    unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: size), as: UTF8.self)
  }
}

extension TOMLValue {
  public var table: [String: TOMLValue]? {
    if case .table(let members) = self { members } else { nil }
  }
  public var array: [TOMLValue]? { if case .array(let elements) = self { elements } else { nil } }
  public var string: String? { if case .string(let text) = self { text } else { nil } }
  public var int: Int? { if case .integer(let number) = self { Int(exactly: number) } else { nil } }
  public var double: Double? { if case .float(let number) = self { number } else { nil } }
  public var bool: Bool? { if case .boolean(let value) = self { value } else { nil } }

  public var kindInWords: String {
    switch self {
    case .table: "a table"
    case .array: "a list"
    case .string: "a string"
    case .integer: "an integer"
    case .float: "a number with a fraction"
    case .boolean: "true or false"
    case .date: "a date"
    case .time: "a time of day"
    case .dateTime: "a date with a time"
    }
  }
}
