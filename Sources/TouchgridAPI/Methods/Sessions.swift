extension API {
  public struct BeginSession: Method {
    public static let name = "\(interface).BeginSession"
    public static let names = ["tags"]

    public var tags: [String: String]?

    public init(tags: [String: String]? = nil) { self.tags = tags }

    public typealias Reply = SessionReply
  }

  public struct EndSession: Method {
    public static let name = "\(interface).EndSession"
    public static let names: [String] = []

    public init() {}

    public typealias Reply = SessionReply
  }

  public struct TagSession: Method {
    public static let name = "\(interface).TagSession"
    public static let names = ["tags"]

    public var tags: [String: String]

    public init(tags: [String: String]) { self.tags = tags }

    public typealias Reply = SessionReply
  }

  /// The session that was begun, ended or tagged.
  public struct SessionReply: Codable, Hashable, Sendable {
    public var session: Int64

    public init(session: Int64) { self.session = session }
  }
}
