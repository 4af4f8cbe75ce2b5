internal import TouchModel

extension Store {
  /// Subtracts a session from the sums of its day. Used if other sessions of the day were deleted,
  /// so that the sums cannot be computed again.
  func subtract(session id: Int64, from day: Day) throws(StoreError) {
    let keys = try database.all(
      "SELECT ?2, display, screen, geometry FROM screen_view WHERE session = ?1",
      [.integer(id), .text(day.text)]
    ) { row throws(StoreError) in try row.viewKey }
    for key in keys {
      for layer in Layer.allCases {
        try subtract(session: id, key + [.text(layer.rawValue)])
      }
      try subtractView(session: id, key)
    }
    try subtractCounts(session: id, day)
    try subtractTotals(session: id, day)
    try dropSums(ofMonth: day.month)
  }

  private static let ofKey = "day = ?1 AND display = ?2 AND screen = ?3 AND geometry = ?4"
  private static let ofLayer = ofKey + " AND layer = ?5"

  private func subtract(session id: Int64, _ layer: [SQLValue]) throws(StoreError) {
    var grids = ScreenSums()
    try grids.addGrids(
      of: .session,
      where: """
        session.id = ?6 AND ?1 = session.day AND display = ?2 AND screen = ?3 AND geometry = ?4
          AND layer = ?5
        """, layer + [.integer(id)], in: database)
    guard let grid = grids.byKey.values.first?.sum else { return }
    var sums = ScreenSums()
    try sums.addGrids(of: .day, where: Self.ofLayer, layer, in: database)
    guard let parts = sums.byKey.values.first?.sum?.values(without: grid) else {
      throw lessThanItsSessions(layer)
    }
    if parts[0].allSatisfy({ $0 == 0 }) {
      return try database.run("DELETE FROM daily WHERE \(Self.ofLayer)", layer)
    }
    var cells: [SQLValue] = []
    for part in parts { cells += try Cells(part).values }
    try database.run(
      "UPDATE daily SET (\(GridSum.columns)) = (?6, ?7, ?8, ?9, ?10, ?11) WHERE \(Self.ofLayer)",
      layer + cells)
  }

  private func subtractCounts(session id: Int64, _ day: Day) throws(StoreError) {
    var lookup = Lookup()
    var own: [Int64: CountSum] = [:]
    try forEachCount(in: .session, where: "session.id = ?1", [.integer(id)], &lookup) {
      id, sum, _ in own[id] = sum
    }
    for (subject, part) in own {
      var whole: CountSum?
      try forEachCount(
        in: .day, where: "day = ?1 AND subject = ?2", [.text(day.text), .integer(subject)], &lookup
      ) { _, sum, _ in whole = sum }
      // A recovery may have removed the counts of the day.
      guard let whole else { continue }
      let known = try lookup.subject(subject, options.kinds, in: database)
      guard let rest = whole.without(part, known.shape) else {
        throw lessThanItsSessions([.text(day.text), .text(known.subject.key)])
      }
      try write(rest, of: subject, on: day.text)
    }
    try noteDayKinds(of: day.text)
  }

  private func subtractView(session id: Int64, _ key: [SQLValue]) throws(StoreError) {
    let remaining = try database.first(
      """
      SELECT sessions - 1, daily_view.shown_ms - screen_view.shown_ms,
        daily_view.touches - screen_view.touches
      FROM daily_view JOIN screen_view USING (display, screen, geometry)
      WHERE \(Self.ofKey) AND session = ?5
      """, key + [.integer(id)]
    ) { row in [row.integer(0), row.integer(1), row.integer(2)] }
    guard let remaining, remaining.allSatisfy({ $0 >= 0 }) else { throw lessThanItsSessions(key) }
    if remaining[0] == 0 {
      try database.run("DELETE FROM daily WHERE \(Self.ofKey)", key)
      return try database.run("DELETE FROM daily_view WHERE \(Self.ofKey)", key)
    }
    try database.run(
      "UPDATE daily_view SET sessions = ?5, shown_ms = ?6, touches = ?7 WHERE \(Self.ofKey)",
      key + remaining.map { .integer($0) })
  }

  private func subtractTotals(session id: Int64, _ day: Day) throws(StoreError) {
    guard let head = try head(id), let former = try rolledUp(day), former.sessions > 1 else {
      throw lessThanItsSessions([.text(day.text)])
    }
    var remaining = DaySummary(
      day: day, sessions: former.sessions - 1, totals: former.totals, hours: former.hours)
    for (field, _) in SessionTotals.fields {
      guard let sum = remaining.totals?[keyPath: field] else { break }
      let (rest, overflows) = sum.subtractingReportingOverflow(
        head.record.totals[keyPath: field])
      guard !overflows else { throw lessThanItsSessions([.text(day.text)]) }
      remaining.totals?[keyPath: field] = rest
    }
    let clock = options.clock()
    let hour = clock.hour(at: head.record.began)
    if try hasHours(of: day, by: clock), let count = remaining.hours?[hour], count > 0 {
      remaining.hours?[hour] = count - 1
    } else {
      remaining.hours = nil
    }
    let values = try DayTotals.values(DayTotals(remaining))
    try database.run(
      """
      UPDATE day SET (sessions, \(DayTotals.columns)) = (?2, \(DayTotals.places(from: 3)))
      WHERE day = ?1
      """, [.text(day.text), try .count(remaining.sessions, "sessions")] + values)
  }

  /// Whether the hours in a day's sums are known, and those of a clock. If not, the kiosk's time
  /// zone has evidently changed since the day was rolled up.
  func hasHours(of day: Day, by clock: LocalClock) throws(StoreError) -> Bool {
    try database.first(
      "SELECT first_began, last_began, \(DayTotals.columns) FROM day WHERE day = ?1",
      [.text(day.text)]
    ) { row throws(StoreError) in
      let (first, last) = (row.integer(0), row.integer(1))
      guard first <= last, let totals = try DayTotals(row, 2, day: day, in: database) else {
        return false
      }
      return try isCounted(totals.hours, on: day, first...last, by: clock)
    } ?? false
  }

  private func lessThanItsSessions(_ key: [SQLValue]) -> StoreError {
    var words: [String] = []
    for case .text(let text) in key { words.append(text) }
    return database.damaged(
      "the sums of \(words.joined(separator: ", ")) are smaller than those of their sessions")
  }
}
