internal import TouchModel

extension Store {
  /// Adds every day that is over, and has no session running, to the sums: one transaction a day.
  /// Sessions that come to such a day later (the clock was set back) are added by the next call. Then adds up
  /// the months that are over: one transaction a month.
  ///
  /// - Parameters:
  ///   - today: the day that is not over yet.
  ///   - last: up to this one sessions are old. A day that they dated in the future is over, too.
  /// - Returns: the days to which something was added.
  /// - Throws: the first error, after all other days have been tried. A day that failed keeps its
  ///   sessions, and questions are answered from these. At once where the file is damaged: whatever is
  ///   written to it then may be written over what could have been read.
  @discardableResult
  public func rollUp(today: Day, through last: Int64 = 0) throws(StoreError) -> [Day] {
    var days: [Day] = []
    try database.each(
      """
      SELECT DISTINCT day FROM session WHERE rolled_up = 0 AND day < ?1
      UNION ALL
      SELECT day FROM session WHERE rolled_up = 0 AND day > ?1 GROUP BY day HAVING max(id) <= ?2
      ORDER BY day
      """, [.text(today.text), .integer(last)]
    ) { row throws(StoreError) in
      let text = try row.text(0)
      guard let day = Day(text) else { throw database.damaged("session: \(text) is not a day") }
      days.append(day)
    }
    var done: [Day] = []
    var failure: StoreError?
    for day in days {
      do throws(StoreError) {
        let added = try doing("rolling up \(day)") { () throws(StoreError) in
          try database.transaction(.write) { () throws(StoreError) in try rollUp(day) }
        }
        if added { done.append(day) }
      } catch {
        if error.isDamagedFile { throw error }
        failure = failure ?? error
      }
    }
    do throws(StoreError) { try addUpMonths(before: today) } catch {
      if error.isDamagedFile { throw error }
      failure = failure ?? error
    }
    if let failure { throw failure }
    return done
  }

  /// Sessions of a day, by whether its sums hold them.
  enum Share: Int {
    case pending = 0
    case rolledUp = 1

    /// On `session`, with the day as `?1`.
    var condition: String { "session.day = ?1 AND session.rolled_up = \(rawValue)" }
    /// On `session` and its views, with the columns of a key as `?1` to `?4`.
    fileprivate var conditionOfKey: String { condition + " AND " + oneKey }
  }

  private func rollUp(_ day: Day) throws(StoreError) -> Bool {
    let (pending, values) = (Share.pending.condition, [SQLValue.text(day.text)])
    guard
      try database.integer(
        "SELECT count(*) FROM session WHERE \(pending) AND ended IS NULL", values) == 0,
      try addUp(.pending, of: day)
    else { return false }
    try database.run("UPDATE session SET rolled_up = 1 WHERE \(pending)", values)
    return true
  }

  /// Adds sessions to the sums of their day.
  /// - Returns: whether there were any.
  func addUp(_ share: Share, of day: Day) throws(StoreError) -> Bool {
    let (condition, values) = (share.condition, [SQLValue.text(day.text)])
    let books = try self.books(of: day, with: condition, values)
    // After a roll-up by another process there is nothing left to group.
    try database.run(
      """
      INSERT INTO day (day, sessions, first_began, last_began, \(DayBooks.columns))
      SELECT day, count(*), min(began), max(began), \(DayBooks.places(from: 2))
      FROM session WHERE \(condition) GROUP BY day
      ON CONFLICT DO UPDATE SET sessions = sessions + excluded.sessions,
        first_began = min(first_began, excluded.first_began),
        last_began = max(last_began, excluded.last_began), \(DayBooks.changes)
      """, values + DayBooks.values(books))
    guard database.changes > 0 else { return false }
    try dropSums(ofMonth: day.month)
    for key in try keys(condition, values) { try addUp(share, key) }
    return true
  }

  /// The books of a day with the sessions that are to be added to it; nil where those of the sessions that
  /// it holds are not known.
  private func books(
    of day: Day, with condition: String, _ values: [SQLValue]
  ) throws(StoreError) -> DayBooks? {
    var days: [Day: DaySummary] = [:]
    try addSessions(where: condition, values, but: nil, to: &days)
    var summary = days[day] ?? DaySummary(day: day)
    guard summary.totals?.balances ?? true else {
      throw database.damaged("the books of its sessions do not balance")
    }
    if let former = try rolledUp(day) { try summary.add(former) }
    return DayBooks(summary)
  }

  /// The columns `day`, `display`, `screen` and `geometry` of what is to be added up.
  ///
  /// Rows, not `GridKey`s: to SQLite, names are equal when their bytes are, and Swift knows several
  /// ways to write an é.
  private func keys(_ pending: String, _ values: [SQLValue]) throws(StoreError) -> [[SQLValue]] {
    var keys: [[SQLValue]] = []
    try database.each(
      """
      SELECT DISTINCT day, display, screen, geometry
      FROM session JOIN screen_view ON screen_view.session = session.id WHERE \(pending)
      """, values
    ) { row throws(StoreError) in
      keys.append([
        .text(try row.text(0)), .text(try row.text(1)), .text(try row.text(2)),
        .integer(row.integer(3)),
      ])
    }
    return keys
  }

  private func addUp(_ share: Share, _ key: [SQLValue]) throws(StoreError) {
    var views = Tallies()
    try views.addViews(where: share.conditionOfKey, key, in: database)
    try views.addDailyViews(where: "day = ?1 AND " + oneKey, key, in: database)
    for (grid, tally) in views.byKey {
      try database.run(
        """
        INSERT OR REPLACE INTO daily_view
          (day, display, screen, geometry, placement, sessions, shown_ms, touches, mask)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        """,
        key + [
          .integer(try database.number(of: tally.allPlacements)),
          try .count(tally.sessions, "sessions"),
          try .count(tally.shownMilliseconds, "time shown"),
          try .count(tally.touches, "touches"),
          try database.number(of: Rectangle.union([tally.masks], on: grid.geometry)),
        ])
    }
    // One layer at a time: of large displays only one sum is in memory.
    for layer in Layer.allCases { try addUp(share, layer: key + [.text(layer.rawValue)]) }
  }

  /// - Parameter layer: the columns of the key, and the layer.
  private func addUp(_ share: Share, layer: [SQLValue]) throws(StoreError) {
    var sums = Tallies()
    try sums.addGrids(where: share.conditionOfKey + " AND layer = ?5", layer, in: database)
    if sums.byKey.isEmpty { return }
    try sums.addSums(
      of: .daily, where: "day = ?1 AND " + oneKey + " AND layer = ?5", layer,
      in: database)
    for case let sum? in sums.byKey.values.map(\.sum) {
      try sum.write(to: .daily, layer, in: database)
    }
  }
}

private let oneKey = "display = ?2 AND screen = ?3 AND geometry = ?4"
