public import LinuxIO

/// Identifies one connection of a client; never reused.
public struct ConnectionID: Hashable, Sendable {
  /// The connection's number, unique within the process.
  public let token: UInt64
}

/// Identifies one call; never reused.
public struct CallID: Hashable, Sendable {
  public let connection: ConnectionID
  let number: UInt64
}

/// A method that a client calls.
public struct Call: Sendable {
  public let id: CallID
  /// The fully qualified name, as sent.
  public let method: String
  /// Whether the client accepts several replies.
  public let wantsMore: Bool
  /// Whether the client accepts no reply. The server then drops all replies.
  public let isOneway: Bool
  public let peer: PeerCredentials
  let encodedParameters: EncodedParameters

  /// Decodes the parameters.
  /// - Throws: `org.varlink.service.InvalidParameter` with the name of a parameter that is unknown,
  ///   missing, or of the wrong type.
  package func parameters<P: CallParameters>(_ type: P.Type = P.self) throws(VarlinkError) -> P {
    try encodedParameters.decode(type)
  }
}
