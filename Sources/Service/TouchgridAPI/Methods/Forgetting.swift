extension API {
  /// Deletes sessions from the store, with their share of the sums of days, and erases them in its
  /// files. Nothing brings them back. Role: owner.
  ///
  /// A running session, and one that waits for its last touches to end, is discarded as well. The
  /// reply comes when the change is on the disk. A call names either `span` or `session`.
  ///
  /// Errors: `InvalidValue` if both or neither are given; `NoSuchSession`; `StoreFailed`, also if
  /// the span cuts a day that has lost some of its sessions. Nothing is deleted then, but a running
  /// session has ended.
  public struct Forget: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).Forget"
    /// The names of the parameters.
    package static let names = ["span", "session"]

    /// Deletes the sessions that began in this span, and the suspected ghosts outside of sessions
    /// of whole days in it. A span without bounds covers all time.
    public var span: Span?
    /// The id of the one session to delete.
    public var session: Int64?

    /// Creates a call with these parameters.
    public init(span: Span? = nil, session: Int64? = nil) {
      self.span = span
      self.session = session
    }

    /// The reply to a call of this method.
    public struct Reply: Codable, Hashable, Sendable {
      /// The number of deleted sessions.
      public var sessions: Int64
      /// The number of touches that began in these sessions.
      public var touches: Int64
      /// The number of days on which these sessions began.
      public var days: Int64
      /// Why parts of the deleted sessions are still in the store's files; nil if all is erased.
      /// The next `Forget` erases these parts as well.
      public var notErased: String?

      /// Creates a reply with these members.
      package init(sessions: Int64, touches: Int64, days: Int64, notErased: String? = nil) {
        self.sessions = sessions
        self.touches = touches
        self.days = days
        self.notErased = notErased
      }
    }
  }
}
