internal import CSQLite
internal import TouchModel

public enum ForgetSelection: Hashable, Sendable {
  /// The sessions that began in the span, and the suspected ghosts of days that lie entirely
  /// within it.
  case span(TimeSpan)
  case session(Int64)
}

/// The result of `Store.forget`.
public struct Forgotten: Hashable, Sendable {
  public var sessions: UInt64 = 0
  /// The number of touches that began in these sessions.
  public var touches: UInt64 = 0
  /// The number of days on which these sessions began.
  public var days: UInt64 = 0
  /// The reason why traces of the sessions remain in the store's files; nil if they were erased.
  /// The next call of `forget` erases them as well.
  public var notErased: StoreError?

  /// The user's options if traces remain, as text.
  public static let notErasedAdvice =
    "The next 'touchgrid forget' erases the rest, and so does 'touchgrid store compact' while the "
    + "daemon is stopped."

  public init(sessions: UInt64 = 0, touches: UInt64 = 0, days: UInt64 = 0) {
    self.sessions = sessions
    self.touches = touches
    self.days = days
  }
}

extension Store {
  /// The number of sessions that are removed per statement.
  private static let batch = 64

  /// Removes sessions, their share of all sums, and every trace of them in the store's files. Uses
  /// one transaction, then rewrites the file.
  ///
  /// Afterwards the store looks as if they had never existed, with five exceptions:
  /// - Their ids are not reused.
  /// - The changes between screens of their days are gone, including those of other sessions.
  /// - If the time zone has evidently changed since one of their days was rolled up, the totals and
  ///   hours of the day are gone.
  /// - The sums of their months are missing until the next housekeeping.
  /// - If `retain` has deleted other sessions of a day, the placements, the masks, `first_began`
  ///   and `last_began` of the day remain as they are.
  ///
  /// - Parameter limit: only sessions with ids below this are removed.
  /// - Throws: `.onlyWholeDays` if the span covers only a part of a day from which sessions were
  ///   deleted, because it is unknown whether these began in the span; `.damaged` if the file is
  ///   inconsistent anywhere. If it throws, nothing was changed.
  public func forget(_ what: ForgetSelection, below limit: Int64 = .max) throws(StoreError)
    -> Forgotten
  {
    var forgotten: Forgotten
    do throws(StoreError) {
      try checkFile()
      forgotten = try transactionWithoutReferences { () throws(StoreError) in
        var account = Account()
        switch what {
        case .span(let span): try forget(span, below: limit, &account)
        case .session(let id) where id < limit: try forget(session: id, &account)
        case .session: break
        }
        // Counts that only days keep include the forgotten sessions. These cannot be subtracted.
        for day in account.days {
          try removeDayCounts(where: "day = ?1", [.text(day)])
        }
        try database.run(
          "DELETE FROM checkpoint WHERE session NOT IN (SELECT id FROM session)")
        try removeUnused()
        try pruneClockHistory()
        return account.forgotten
      }
      giveUpRemoved()
    } catch {
      var reported = error
      reported.activity = "nothing was forgotten"
      throw reported
    }
    do throws(StoreError) { try erase() } catch { forgotten.notErased = error }
    return forgotten
  }

  /// Checks the integrity of the file. A row that is missing in an index would not be found, and
  /// would remain. Rows that only violate a CHECK constraint can be forgotten, so these constraints
  /// are ignored.
  private func checkFile() throws(StoreError) {
    try database.execute("PRAGMA ignore_check_constraints = ON")
    defer { try? database.execute("PRAGMA ignore_check_constraints = OFF") }
    if let fault = try database.faults("integrity_check(1)").first {
      throw StoreError(sqliteCode: SQLITE_CORRUPT, message: fault, path: path)
    }
  }

  /// Counts the forgotten sessions and touches.
  struct Account {
    private(set) var forgotten = Forgotten()
    /// The days on which these sessions began.
    private(set) var days: Set<String> = []

    mutating func add(sessions: UInt64 = 1, touches: UInt64, day: String) throws(StoreError) {
      try forgotten.sessions.add(sessions, "sessions")
      try forgotten.touches.add(touches, "touches")
      days.insert(day)
      forgotten.days = UInt64(days.count)
    }
  }

  private func forget(
    _ span: TimeSpan, below limit: Int64, _ account: inout Account
  ) throws(StoreError) {
    guard let bounds = span.bounds else { return }
    let sources = try Sources(bounds, in: database)
    for day in sources.wholeDays {
      let known = try summary(ofWhole: day)
      let touches =
        if let totals = known.totals { totals.begun } else { try countedTouches(on: day) }
      try account.add(sessions: known.sessions, touches: touches, day: day.text)
      try removeSums(of: day)
    }
    let inSpan = "began BETWEEN ?1 AND ?2 AND id < ?3"
    let values = bounds.values + [.integer(limit)]
    // The sessions of whole days have already been counted.
    let whole = Set(sources.wholeDays)
    var pieces: Set<Day> = []
    try database.each("SELECT day, begun, rolled_up FROM session WHERE \(inSpan)", values) {
      row throws(StoreError) in
      let text = try row.text(0)
      let isRolledUp = row.integer(2) != 0
      if isRolledUp, let day = Day(text) {
        if whole.contains(day) { return }
        pieces.insert(day)
      }
      try account.add(touches: try row.count(1), day: text)
    }
    var again: [(day: Day, hasHours: Bool)] = []
    for day in sources.cutDays where pieces.contains(day) {
      again.append((day, try canKeepHours(of: day)))
    }
    try remove(sessions: inSpan, values)
    for (day, hasHours) in again { try addUpAnew(day, hasHours: hasHours) }
    try forgetGhosts(span)
    let (days, dayValues) = wholeDays(of: span)
    try removeDayCounts(where: days, dayValues)
  }

