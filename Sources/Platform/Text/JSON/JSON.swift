/// Encodes and decodes JSON.
public enum JSON {
  /// The text of an object without members.
  package static let emptyObject = Array("{}".utf8)

  /// The reason why a text is not the expected JSON. It completes "the text is invalid: …".
  public struct Problem: Error, Hashable, Sendable {
    public let reason: String
    init(_ reason: String) { self.reason = reason }
  }

  /// Encodes an object.
  /// - Returns: nil if the value is not encoded as an object, cannot be encoded, or has a number
  ///   that JSON cannot represent (NaN or infinity).
  public static func encodedObject(_ value: some Encodable) -> [UInt8]? {
    var writer = JSONWriter()
    if let writable = value as? any JSONWritable {
      writable.write(to: &writer)
    } else {
      writer.value(value)
    }
    return writer.isComplete && writer.bytes.first == UInt8(ascii: "{") ? writer.bytes : nil
  }

  /// Checks and decodes one object.
  /// - Parameters:
  ///   - bytes: the whole text, which need not be valid.
  ///   - limitsMarks: whether it is refused for more than 64 combining marks in a row.
  public static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: ArraySlice<UInt8>, limitsMarks: Bool = false
  ) throws(Problem) -> Value {
    _ = try JSONScanner.members(of: bytes, limitsMarks: limitsMarks)
    do throws(DecodingError) {
      return try decodeScanned(type, from: bytes)
    } catch {
      throw Problem(words(error))
    }
  }

  /// Decodes a text that `JSONScanner` has accepted.
  package static func decodeScanned<Value: Decodable>(
    _ type: Value.Type, from bytes: ArraySlice<UInt8>
  ) throws(DecodingError) -> Value {
    do {
      return try Value(from: JSONDecoding(JSONScanner.acceptedValue(of: bytes), in: bytes))
    } catch let error as DecodingError {
      throw error
    } catch {
      throw .dataCorrupted(.init(codingPath: [], debugDescription: "\(error)"))
    }
  }

  private static func words(_ error: DecodingError) -> String {
    func path(_ context: DecodingError.Context) -> String {
      context.codingPath.map(\.stringValue).joined(separator: ".")
    }
    switch error {
    case .keyNotFound(let key, let context):
      return
        "'\((context.codingPath + [key]).map(\.stringValue).joined(separator: "."))' is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      return "'\(path(context))' has the wrong type"
    case .dataCorrupted(let context):
      return "'\(path(context))' has an invalid value"
    @unknown default: return "\(error)"
    }
  }
}

extension JSON {
  /// Returns the text as a JSON string in quotes.
  package static func encodedString(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    quote(text, into: &bytes)
    return bytes
  }

  static func quote(_ text: String, into bytes: inout [UInt8]) {
    var text = text
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { text in
      let isPlain = unsafe text.allSatisfy {
        $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
      }
      if isPlain { return unsafe bytes.append(contentsOf: text) }
      for index in text.indices { escape(unsafe text[index], into: &bytes) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func escape(_ byte: UInt8, into bytes: inout [UInt8]) {
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
}

/// The name of a member, or the index of an element.
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
