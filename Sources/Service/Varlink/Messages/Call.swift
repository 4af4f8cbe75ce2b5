public import LinuxIO
internal import Text

/// Identifies one connection of a client. Never reused.
public struct ConnectionID: Hashable, Sendable {
  /// The connection's token for the poller, unique within the server.
  public let token: UInt64
}

/// Identifies one call. Never reused.
public struct CallID: Hashable, Sendable {
  public let connection: ConnectionID
  let number: UInt64
}

/// A call of a method by a client.
public struct Call: Sendable {
  public let id: CallID
  /// The fully qualified name of the method, as the client sent it.
  public let method: String
  /// Whether the client accepts several replies.
  public let wantsMore: Bool
  /// Whether the client expects no reply. The server then drops all replies.
  public let isOneway: Bool
  public let peer: PeerCredentials
  let encodedParameters: EncodedParameters

  /// Decodes the parameters.
  /// - Throws: `org.varlink.service.InvalidParameter` with the name of a parameter that is unknown,
  ///   missing, or of the wrong type; with "parameters" if that name is not known.
  package func parameters<P: CallParameters>(_ type: P.Type = P.self) throws(VarlinkError) -> P {
    try encodedParameters.decode(type)
  }
}

/// The decoded parameters of a method.
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
    members = JSONScanner.members(of: JSONScanner.acceptedValue(of: bytes), in: bytes)
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
  /// The name of the outermost member in which the error occurred; nil if it is not known.
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
