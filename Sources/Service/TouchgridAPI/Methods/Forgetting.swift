extension API {
  /// Deletes sessions from the store, subtracts them from the sums of their days, and erases them
  /// in the store's files. They cannot be restored. Role: owner.
  ///
  /// A selected session that is running, or waiting for its last touches to end, ends at once and
  /// is deleted as well. The reply comes when the change is on the disk. A call names either `span`
  /// or `session`.
  ///
  /// Errors: `InvalidValue`, also if both or neither are given; `NoSuchSession`; `StoreFailed`,
  /// also if the span covers only a part of a day that has already lost some of its sessions. After
  /// `StoreFailed`, nothing is deleted, but a selected session that was running has ended.
  public struct Forget: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).Forget"
    /// The names of the parameters.
    package static let names = ["span", "session"]

    /// Deletes the sessions that began in this span. On days that lie entirely in the span, also
    /// deletes the suspected ghosts outside of sessions. A span without bounds covers all time.
    public var span: Span?
    /// Deletes only the session with this id.
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
      /// Why traces of the deleted sessions remain in the store's files; nil if they were erased.
      /// The next `Forget` erases them as well.
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
