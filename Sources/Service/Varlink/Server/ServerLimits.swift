/// The limits beyond which a server refuses calls and connections.
public struct ServerLimits: Hashable, Sendable {
  public struct WithoutRole: Hashable, Sendable {
    public var messageBytes = 4096
    /// The maximum number of simultaneous connections. They do not count towards the limits for
    /// other callers.
    public var clients = 16
    public var clientsPerUser = 4
    public var queueBytes = 65_536
    /// The time without a call after which a connection is closed, in µs.
    public var idleMicroseconds: Int64 = 10_000_000
    /// The maximum number of calls that are served in one turn, at most one of each user.
    public var calls = 4
    /// The time from one turn to the next, in µs.
    public var turnMicroseconds: Int64 = 2000

    public init() {}
  }

  /// The maximum length of one call, in bytes, without its NUL.
  public var messageBytes = 65_536
  /// The maximum number of connections of callers with a role.
  public var clients = 64
  /// The number of additional connections reserved for callers that may make urgent calls, and as
  /// many again for root and the user that the server runs as.
  public var reserved = 8
  /// The maximum number of connections of one user. Root and the user that the server runs as are
  /// exempt.
  public var clientsPerUser = 32
  /// The maximum total size of the replies that wait to be sent to one client, in bytes. If nothing
  /// is waiting, one reply of any size is accepted.
  public var queueBytes = 1 << 20
  public var withoutRole = WithoutRole()

  public init() {}
}

extension ServerLimits {
  func messageBytes(_ privilege: CallerPrivilege) -> Int {
    privilege == .withoutRole ? withoutRole.messageBytes : messageBytes
  }

  func queueBytes(_ privilege: CallerPrivilege) -> Int {
    privilege == .withoutRole ? withoutRole.queueBytes : queueBytes
  }

  /// Returns the number of connections at which a further caller with this privilege is refused.
  /// Callers with a role and callers without one are counted separately.
  func clients(_ privilege: CallerPrivilege) -> Int {
    switch privilege {
    case .withoutRole: withoutRole.clients
    case .withRole: clients
    case .urgent: clients + reserved
    case .owner: clients + 2 * reserved
    }
  }

  /// Returns the number of connections of one user at which a further caller with this privilege is
  /// refused; nil: no limit.
  func clientsPerUser(_ privilege: CallerPrivilege) -> Int? {
    switch privilege {
    case .withoutRole: withoutRole.clientsPerUser
    case .withRole, .urgent: clientsPerUser
    case .owner: nil
    }
  }
}

/// Functions that make the errors that a server sends before it closes a connection. The interface
/// that it serves defines these errors.
public struct ServerErrors: Sendable {
  /// Too many clients are connected, in total or for this user.
  public var tooManyClients: @Sendable (_ limit: Int, _ message: String) -> VarlinkError
  /// The client did not read its replies, or it has no role and made no call for too long.
  public var tooSlow: @Sendable (_ message: String) -> VarlinkError
  /// The message is not a valid Varlink message.
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
