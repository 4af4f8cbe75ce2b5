public import LinuxIO

/// One connection of a client; never used again.
public struct ConnectionID: Hashable, Sendable {
  let token: UInt64
}

/// One call; never used again.
public struct CallID: Hashable, Sendable {
  public let connection: ConnectionID
  let number: UInt64
}

/// A method that a client calls.
public struct Call: Sendable {
  public let id: CallID
  /// Fully qualified, as sent.
  public let method: String
  /// The client takes several replies.
  public let wantsMore: Bool
  /// The client takes no reply: the server swallows what is sent.
  public let isOneway: Bool
  public let peer: PeerCredentials
  /// One JSON object, scanned.
  let parameters: [UInt8]
  let parameterNames: [String]

  /// The parameters as a type.
  /// - Throws: `org.varlink.service.InvalidParameter` with the name of one that is unknown, missing, or of the
  ///   wrong type.
  public func parameters<P: CallParameters>(_ type: P.Type = P.self) throws(VarlinkError) -> P {
    if let unknown = parameterNames.first(where: { !P.names.contains($0) }) {
      throw .invalidParameter(unknown)
    }
    do throws(DecodingError) {
      return try JSON.decode(type, from: parameters[...])
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
