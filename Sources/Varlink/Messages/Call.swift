public import LinuxIO

/// One connection of a client; never used again.
public struct ConnectionID: Hashable, Sendable {
  /// Its number among all of the process.
  public let token: UInt64
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
  let encodedParameters: EncodedParameters

  /// The parameters as a type.
  /// - Throws: `org.varlink.service.InvalidParameter` with the name of one that is unknown, missing, or of the
  ///   wrong type.
  public func parameters<P: CallParameters>(_ type: P.Type = P.self) throws(VarlinkError) -> P {
    try encodedParameters.decode(type)
  }
}
