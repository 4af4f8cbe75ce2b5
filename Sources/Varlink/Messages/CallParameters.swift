/// What a method takes.
public protocol CallParameters: Decodable, Sendable {
  /// The names of all members, so that unknown ones can be refused.
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
      throw .invalidParameter(error.member ?? "parameters")
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
