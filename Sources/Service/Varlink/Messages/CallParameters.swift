internal import Text

/// The parameters of a method.
package protocol CallParameters: Decodable, Sendable {
  /// The names of all members, so that unknown ones can be rejected.
  static var names: [String] { get }
}

/// The parameters of a method that takes none.
package struct NoParameters: CallParameters, Encodable, Hashable {
  package static let names: [String] = []
  package init() {}
}

/// The parameters of a call, not decoded yet.
struct EncodedParameters {
  /// One JSON object.
  private let bytes: ArraySlice<UInt8>
  private let members: [JSONScanner.Member]

  init() {
    bytes = JSON.emptyObject[...]
    members = []
  }

  /// - Parameter bytes: one object that `JSONScanner` has checked.
  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    members = ValidatedJSONReader.members(of: ValidatedJSONReader.value(of: bytes), in: bytes)
  }

  func decode<P: CallParameters>(_ type: P.Type) throws(VarlinkError) -> P {
    let unknown = members.first { member in !P.names.contains { member.name == $0 } }
    if let unknown { throw .invalidParameter(unknown.name.text) }
    do throws(DecodingError) {
      return try JSON.decodeScanned(type, from: bytes)
    } catch {
      throw .invalidParameter(error.member ?? "parameters")
    }
  }
}

extension DecodingError {
  /// The outermost member with the error, if it is known.
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
