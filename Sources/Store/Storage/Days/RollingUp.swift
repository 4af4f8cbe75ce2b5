internal import TouchModel

extension Store {
  /// Rolls up every day that has ended and has no running session: adds its sessions to the day's
  /// sums, in one transaction per day. If such a day later gets more sessions, because the clock
  /// was set back, the next call adds these. Then adds up the months that have ended, in one
  /// transaction per month.
  ///
  /// - Parameters:
  ///   - today: the current day, which has not ended.
  ///   - last: the id of the last session that is too old to be kept; 0 if there is none. A day in
  ///     the future also counts as ended if all its sessions to be added are that old.
  /// - Returns: the days that sessions were added to.
  /// - Throws: the first error, after all other days were tried. A day that failed keeps its
  ///   sessions, and queries read these. If the file is damaged, throws immediately, because a
  ///   write could overwrite data that is still readable.
  @discardableResult
  public func rollUp(today: Day, through last: Int64 = 0) throws(StoreError) -> [Day] {
    let days = try database.all(
      """
      SELECT DISTINCT day FROM session WHERE rolled_up = 0 AND day < ?1
      UNION ALL
      SELECT day FROM session WHERE rolled_up = 0 AND day > ?1 GROUP BY day HAVING max(id) <= ?2
      ORDER BY day
      """, [.text(today.text), .integer(last)]
    ) { row throws(StoreError) in try day(row, of: "session") }
    var done: [Day] = []
    var failure: StoreError?
    for day in days {
      do throws(StoreError) {
        let added = try transaction(.write, "rolling up \(day)") { () throws(StoreError) in
          try rollUp(day)
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

  /// The sessions of a day, by whether the day's sums include them.
  enum Share: Int {
    case pending = 0
    case rolledUp = 1

    /// A condition on `session`; `?1` is the day.
    var condition: String { "session.day = ?1 AND session.rolled_up = \(rawValue)" }
    /// A condition on `session` and its views; `?1` to `?4` are the columns of a key.
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
  /// - Parameter hasHours: whether the day gets totals and hours, if they are known.
  /// - Returns: whether there were any.
  func addUp(
    _ share: Share, of day: Day, hasHours: Bool = true
  ) throws(StoreError) -> Bool {
    let (condition, values) = (share.condition, [SQLValue.text(day.text)])
    let totals = try dayTotals(of: day, with: condition, values)
    // If another process has rolled up the day, GROUP BY yields no row.
    try database.run(
      """
      INSERT INTO day (day, sessions, first_began, last_began, \(DayTotals.columns))
      SELECT day, count(*), min(began), max(began), \(DayTotals.places(from: 2))
      FROM session WHERE \(condition) GROUP BY day
      ON CONFLICT DO UPDATE SET sessions = sessions + excluded.sessions,
        first_began = min(first_began, excluded.first_began),
        last_began = max(last_began, excluded.last_began), \(DayTotals.changes)
      """, values + DayTotals.values(hasHours ? totals : nil))
    guard database.changes > 0 else { return false }
    try dropSums(ofMonth: day.month)
    // These are rows, not `GridKey`s, because SQLite compares names byte by byte. Swift treats
    // canonically equivalent spellings, such as the two forms of é, as equal.
    let keys = try database.all(
      """
      SELECT DISTINCT day, display, screen, geometry
      FROM session JOIN screen_view ON screen_view.session = session.id WHERE \(condition)
      """, values
    ) { row throws(StoreError) in try row.viewKey }
    for key in keys { try addUp(share, key) }
    try addUpCounts(share, of: day)
    return true
  }

  /// The number of subjects that are added up at once, which bounds the memory.
  private static let subjectsAtOnce = 256

  /// Adds the counts of sessions to the day's sums.
  private func addUpCounts(_ share: Share, of day: Day) throws(StoreError) {
    let values = [SQLValue.text(day.text)]
    var subjects = try database.all(
      """
      SELECT DISTINCT subject
      FROM session CROSS JOIN session_count ON session_count.session = session.id
      WHERE \(share.condition) ORDER BY subject
      """, values
    ) { $0.integer(0) }
    if subjects.isEmpty { return }
    var lookup = Lookup()
    while !subjects.isEmpty {
      let some = Set(subjects.prefix(Self.subjectsAtOnce))
      subjects.removeFirst(some.count)
      var (sums, room) = (CountSums(), Int.max)
      for (table, condition) in [
        (CountOwner.session, share.condition), (.day, "day = ?1"),
      ] {
        try forEachCount(
          in: table, where: condition, values, &lookup, wants: { id, _ in some.contains(id) }
        ) { id, part, _ throws(StoreError) in try sums.add(part, to: id, room: &room) }
      }
      for id in some.sorted() { try write(sums.byID[id] ?? CountSum(), of: id, on: day.text) }
    }
    try noteDayKinds(of: day.text)
  }

  /// Returns the totals of a day, including the sessions to be added; nil if the totals of the
  /// sessions that its sums already include are unknown.
  private func dayTotals(
    of day: Day, with condition: String, _ values: [SQLValue]
  ) throws(StoreError) -> DayTotals? {
    var days: [Day: DaySummary] = [:]
    try addSessions(where: condition, values, but: nil, to: &days)
    var summary = days[day] ?? DaySummary(day: day)
    guard summary.totals?.isBalanced ?? true else {
      throw database.damaged("the totals of its sessions do not add up")
    }
    if let former = try rolledUp(day) { try summary.add(former) }
    return DayTotals(summary)
  }

  private func addUp(_ share: Share, _ key: [SQLValue]) throws(StoreError) {
    var views = ScreenSums()
    try views.addViews(of: .session, where: share.conditionOfKey, key, in: database)
    try views.addViews(of: .day, where: "day = ?1 AND " + oneKey, key, in: database)
    for (grid, tally) in views.byKey { try database.write(tally, of: grid, key) }
    // Add one layer at a time, so that only one sum of a large display is in memory.
    for layer in Layer.allCases { try addUp(share, layer: key + [.text(layer.rawValue)]) }
  }

  /// Adds the grids of one layer to the day's sum.
  /// - Parameter layer: the columns of the key, and the layer.
  private func addUp(_ share: Share, layer: [SQLValue]) throws(StoreError) {
    var sums = ScreenSums()
    try sums.addGrids(
      of: .session, where: share.conditionOfKey + " AND layer = ?5", layer, in: database)
    if sums.byKey.isEmpty { return }
    try sums.addGrids(
      of: .day, where: "day = ?1 AND " + oneKey + " AND layer = ?5", layer, in: database)
    for case let sum? in sums.byKey.values.map(\.sum) {
      try sum.write(.day, layer, in: database)
    }
  }
}

private let oneKey = "display = ?2 AND screen = ?3 AND geometry = ?4"
