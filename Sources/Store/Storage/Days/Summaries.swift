public import TouchModel

/// Queries for screens. Whole rolled-up days are read from their sums, and their grids from the
/// sums of whole months if these exist. Everything else is read from sessions; a running session
/// counts as of its last checkpoint. Both ways give the same numbers.
extension Store {
  /// Returns a summary of each screen, for each display and geometry on which sessions of the span
  /// showed it, sorted by name.
  /// - Parameter weekdays: only sessions that began on these are included.
  /// - Throws: `.onlyWholeDays` if the span covers only a part of one of these days, from which
  ///   sessions were deleted.
  public func screens(
    in span: TimeSpan, on weekdays: Set<Weekday> = SessionFilter.allWeekdays
  ) throws(StoreError) -> [ScreenSummary] {
    try transaction(.read, "adding up screens") { () throws(StoreError) in
      var sums = ScreenSums(interruption)
      let sessions = GridQuery.Sessions.span(span, SessionFilter(weekdays: weekdays))
      try summation(sessions, screen: nil, layer: nil)(&sums)
      return sums.byKey.sorted { GridKey.isBefore($0.key, $1.key) }
        .map { ScreenSummary($0.key, $0.value) }
    }
  }

  /// Returns one layer, added up over the sessions that began in the span and have all of the tags.
  public func grids(
    screen: String?, layer: Layer, in span: TimeSpan, tags: [String: String] = [:]
  ) throws(StoreError) -> [SummedGrid] {
    try grids(
      of: GridQuery(.span(span, SessionFilter(tags: tags)), layer: layer, screen: screen))
  }

  /// Returns one layer, added up: one summary for each display and geometry on which a screen was
  /// shown, including those without a touch.
  /// - Throws: `.onlyWholeDays` if the span covers only a part of a day from which sessions were
  ///   deleted; `.tagsGone` if the query has tags, and sessions were deleted from a day that overlaps
  ///   the span; `.overflow` if a sum exceeds 64 bits, or a sum of squares 128.
  public func grids(of query: GridQuery) throws(StoreError) -> [SummedGrid] {
    var summaries: [SummedGrid] = []
    try forEachGrid(of: query) {
      summaries.append($0)
      return true
    }
    return summaries
  }

  // MARK: Adding up

  /// Adds everything that a query covers to the sums, as far as their `pass` permits.
  typealias Summation = (inout ScreenSums) throws(StoreError) -> Void

  /// Determines the sources of a query. Call once, within the transaction that then adds them up.
  func summation(_ query: GridQuery) throws(StoreError) -> Summation {
    try summation(query.sessions, screen: query.screen, layer: query.layer)
  }

  /// Returns a summation of the counts of a query's single sessions. Call within the transaction
  /// that then adds them up.
  /// - Parameter addUp: the summation of the query, which is used if it reads every session.
  /// - Returns: nil if some of the sessions have been deleted.
  func countSessions(
    _ query: GridQuery, or addUp: @escaping Summation
  ) throws(StoreError) -> Summation? {
    let condition: String
    let values: [SQLValue]
    switch query.sessions {
    case .span(let span, let filter) where filter.choosesWholeDays:
      guard let bounds = span.bounds else { return { _ in } }
      values = bounds.values + [.null]
      let days =
        "last_began >= ?1 AND first_began <= ?2 AND ?3 IS NULL"
        + filter.weekdays.andCondition("day")
      guard try hasAllSessions(days, values) else { return nil }
      condition =
        "session.began BETWEEN ?1 AND ?2 AND ?3 IS NULL"
        + filter.weekdays.andCondition("session.day")
    case .day(let day):
      values = [.text(day.text), .null, .null]
      guard try hasAllSessions("day = ?1 AND ?2 IS NULL AND ?3 IS NULL", values) else { return nil }
      condition = "session.day = ?1"
    case .span, .one: return addUp
    }
    return { [self] sums throws(StoreError) in
      try add(where: condition, values, query.screen, query.layer, to: &sums)
    }
  }

  /// Whether no session has been deleted from the days that match a condition on `day`.
  private func hasAllSessions(
    _ condition: String, _ values: [SQLValue]
  ) throws(StoreError) -> Bool {
    try database.integer(
      """
      SELECT NOT EXISTS (
        SELECT 1 FROM day WHERE \(condition) AND sessions <> (
          SELECT count(*) FROM session
          WHERE rolled_up = 1 AND session.day = day.day AND began BETWEEN first_began AND last_began))
      """, values) == 1
  }

  private func summation(
    _ sessions: GridQuery.Sessions, screen: String?, layer: Layer?
  ) throws(StoreError) -> Summation {
    let sources = try Sources(sessions, in: self)
    let periods = try sources.periods(in: database)
    return { [self] sums throws(StoreError) in
      let ofScreen = " AND (?2 IS NULL OR screen = ?2)"
      let wanted = screen.map { SQLValue.text($0) } ?? .null
      for day in sources.wholeDays {
        try sums.addViews(
          of: .day, where: "day = ?1" + ofScreen, [.text(day.text), wanted], in: database)
      }
      if let layer {
        let ofLayer = ofScreen + " AND layer = ?3"
        let values = [wanted, .text(layer.rawValue)]
        for month in periods.months {
          try sums.addGrids(
            of: .month, where: "month = ?1" + ofLayer, [.text(month)] + values, in: database)
        }
        for day in periods.days {
          try sums.addGrids(
            of: .day, where: "day = ?1" + ofLayer, [.text(day.text)] + values, in: database)
        }
      }
      for (condition, values) in sources.conditions {
        try add(where: condition, values, screen, layer, to: &sums)
      }
    }
  }

  /// Adds the views and grids of the sessions that match a condition.
  /// - Parameters:
  ///   - condition: on `session`, with `?1` to `?3`.
  ///   - layer: the layer of the grids; nil to add no grids.
  private func add(
    where condition: String, _ values: [SQLValue], _ screen: String?, _ layer: Layer?,
    to sums: inout ScreenSums
  ) throws(StoreError) {
    let condition = condition + " AND (?4 IS NULL OR screen = ?4)"
    let values = values + [screen.map { .text($0) } ?? .null]
    try sums.addViews(of: .session, where: condition, values, in: database)
    if let layer {
      try sums.addGrids(
        of: .session, where: condition + " AND layer = ?5", values + [.text(layer.rawValue)],
        in: database)
    }
  }
}
