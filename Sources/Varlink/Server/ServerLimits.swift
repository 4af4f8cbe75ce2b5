/// What a server takes before it refuses.
public struct ServerLimits: Hashable, Sendable {
  /// Of one call, without its NUL.
  public var messageBytes = 65_536
  /// At a time.
  public var clients = 64
  /// More, for root and the user that the server runs as: others must not lock these out.
  public var reserved = 8
  /// Of one user at a time. Root and the user that the server runs as are exempt.
  public var clientsPerUser = 32
  /// What may wait for a client that does not read. One reply of any size is taken when nothing else waits.
  public var queueBytes = 1 << 20

  public init() {}
}

/// What a server says before it closes a connection, in the words of the interface that it serves.
public struct ServerErrors: Sendable {
  /// Too many clients are connected, or too many of this user.
  public var tooManyClients: @Sendable (_ limit: Int, _ message: String) -> VarlinkError
  /// The client did not read its replies.
  public var tooSlow: @Sendable (_ message: String) -> VarlinkError
  /// What came is no message of Varlink.
  public var malformedMessage: @Sendable (_ message: String) -> VarlinkError

  public init(
    tooManyClients: @escaping @Sendable (_ limit: Int, _ message: String) -> VarlinkError,
    tooSlow: @escaping @Sendable (_ message: String) -> VarlinkError,
    malformedMessage: @escaping @Sendable (_ message: String) -> VarlinkError
  ) {
    self.tooManyClients = tooManyClients
    self.tooSlow = tooSlow
    self.malformedMessage = malformedMessage
  }
}
