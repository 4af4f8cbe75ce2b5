extension API {
  /// Lists the sessions that began in a span, oldest first, including the running one up to now.
  /// With `more`, the replies have at most 100 sessions each. Role: read.
  ///
  /// Errors: `InvalidValue`, `LimitReached`, `ReplyTooLong`, `StoreFailed`.
  public struct ListSessions: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).ListSessions"
    /// The names of the parameters.
    package static let names = ["span", "tags", "weekdays", "hours"]

    /// The span; nil for all time.
    public var span: Span?
    /// Selects the sessions that have all of these tags; nil selects all.
    public var tags: [String: String]?
    /// Selects the sessions that began on these days of the kiosk's local calendar, 1 (Monday) to 7
    /// (Sunday); nil selects all.
    public var weekdays: [Int64]?
    /// Selects the sessions that began in these hours; nil selects all.
    public var hours: HourRange?

    /// Creates a call with these parameters.
    public init(
      span: Span? = nil, tags: [String: String]? = nil, weekdays: [Int64]? = nil,
      hours: HourRange? = nil
    ) {
      self.span = span
      self.tags = tags
      self.weekdays = weekdays
      self.hours = hours
    }

    /// The reply to a call of this method.
    public struct Reply: Codable, Hashable, Sendable {
      /// The sessions, oldest first.
      public var sessions: [Session]

      /// Creates a reply with these members.
      package init(sessions: [Session]) { self.sessions = sessions }
    }
  }

  /// Lists the days on which sessions of a span began, oldest first. The list includes days from
  /// which all sessions are deleted, and days with only suspected ghosts. With `more`, the replies
  /// have at most 100 days each. Role: read.
  ///
  /// Errors: `InvalidValue`, `LimitReached`, `ReplyTooLong`, `StoreFailed`.
  public struct ListDays: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).ListDays"
    /// The names of the parameters.
    package static let names = ["span", "weekdays"]

    /// The span; nil for all time.
    public var span: Span?
    /// Selects the days that are one of these, 1 (Monday) to 7 (Sunday); nil selects all.
    public var weekdays: [Int64]?

    /// Creates a call with these parameters.
    public init(span: Span? = nil, weekdays: [Int64]? = nil) {
      self.span = span
      self.weekdays = weekdays
    }

    /// The reply to a call of this method.
    public struct Reply: Codable, Hashable, Sendable {
      /// The days, oldest first.
      public var days: [Day]

      /// Creates a reply with these members.
      package init(days: [Day]) { self.days = days }
    }
  }

  /// Lists the screens that were shown in a span. With `more`, the replies have at most 100 screens
  /// each. Role: read.
  ///
  /// Errors: `InvalidValue`, `LimitReached`, `ReplyTooLong`, `StoreFailed`.
  public struct ListScreens: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).ListScreens"
    /// The names of the parameters.
    package static let names = ["span"]

    /// The span; nil for all time.
    public var span: Span?

    /// Creates a call with these parameters.
    public init(span: Span? = nil) { self.span = span }

    /// The reply to a call of this method.
    public struct Reply: Codable, Hashable, Sendable {
      /// The screens, each with the display and geometry on which it was shown.
      public var screens: [Screen]

      /// Creates a reply with these members.
      package init(screens: [Screen]) { self.screens = screens }
    }
  }

  /// Returns grids: one for each screen, display and geometry. With `more`, each reply has one
  /// grid. Role: read.
  ///
  /// A call names at most one of `session`, `day`, `live`, or `span` with `tags`, `weekdays` and
  /// `hours`. Without any of these the grids cover all time.
  ///
  /// Errors: `InvalidValue`; `NoSession` if `live` is true and no session is running;
  /// `NoSuchSession`; `LimitReached`; `ReplyTooLong`; `StoreFailed`, also if tags or hours are given
  /// and some sessions of the span have been deleted.
  public struct GetGrids: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).GetGrids"
    /// The names of the parameters.
    package static let names = [
      "layer", "screen", "display", "session", "span", "tags", "weekdays", "hours", "day", "live",
      "sessionCountsBelow",
    ]

    /// The layer of the grids; nil for `taps`.
    public var layer: Layer?
    /// The name of the screen whose grids are returned; nil for all screens.
    public var screen: String?
    /// The name of the display whose grids are returned; nil for all displays.
    public var display: String?
    /// The id of the only session that the grids cover.
    public var session: Int64?
    /// The span in which the sessions began that the grids cover; nil for all time.
    public var span: Span?
    /// Selects, within `span`, the sessions that have all of these tags; nil selects all.
    public var tags: [String: String]?
    /// Selects, within `span`, the sessions that began on these days of the kiosk's local
    /// calendar, 1 (Monday) to 7 (Sunday); nil selects all.
    public var weekdays: [Int64]?
    /// Selects, within `span`, the sessions that began in these hours; nil selects all.
    public var hours: HourRange?
    /// The day on which the sessions began that the grids cover, in the kiosk's local calendar:
    /// `YYYY-MM-DD`.
    public var day: String?
    /// Whether the grids cover the running session, up to now; nil for false.
    public var live: Bool?
    /// 2...10: also asks for the counts of single sessions, in the blocks that fewer sessions than
    /// this touched; nil asks for none. Cannot be combined with `live`.
    public var sessionCountsBelow: Int64?

    /// Creates a call with these parameters.
    public init(
      layer: Layer? = nil, screen: String? = nil, display: String? = nil, session: Int64? = nil,
      span: Span? = nil, tags: [String: String]? = nil, weekdays: [Int64]? = nil,
      hours: HourRange? = nil, day: String? = nil, live: Bool? = nil,
      sessionCountsBelow: Int64? = nil
    ) {
      self.layer = layer
      self.screen = screen
      self.display = display
      self.session = session
      self.span = span
      self.tags = tags
      self.weekdays = weekdays
      self.hours = hours
      self.day = day
      self.live = live
      self.sessionCountsBelow = sessionCountsBelow
    }

    /// The reply to a call of this method.
    public struct Reply: Codable, Hashable, Sendable {
      /// The grids, each with `columns * rows` elements in each of its arrays.
      public var grids: [Grid]

      /// Creates a reply with these members.
      package init(grids: [Grid]) { self.grids = grids }
    }
  }

  /// Returns the counts of a kind, one for each subject. With `more`, each reply has some of them.
  /// Role: read.
  ///
  /// A call names at most one of `session`, `day`, or `span` with `tags`, `weekdays` and `hours`.
  /// Without any of these the counts cover all time. The running session counts as of its last
  /// checkpoint. Only days keep flows, of sessions that have ended: a day counts if any part of it is in
  /// `span`, and `session`, `tags` and `hours` cannot be given.
  ///
  /// Errors: `InvalidValue`; `NoSuchSession`; `LimitReached`; `ReplyTooLong`; `StoreFailed`, also
  /// if tags or hours are given and some sessions of the span have been deleted.
  public struct GetCounts: Method, ServedMethod {
    /// The fully qualified name of the method.
    public static let name = "\(interface).GetCounts"
    /// The names of the parameters.
    package static let names = [
      "kind", "screen", "display", "session", "span", "tags", "weekdays", "hours", "day", "byDay",
    ]

    /// The name of the kind: `controls`, `flow` or `panel`.
    public var kind: String
    /// Only counts that belong to this screen; nil for all counts.
    public var screen: String?
    /// Only counts that belong to a screen on this display; nil for all counts.
    public var display: String?
    /// The id of the only session that the counts cover.
    public var session: Int64?
    /// The span in which the sessions began that the counts cover; nil for all time.
    public var span: Span?
    /// Selects, within `span`, the sessions that have all of these tags; nil selects all.
    public var tags: [String: String]?
    /// Selects, within `span`, the sessions that began on these days of the kiosk's local
    /// calendar, 1 (Monday) to 7 (Sunday); nil selects all.
    public var weekdays: [Int64]?
    /// Selects, within `span`, the sessions that began in these hours; nil selects all.
    public var hours: HourRange?
    /// The day on which the sessions began that the counts cover, in the kiosk's local calendar:
    /// `YYYY-MM-DD`.
    public var day: String?
    /// Whether each day has counts of its own; nil for false.
    public var byDay: Bool?

    /// Creates a call with these parameters.
    public init(
      kind: String, screen: String? = nil, display: String? = nil, session: Int64? = nil,
      span: Span? = nil, tags: [String: String]? = nil, weekdays: [Int64]? = nil,
      hours: HourRange? = nil, day: String? = nil, byDay: Bool? = nil
    ) {
      self.kind = kind
      self.screen = screen
      self.display = display
      self.session = session
      self.span = span
      self.tags = tags
      self.weekdays = weekdays
      self.hours = hours
      self.day = day
      self.byDay = byDay
    }

    /// The reply to a call of this method.
    public struct Reply: Codable, Hashable, Sendable {
      /// The counts, in the order of the days.
      public var counts: [Counts]
      /// The number of subjects that are left out, because too few sessions have them; with `byDay`,
      /// once for each day. Of several replies, the last one says it, and the others have 0.
      public var hidden: Int64

      /// Creates a reply with these members.
      package init(counts: [Counts], hidden: Int64 = 0) {
        (self.counts, self.hidden) = (counts, hidden)
      }
    }
  }
}
