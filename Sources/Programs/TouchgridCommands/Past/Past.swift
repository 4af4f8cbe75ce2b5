import Heatmaps
import Storage
import Text
import TouchModel
import TouchgridAPI

/// The source of stored data: the daemon, or a store's file. Both give the same answers.
enum Past {
  case daemon(DaemonConnection)
  case file(Store)

  /// Returns the sessions of a span that pass a filter, oldest first, without views and grids.
  func sessions(
    in span: TimeSpan, _ filter: SessionFilter = SessionFilter()
  ) throws -> [ListedSession] {
    switch self {
    case .daemon(let daemon):
      let question = API.ListSessions(
        span: API.Span(span), tags: filter.tagParameter, weekdays: filter.weekdayParameter,
        hours: filter.hourParameter)
      return try daemon.replies(to: question).flatMap(\.sessions)
        .map { ListedSession(record: $0.sessionRecord) }
    case .file(let store):
      return try store.sessions(in: span, filter).map { ListedSession(record: $0.record) }
    }
  }

  /// Returns the days on which sessions of the span began, oldest first, including days whose
  /// sessions have been deleted.
  /// - Parameter filter: only its weekdays apply, because sums of days have no tags and no hours.
  func days(
    in span: TimeSpan, on filter: SessionFilter = SessionFilter()
  ) throws -> [API.Day] {
    switch self {
    case .daemon(let daemon):
      let call = API.ListDays(span: API.Span(span), weekdays: filter.weekdayParameter)
      return try daemon.replies(to: call).flatMap(\.days)
    case .file(let store):
      return try store.days(in: span, on: filter.weekdays).map {
        API.Day(
          $0.day.text, sessions: $0.sessions, totals: $0.totals, hours: $0.hours,
          ghostsOutside: $0.ghostsOutside)
      }
    }
  }