  private func forget(session id: Int64, _ account: inout Account) throws(StoreError) {
    let row = try database.first(
      "SELECT day, begun, rolled_up FROM session WHERE id = ?1", [.integer(id)]
    ) { row throws(StoreError) in
      (day: try row.text(0), begun: try row.count(1), isRolledUp: row.integer(2) != 0)
    }
    guard let row else { return }
    try account.add(touches: row.begun, day: row.day)
    var dayOfSums: (day: Day, hasHours: Bool)?
    if row.isRolledUp, let day = Day(row.day) {
      let isWhole = try database.first(
        "SELECT first_began, last_began, sessions FROM day WHERE day = ?1", [.text(row.day)]
      ) { row throws(StoreError) in
        let (first, last) = (row.integer(0), row.integer(1))
        guard first <= last else {
          throw database.damaged("day \(day): its first session began after its last one")
        }
        return try Sources.left(of: day, first...last, in: database) == row.integer(2)
      }
      if isWhole == false {
        try needingGrids(
          "to remove this session, forget all of its day: --since \(day) --until \(day)"
        ) { () throws(StoreError) in
          try subtract(session: id, from: day)
        }
      }
      if isWhole == true { dayOfSums = (day, try canKeepHours(of: day)) }
    }
    try remove(sessions: "id = ?1", [.integer(id)])
    if let dayOfSums { try addUpAnew(dayOfSums.day, hasHours: dayOfSums.hasHours) }
  }

  // MARK: Days

  /// Computes the sums of a day again from its sessions that are still stored.
  /// - Parameter hasHours: what `canKeepHours` returned before sessions of the day were removed. The
  ///   sums get neither hours nor totals if it is false.
  /// - Precondition: none of the other sessions of the day was deleted by `retain`.
  private func addUpAnew(_ day: Day, hasHours: Bool) throws(StoreError) {
    try removeSums(of: day)
    try needingGrids(
      "forget the session named here first, or all of its day: --since \(day) --until \(day)"
    ) {
      () throws(StoreError) in _ = try addUp(.rolledUp, of: day, hasHours: hasHours)
    }
  }

  /// Runs `body`. If a row cannot be read, adds advice to the error about a selection that the user
  /// can forget instead.
  private func needingGrids(
    _ wayOut: String, _ body: () throws(StoreError) -> Void
  ) throws(StoreError) {
    do throws(StoreError) { try body() } catch
      where error.code == .damaged && !error.isDamagedFile
    {
      throw database.damaged("\(error.message); \(wayOut)")
    }
  }

  /// Whether the hours of a day's sums may be computed again with the current time zone: they are
  /// those of this zone, or damaged.
  private func canKeepHours(of day: Day) throws(StoreError) -> Bool {
    do throws(StoreError) { return try hasHours(of: day, by: options.clock()) } catch
      where error.code == .damaged && !error.isDamagedFile
    {
      return true
    }
  }

  private func removeSums(of day: Day) throws(StoreError) {
    try removeCounts(where: "day = ?1", [.text(day.text)])
    for table in ["daily", "daily_view", "day"] {
      try database.run("DELETE FROM \(table) WHERE day = ?1", [.text(day.text)])
    }
    try dropSums(ofMonth: day.month)
  }

  /// Returns the number of counted touches of a day that has no totals.
  private func countedTouches(on day: Day) throws(StoreError) -> UInt64 {
    var sum: UInt64 = 0
    try database.each("SELECT touches FROM daily_view WHERE day = ?1", [.text(day.text)]) {
      row throws(StoreError) in
      try sum.add(try row.count(0), "touches")
    }
    return sum
  }

  /// Removes the suspected ghosts outside of sessions. The store has only their day, not their
  /// time, so only those of days that lie entirely within the span are removed.
  private func forgetGhosts(_ span: TimeSpan) throws(StoreError) {
    let (condition, values) = wholeDays(of: span)
    try database.run("DELETE FROM ghost WHERE \(condition)", values)
  }

  /// Returns a condition on the column `day`: the day lies entirely within the span.
  func wholeDays(of span: TimeSpan) -> (condition: String, values: [SQLValue]) {
    var conditions = ["TRUE"]
    var values: [SQLValue] = []
    if let since = span.since, since.milliseconds > .min {
      values.append(.text(day(of: WallTime(milliseconds: since.milliseconds - 1)).text))
      conditions.append("day > ?\(values.count)")
    }
    if let until = span.until {
      values.append(.text(day(of: until).text))
      conditions.append("day < ?\(values.count)")
    }
    return (conditions.joined(separator: " AND "), values)
  }

  // MARK: Rows

  /// Removes sessions from each table, a few at a time. With a single DELETE, SQLite would keep a
  /// list of all rows to be removed in memory.
  private func remove(sessions condition: String, _ values: [SQLValue]) throws(StoreError) {
    let some = "SELECT id FROM session WHERE \(condition) ORDER BY began, id LIMIT \(Self.batch)"
    repeat {
      for table in ["grid", "session_count", "screen_view"] {
        try database.run("DELETE FROM \(table) WHERE session IN (\(some))", values, keeping: true)
      }
      try database.run("DELETE FROM session WHERE id IN (\(some))", values, keeping: true)
    } while database.changes > 0
  }
}
