import Heatmaps
import Storage
import TouchModel
import TouchgridAPI

/// The source of stored data: the daemon, or a store's file. Both give the same answers.
enum Past {
  case daemon(DaemonConnection)
  case file(Store)

  /// Returns the sessions of a span.
  /// - Parameter tags: selects the sessions that have all of these tags.
  func sessions(in span: TimeSpan, tags: [String: String] = [:]) throws -> [ListedSession] {
    switch self {
    case .daemon(let daemon):
      let question = API.ListSessions(span: API.Span(span), tags: tags.isEmpty ? nil : tags)
      return try daemon.replies(to: question).flatMap(\.sessions)
        .map { ListedSession(record: $0.sessionRecord) }
    case .file(let store):
      return try store.sessions(in: span, tags: tags).map { ListedSession(record: $0.record) }
    }
  }

  /// Returns the days on which sessions of the span began, oldest first, including days of which
  /// the sessions are deleted.
  func days(in span: TimeSpan) throws -> [API.Day] {
    switch self {
    case .daemon(let daemon):
      return try daemon.replies(to: API.ListDays(span: API.Span(span))).flatMap(\.days)
    case .file(let store):
      return try store.days(in: span).map {
        API.Day(
          day: $0.day.text, sessions: $0.sessions, totals: $0.totals, hours: $0.hours,
          ghostsOutside: $0.ghostsOutside)
      }
    }
  }

  func screens(in span: TimeSpan) throws -> [API.Screen] {
    switch self {
    case .daemon(let daemon):
      return try daemon.replies(to: API.ListScreens(span: API.Span(span))).flatMap(\.screens)
    case .file(let store):
      return try store.screens(in: span).map {
        API.Screen(
          key: $0.key, sessions: $0.sessions, touches: $0.touches,
          shownMilliseconds: $0.shownMilliseconds)
      }
    }
  }

  /// Returns the grids of a span, of a day, of one session, or of the running session.
  func grids(_ question: GridQuery) throws -> [SummedGrid] {
    var wanted = question
    // The store keeps names in Unicode's normal form C.
    wanted.screen = question.screen?.normalised
    wanted.display = question.display?.normalised
    switch (self, wanted.sessions) {
    case (.daemon(let daemon), _):
      return try daemon.replies(to: API.GetGrids(wanted)).flatMap(\.grids)
        .map { grid throws(Failure) in try SummedGrid(grid) }
    case (.file(let store), .one(let id)):
      guard try store.session(id) != nil else {
        throw Failure("there is no session \(id); 'touchgrid sessions' lists them")
      }
      return try store.summaries(screen: wanted.screen, layer: wanted.layer, session: id)
        .filter(wanted.fits).map(SummedGrid.init)
    case (.file(let store), .span(let span, let tags)):
      return try store.summaries(screen: wanted.screen, layer: wanted.layer, in: span, tags: tags)
        .filter(wanted.fits).map(SummedGrid.init)
    case (.file(let store), .day(let day)):
      return try store.summaries(screen: wanted.screen, layer: wanted.layer, day: day)
        .filter(wanted.fits).map(SummedGrid.init)
    case (.file, .live):
      throw Failure("--live needs the daemon: leave --store out")
    }
  }
}

/// A query for grids.
struct GridQuery {
  enum Sessions {
    /// The sessions that began in the span and have all of the tags.
    case span(TimeSpan, tags: [String: String])
    /// The sessions that began on a day of the kiosk's local calendar.
    case day(Day)
    case one(Int64)
    /// The running session, as it stands in memory.
    case live
  }

  var layer: Layer
  /// The name of the screen; nil for all.
  var screen: String?
  var display: String?
  var sessions: Sessions

  fileprivate func fits(_ summary: GridSummary) -> Bool {
    display.map { summary.key.display.hasSameBytes(as: $0) } ?? true
  }
}

extension API.Span {
  /// Creates the span for a call; nil for all time.
  init?(_ span: TimeSpan) {
    if span == .always { return nil }
    self.init(since: span.since, until: span.until)
  }
}

extension API.GetGrids {
  fileprivate init(_ question: GridQuery) {
    self.init(layer: question.layer, screen: question.screen, display: question.display)
    switch question.sessions {
    case .span(let span, let tags):
      self.span = API.Span(span)
      self.tags = tags.isEmpty ? nil : tags
    case .day(let day): self.day = day.text
    case .one(let id): session = id
    case .live: live = true
    }
  }
}