  /// Returns the suspected ghosts of a day outside of sessions.
  func ghosts(on day: Day) throws -> [API.GhostPlace] {
    switch self {
    case .daemon(let daemon):
      return try daemon.replies(to: API.ListGhosts(day: day.text)).flatMap(\.ghosts)
    case .file(let store): return try store.ghosts(on: day).map(API.GhostPlace.init)
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

  func grids(_ query: GridQuery) throws -> [SummedGrid] {
    switch self {
    case .daemon(let daemon): return try Self.grids(API.GetGrids(query), daemon)
    case .file(let store):
      if case .one(let id) = query.sessions, try !store.hasSession(id) {
        throw Self.noSession(id)
      }
      return try store.grids(of: query.normalised)
    }
  }

  /// Returns the grids of a query, with the counts of single sessions in blocks that fewer than
  /// `limit` touched, unless the reply would be too long.
  func grids(_ query: GridQuery, sessionCountsBelow limit: UInt64?) throws -> [SummedGrid] {
    var query = query
    query.sessionCountsBelow = limit
    do { return try grids(query) } catch let failure as Failure {
      guard failure.fault is API.ReplyTooLong else { throw failure }
      query.sessionCountsBelow = nil
      return try grids(query)
    }
  }

  /// Returns the counts of controls for a query, whose layer is ignored.
  func controls(_ query: GridQuery) throws -> [SummedControls] {
    try summed(ControlKind.name, query) { SummedControls($0) }.sorted(by: SummedControls.isBefore)
  }

  /// Returns the gestures that a query asks for; its layer is ignored.
  func gestures(_ query: GridQuery) throws -> [SummedGestures] {
    try summed(GestureKind.name, query) { SummedGestures($0) }.sorted(by: SummedGestures.isBefore)
  }

  private func summed<Sum>(
    _ kind: String, _ query: GridQuery, _ sum: (FoundCounts) -> Sum?
  ) throws -> [Sum] {
    let query = CountQuery(kind, query.sessions, screen: query.screen, display: query.display)
    return try counts(query).counts.map { try Self.expect(sum($0), of: query) }
  }

  /// Returns the changes between screens on the days of a span.
  /// - Parameter filter: only its weekdays apply, because flows have no tags and no hours.
  func flows(
    in span: TimeSpan, on filter: SessionFilter = SessionFilter()
  ) throws -> ReleasedFlows {
    let query = CountQuery(
      FlowKind.name, .span(span, SessionFilter(weekdays: filter.weekdays)))
    return try Self.expect(ReleasedFlows(counts(query)), of: query)
  }

  /// Returns the changes between screens on one day.
  func flows(on day: Day) throws -> ReleasedFlows {
    let query = CountQuery(FlowKind.name, .day(day))
    return try Self.expect(ReleasedFlows(counts(query)), of: query)
  }

  /// Returns the counts of touchscreens for each panel and day.
  func panels(of sessions: GridQuery.Sessions) throws -> [SummedPanel] {
    let query = CountQuery(PanelKind.name, sessions, isByDay: true)
    return try counts(query).counts.map { try Self.expect(SummedPanel($0), of: query) }
      .sorted(by: SummedPanel.isBefore)
  }

  func counts(_ query: CountQuery) throws -> CountAnswer {
    switch self {
    case .daemon(let daemon):
      let kind = try Self.expect(CountKinds.all[query.kind], of: query)
      var answer = CountAnswer()
      for reply in try daemon.replies(to: API.GetCounts(query)) {
        // Only the last reply has this number.
        answer.hidden = try Self.expect(
          reply.hidden >= 0 ? Int(exactly: reply.hidden) : nil, of: query)
        answer.counts += try reply.counts.map { try Self.expect($0.found(kind), of: query) }
      }
      return answer
    case .file(let store):
      if case .one(let id) = query.sessions, try !store.hasSession(id) { throw Self.noSession(id) }
      return try store.counts(of: query.normalised)
    }
  }

  /// - Throws: if the daemon's answer has no value.
  private static func expect<Value>(_ value: Value?, of query: CountQuery) throws -> Value {
    guard let value else { throw Failure("the daemon sent invalid counts of \(query.kind)") }
    return value
  }

  private static func noSession(_ id: Int64) -> Failure {
    Failure("there is no session \(id); 'touchgrid sessions' lists all sessions")
  }

  /// Returns the grids of the running session, as they are in the daemon's memory.
  func liveGrids(layer: Layer, screen: String?, display: String?) throws -> [SummedGrid] {
    guard case .daemon(let daemon) = self else {
      throw Failure("--live needs the daemon: leave --store out")
    }
    return try Self.grids(
      API.GetGrids(layer: layer, screen: screen, display: display, live: true), daemon)
  }

  private static func grids(
    _ call: API.GetGrids, _ daemon: DaemonConnection
  ) throws -> [SummedGrid] {
    try daemon.replies(to: call).flatMap(\.grids).map { grid throws(Failure) in
      let below = call.sessionCountsBelow.flatMap { UInt64(exactly: $0) }
      guard let summed = SummedGrid(grid, sessionCountsBelow: below) else {
        throw Failure("the daemon sent an invalid grid for the screen \(grid.screen.printable())")
      }
      return summed
    }
  }
}

extension API.Span {
  /// Creates the span for a call; nil for all time.
  init?(_ span: TimeSpan) {
    if span == .always { return nil }
    self.init(since: span.since, until: span.until)
  }
}

extension API.GetCounts {
  fileprivate init(_ query: CountQuery) {
    self.init(
      kind: query.kind, screen: query.screen, display: query.display,
      byDay: query.isByDay ? true : nil)
    switch query.sessions {
    case .span(let span, let filter):
      self.span = API.Span(span)
      (tags, weekdays) = (filter.tagParameter, filter.weekdayParameter)
      hours = filter.hourParameter
    case .day(let day): self.day = day.text
    case .one(let id): session = id
    }
  }
}

extension API.GetGrids {
  fileprivate init(_ query: GridQuery) {
    self.init(
      layer: query.layer, screen: query.screen, display: query.display,
      sessionCountsBelow: query.sessionCountsBelow.map { Int64($0) })
    switch query.sessions {
    case .span(let span, let filter):
      self.span = API.Span(span)
      (tags, weekdays) = (filter.tagParameter, filter.weekdayParameter)
      hours = filter.hourParameter
    case .day(let day): self.day = day.text
    case .one(let id): session = id
    }
  }
}
