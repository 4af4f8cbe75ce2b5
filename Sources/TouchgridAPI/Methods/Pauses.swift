extension API {
  public struct Pause: Method {
    public static let name = "\(interface).Pause"
    public static let names = ["durationMs"]

    public var durationMs: Int64?

    public init(durationMs: Int64? = nil) { self.durationMs = durationMs }

    public struct Reply: Codable, Hashable, Sendable {
      public var isPaused: Bool

      public init(isPaused: Bool) { self.isPaused = isPaused }
    }
  }

  public struct Resume: Method {
    public static let name = "\(interface).Resume"
    public static let names = ["all"]

    public var all: Bool?

    public init(all: Bool? = nil) { self.all = all }

    public typealias Reply = NoReply
  }
}
