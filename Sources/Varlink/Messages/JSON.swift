internal import FoundationEssentials

/// Values to JSON and back. What is decoded must have been scanned before (`JSONScanner`).
enum JSON {
  static let emptyObject = Array("{}".utf8)

  /// - Returns: nil where the value is no object, or has a number that JSON cannot say (NaN, infinity).
  static func encodedObject(_ value: some Encodable) -> [UInt8]? {
    if let writable = value as? any JSONWritable { return encodedObject(writing: writable) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value), data.first == UInt8(ascii: "{") else {
      return nil
    }
    return Array(data)
  }

  static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: ArraySlice<UInt8>
  ) throws(DecodingError) -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
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
