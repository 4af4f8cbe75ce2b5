extension API {
  public struct ListSessions: Method {
    public static let name = "\(interface).ListSessions"
    public static let names = ["span", "tags"]

    public var span: Span?
    public var tags: [String: String]?

    public init(span: Span? = nil, tags: [String: String]? = nil) {
      self.span = span
      self.tags = tags
    }

    public struct Reply: Codable, Hashable, Sendable {
      public var sessions: [Session]

      public init(sessions: [Session]) { self.sessions = sessions }
    }
  }

  public struct ListDays: Method {
    public static let name = "\(interface).ListDays"
    public static let names = ["span"]

    public var span: Span?

    public init(span: Span? = nil) { self.span = span }

    public struct Reply: Codable, Hashable, Sendable {
      public var days: [Day]

      public init(days: [Day]) { self.days = days }
    }
  }

  public struct ListScreens: Method {
    public static let name = "\(interface).ListScreens"
    public static let names = ["span"]

    public var span: Span?

    public init(span: Span? = nil) { self.span = span }

    public struct Reply: Codable, Hashable, Sendable {
      public var screens: [Screen]

      public init(screens: [Screen]) { self.screens = screens }
    }
  }

  public struct GetGrids: Method {
    public static let name = "\(interface).GetGrids"
    public static let names = [
      "layer", "screen", "display", "session", "span", "tags", "day", "live",
    ]

    public var layer: Layer?
    public var screen: String?
    public var display: String?
    public var session: Int64?
    public var span: Span?
    public var tags: [String: String]?
    public var day: String?
    public var live: Bool?

    public init(
      layer: Layer? = nil, screen: String? = nil, display: String? = nil, session: Int64? = nil,
      span: Span? = nil, tags: [String: String]? = nil, day: String? = nil, live: Bool? = nil
    ) {
      self.layer = layer
      self.screen = screen
      self.display = display
      self.session = session
      self.span = span
      self.tags = tags
      self.day = day
      self.live = live
    }

    public struct Reply: Codable, Hashable, Sendable {
      public var grids: [Grid]

      public init(grids: [Grid]) { self.grids = grids }
    }
  }
}
