/// Values to JSON and back. What is decoded must have been scanned before (`JSONScanner`).
enum JSON {
  static let emptyObject = Array("{}".utf8)

  /// - Returns: nil where the value is no object, or has a number that JSON cannot say (NaN, infinity).
  static func encodedObject(_ value: some Encodable) -> [UInt8]? {
    var writer = JSONWriter()
    if let writable = value as? any JSONWritable {
      writable.write(to: &writer)
    } else {
      writer.value(value)
    }
    return writer.isComplete && writer.bytes.first == UInt8(ascii: "{") ? writer.bytes : nil
  }

  static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: ArraySlice<UInt8>
  ) throws(DecodingError) -> Value {
    do {
      return try Value(from: JSONDecoding(ScannedJSON.value(of: bytes), in: bytes))
    } catch let error as DecodingError {
      throw error
    } catch {
      throw .dataCorrupted(.init(codingPath: [], debugDescription: "\(error)"))
    }
  }
}

extension JSON {
  /// A string between quotes.
  static func encodedString(_ text: String) -> [UInt8] {
    var bytes = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): bytes += "\\n".utf8
      case UInt8(ascii: "\r"): bytes += "\\r".utf8
      case UInt8(ascii: "\t"): bytes += "\\t".utf8
      case ..<0x20:
        let digits = Array("0123456789abcdef".utf8)
        bytes += "\\u00".utf8
        bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
    return bytes
  }
}

/// The name of a member, or the place of an element.
enum JSONKey: CodingKey {
  case member(String)
  case element(Int)

  init(stringValue: String) { self = .member(stringValue) }
  init(intValue: Int) { self = .element(intValue) }

  var stringValue: String {
    switch self {
    case .member(let name): name
    case .element(let index): "\(index)"
    }
  }

  var intValue: Int? { if case .element(let index) = self { index } else { nil } }
}
