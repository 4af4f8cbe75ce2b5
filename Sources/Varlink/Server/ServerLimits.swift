/// What a server takes before it refuses.
public struct ServerLimits: Hashable, Sendable {
  /// Of callers without a role.
  public struct WithoutRole: Hashable, Sendable {
    public var messageBytes = 4096
    /// At a time. These are places of their own: nobody else has fewer for them.
    public var clients = 16
    public var clientsPerUser = 4
    public var queueBytes = 65_536
    /// How long after its last call, or its beginning, a connection is closed, in microseconds.
    public var idleMicroseconds: Int64 = 10_000_000
    /// In one turn, one for each user.
    public var calls = 4
    /// From one turn to the next, in microseconds.
    public var turnMicroseconds: Int64 = 2000

    public init() {}
  }

  /// Of one call, without its NUL.
  public var messageBytes = 65_536
  /// With a role, at a time.
  public var clients = 64
  /// More, for callers that may make urgent calls, and as many again for root and the user that the server runs as:
  /// others must not lock these out.
  public var reserved = 8
  /// Of one user at a time. Root and the user that the server runs as are exempt.
  public var clientsPerUser = 32
  /// What may wait for a client that does not read. One reply of any size is taken when nothing else waits.
  public var queueBytes = 1 << 20
  public var withoutRole = WithoutRole()

  public init() {}
}

extension ServerLimits {
  func messageBytes(_ standing: Standing) -> Int {
    standing == .withoutRole ? withoutRole.messageBytes : messageBytes
  }

  func queueBytes(_ standing: Standing) -> Int {
    standing == .withoutRole ? withoutRole.queueBytes : queueBytes
  }

  /// Connections of all callers with a role, or of all without one, beyond which one of this standing is refused.
  func clients(_ standing: Standing) -> Int {
    switch standing {
    case .withoutRole: withoutRole.clients
    case .withRole: clients
    case .urgent: clients + reserved
    case .owner: clients + 2 * reserved
    }
  }

  /// Connections of one user beyond which one of this standing is refused; nil: any number.
  func clientsPerUser(_ standing: Standing) -> Int? {
    switch standing {
    case .withoutRole: withoutRole.clientsPerUser
    case .withRole, .urgent: clientsPerUser
    case .owner: nil
    }
  }
}

/// What a server says before it closes a connection, in the words of the interface that it serves.
public struct ServerErrors: Sendable {
  /// Too many clients are connected, or too many of this user.
  public var tooManyClients: @Sendable (_ limit: Int, _ message: String) -> VarlinkError
  /// The client did not read its replies, or has no role and called nothing for too long.
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
