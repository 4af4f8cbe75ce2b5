extension API {
  /// Pauses recording and live touches. Touches that begin during the pause are not recorded, and
  /// touches that are down end where they are. Role: app.
  ///
  /// The pause ends with its connection at the latest. Each connection has at most one pause; a new
  /// one replaces it. Recording resumes when no connection has a pause. With `more`, a second reply
  /// comes when this pause has ended.
  ///
  /// Errors: `InvalidValue`; `LimitReached` above 64 pauses at a time.
  public struct Pause: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).Pause"
    /// The names of the parameters.
    package static let names = ["durationMs"]

    /// How long the pause lasts, in ms: 1 to 86,400,000 (one day). nil: until `Resume`, or until
    /// the connection ends.
    public var durationMs: Int64?

    /// Creates a call with these parameters.
    public init(durationMs: Int64? = nil) { self.durationMs = durationMs }

    /// The reply to a call of this method.
    public struct Reply: Codable, Hashable, Sendable {
      /// Whether recording is paused: true in the first reply. In the second reply: whether other
      /// clients still pause it.
      public var isPaused: Bool

      /// Creates a reply with these members.
      package init(isPaused: Bool) { self.isPaused = isPaused }
    }
  }

  /// Ends the pause of this connection, if it has one; with `all`, ends the pauses of all
  /// connections. Role: app.
  public struct Resume: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).Resume"
    /// The names of the parameters.
    package static let names = ["all"]

    /// Whether to end the pauses of all connections; nil for false.
    public var all: Bool?

    /// Creates a call with these parameters.
    public init(all: Bool? = nil) { self.all = all }

    /// The reply to a call of this method.
    public typealias Reply = NoReply
  }
}
