/// What a method takes.
public protocol CallParameters: Decodable, Sendable {
  /// The names of all members in the order in which they are decoded, so that unknown ones can be refused.
  static var names: [String] { get }
}

/// Of a method that takes none.
public struct NoParameters: CallParameters, Encodable, Hashable {
  public static let names: [String] = []
  public init() {}
}

/// The parameters of a call as they came.
struct EncodedParameters {
  /// One JSON object, scanned.
  private let bytes: ArraySlice<UInt8>
  private let members: [JSONScanner.Member]

  init() {
    bytes = JSON.emptyObject[...]
    members = []
  }

  init(_ bytes: ArraySlice<UInt8>) throws(MalformedMessage) {
    self.bytes = bytes
    members = try JSONScanner.members(of: bytes)
  }

  func decode<P: CallParameters>(_ type: P.Type) throws(VarlinkError) -> P {
    if let unknown = members.first(where: { !P.names.contains($0.name) }) {
      throw .invalidParameter(unknown.name)
    }
    do throws(DecodingError) {
      return try JSON.decode(type, from: bytes)
    } catch {
      throw .invalidParameter(error.member ?? unreadableMember(type) ?? "parameters")
    }
  }

  /// Where a number does not fit, the decoder does not tell in which member. It has come as far as that one: without
  /// it, or one that is required and comes before it, the error is another.
  private func unreadableMember<P: CallParameters>(_ type: P.Type) -> String? {
    P.names.last { name in
      let others = members.filter { $0.name != name }
      guard others.count < members.count else { return false }
      let pairs = others.map {
        JSON.encodedString($0.name) + [UInt8(ascii: ":")] + bytes[$0.value.range]
      }
      let object =
        [UInt8(ascii: "{")] + pairs.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
      do throws(DecodingError) { _ = try JSON.decode(type, from: object[...]) } catch {
        return error.member != nil
      }
      return true
    }
  }
}

extension DecodingError {
  /// The outermost member that is at fault, where it is known.
  fileprivate var member: String? {
    switch self {
    case .keyNotFound(let key, let context):
      (context.codingPath.first ?? key).stringValue
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      context.codingPath.first?.stringValue
    @unknown default: nil
    }
  }
}
