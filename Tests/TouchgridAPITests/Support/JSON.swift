import FoundationEssentials
import Text

/// Any JSON value, to inspect encoded data.
enum JSON: Decodable, Hashable {
  case null
  case bool(Bool)
  case int(Int64)
  case float(Double)
  case string(String)
  case list([JSON])
  case object([String: JSON])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let int = try? value.decode(Int64.self) {
      self = .int(int)
    } else if let float = try? value.decode(Double.self) {
      self = .float(float)
    } else if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let list = try? value.decode([JSON].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode([String: JSON].self))
    }
  }

  init(_ value: some Encodable) throws {
    self = try JSONDecoder().decode(JSON.self, from: JSONEncoder().encode(value))
  }
}

func encoded(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys]
  return String(decoding: try encoder.encode(value), as: UTF8.self)
}

func decoded<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
  try JSONDecoder().decode(type, from: Data(text.utf8))
}
