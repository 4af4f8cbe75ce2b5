extension API {
  public struct Forget: Method {
    public static let name = "\(interface).Forget"
    public static let names = ["span", "session"]

    public var span: Span?
    public var session: Int64?

    public init(span: Span? = nil, session: Int64? = nil) {
      self.span = span
      self.session = session
    }

    public struct Reply: Codable, Hashable, Sendable {
      public var sessions: Int64
      public var touches: Int64
      public var days: Int64
      /// Why some of what they were is still in the store's files; nil where it is erased.
      public var notErased: String?

      public init(sessions: Int64, touches: Int64, days: Int64, notErased: String? = nil) {
        self.sessions = sessions
        self.touches = touches
        self.days = days
        self.notErased = notErased
      }
    }
  }
}
