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
  var bytes = JSON.emptyObject
  /// Of its members.
  var names: [String] = []

  func decode<P: CallParameters>(_ type: P.Type) throws(VarlinkError) -> P {
    if let unknown = names.first(where: { !P.names.contains($0) }) {
      throw .invalidParameter(unknown)
    }
    do throws(DecodingError) {
      return try JSON.decode(type, from: bytes[...])
    } catch {
      throw .invalidParameter(error.parameter ?? P.names.first ?? "parameters")
    }
  }
}

extension DecodingError {
  /// The outermost member that is at fault.
  fileprivate var parameter: String? {
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
