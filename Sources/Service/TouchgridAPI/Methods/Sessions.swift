extension API {
  /// Begins a session and ends the running one. Role: app.
  ///
  /// Errors: `InvalidValue`; `LimitReached` above 32 tags, or after 60 calls within a minute, by
  /// all clients together.
  public struct BeginSession: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).BeginSession"
    /// The names of the parameters.
    package static let names = ["tags"]

    /// The tags of the session: at most 32. Keys have 1 to 64 bytes, values at most 128, of
    /// printable text. nil for none.
    public var tags: [String: String]?

    /// Creates a call with these parameters.
    public init(tags: [String: String]? = nil) { self.tags = tags }

    /// The reply to a call of this method.
    public typealias Reply = SessionReply
  }

  /// Ends the running session. Touches that are down still count for it if they end within about
  /// 5 s. Role: app.
  ///
  /// Error: `NoSession`.
  public struct EndSession: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).EndSession"
    /// The names of the parameters: there are none.
    package static let names: [String] = []

    /// Creates a call.
    public init() {}

    /// The reply to a call of this method.
    public typealias Reply = SessionReply
  }

  /// Sets tags of the running session. Its other tags stay. Role: app.
  ///
  /// Errors: `NoSession`; `InvalidValue`; `LimitReached` if the session would have more than 32
  /// tags.
  public struct TagSession: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).TagSession"
    /// The names of the parameters.
    package static let names = ["tags"]

    /// The tags to set. Keys have 1 to 64 bytes, values at most 128, of printable text.
    public var tags: [String: String]

    /// Creates a call with these parameters.
    public init(tags: [String: String]) { self.tags = tags }

    /// The reply to a call of this method.
    public typealias Reply = SessionReply
  }

  /// The reply of `BeginSession`, `EndSession` and `TagSession`.
  public struct SessionReply: Codable, Hashable, Sendable {
    /// The id of the session that was begun, ended or tagged.
    public var session: Int64

    /// Creates a reply with these members.
    package init(session: Int64) { self.session = session }
  }
}
