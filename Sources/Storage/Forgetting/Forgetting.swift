internal import CSQLite
internal import TouchModel

/// Which sessions are to be as if they had never been.
public enum Forgetting: Hashable, Sendable {
  /// Those that began in it; with the suspected ghosts of days that lie in it as a whole.
  case span(TimeSpan)
  case session(Int64)
}

/// What was forgotten.
public struct Forgotten: Hashable, Sendable {
  public var sessions: UInt64 = 0
  /// That began in them.
  public var touches: UInt64 = 0
  /// On which they began.
  public var days: UInt64 = 0
  /// Why some of what they were is still in the store's files; nil where it is erased. Whatever is forgotten next
  /// erases that as well.
  public var notErased: StoreError?

  /// What the user can do then.
  public static let notErasedAdvice =
    "Whatever is forgotten next erases that as well, and so does 'touchgrid store compact' while the "
    + "daemon is stopped."

  public init(sessions: UInt64 = 0, touches: UInt64 = 0, days: UInt64 = 0) {
    self.sessions = sessions
    self.touches = touches
    self.days = days
  }
}

extension Store {
  /// Sessions removed by one statement.
  private static let batch = 64

  /// Removes sessions, their share of all sums, and every trace of them in the store's files. One transaction,
  /// then the file is written anew.
  ///
  /// The store is then as if they had never been, with three exceptions: their numbers are not given again; the
  /// sums of their months are missing until house is kept; and of a day that has lost other sessions to
  /// `retain`, what its placements, its masks and its first and last beginning held in common stays as it is.
  /// - Parameter limit: only sessions with numbers below this.
  /// - Throws: `.onlyWholeDays` where the span cuts a day that has lost sessions: of these nobody knows on which
  ///   side of the cut they began. `.damaged` where the file contradicts itself anywhere. Nothing was changed then,
  ///   whatever is thrown.
  public func forget(_ what: Forgetting, below limit: Int64 = .max) throws(StoreError) -> Forgotten
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
        try database.run(
          "DELETE FROM checkpoint WHERE session NOT IN (SELECT id FROM session)")
        try removeUnused()
        try tidyNotes()
        return account.forgotten
      }
      giveUpRemoved()
    } catch {
      var told = error
      told.activity = "nothing was forgotten"
      throw told
    }
    do throws(StoreError) { try erase() } catch { forgotten.notErased = error }
    return forgotten
  }

  /// A row that an index misses would stay behind, untold. What only breaks a CHECK can be forgotten.
  private func checkFile() throws(StoreError) {
    try database.execute("PRAGMA ignore_check_constraints = ON")
    defer { try? database.execute("PRAGMA ignore_check_constraints = OFF") }
    if let fault = try database.faults("integrity_check(1)").first {
      throw StoreError(sqliteCode: SQLITE_CORRUPT, message: fault, path: path)
    }
  }

  /// What is forgotten as it goes.
  struct Account {
    private(set) var forgotten = Forgotten()
    private var days: Set<String> = []

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
    guard let sources = try Sources(span, in: database) else { return }
    for day in sources.wholeDays {
      let known = try summary(ofWhole: day)
      let touches = if let books = known.totals { books.begun } else { try countedTouches(on: day) }
      try account.add(sessions: known.sessions, touches: touches, day: day.text)
      try removeSums(of: day)
    }
    let inSpan = "began BETWEEN ?1 AND ?2 AND id < ?3"
    let values: [SQLValue] = [
      .integer(sources.bounds.lowerBound), .integer(sources.bounds.upperBound), .integer(limit),
    ]
    // Those of whole days are in the account.
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
    try remove(sessions: inSpan, values)
    for day in sources.cutDays where pieces.contains(day) { try addUpAnew(day) }
    try forgetGhosts(span)
  }

  private func forget(session id: Int64, _ account: inout Account) throws(StoreError) {
    let row = try database.first(
      "SELECT day, begun, rolled_up FROM session WHERE id = ?1", [.integer(id)]
    ) { row throws(StoreError) in
      (day: try row.text(0), begun: try row.count(1), isRolledUp: row.integer(2) != 0)
    }
    guard let row else { return }
    try account.add(touches: row.begun, day: row.day)
    var dayOfSums: Day?
    if row.isRolledUp, let day = Day(row.day) {
      let isWhole = try database.first(
        "SELECT first_began, last_began, sessions FROM day WHERE day = ?1", [.text(row.day)]
      ) { row throws(StoreError) in
        let (first, last) = (row.integer(0), row.integer(1))
        guard first <= last else { throw database.damaged("day \(day): first_began is the later") }
        return try Sources.left(of: day, first...last, in: database) == row.integer(2)
      }
      if isWhole == false {
        try needingGrids("the whole of \(day) can be forgotten") { () throws(StoreError) in
          try subtract(session: id, from: day)
        }
      }
      if isWhole == true { dayOfSums = day }
    }
    try remove(sessions: "id = ?1", [.integer(id)])
    if let dayOfSums { try addUpAnew(dayOfSums) }
  }

  // MARK: Days

  /// Makes the sums of a day, all of whose sessions are there, once more: of those that are left.
  private func addUpAnew(_ day: Day) throws(StoreError) {
    try removeSums(of: day)
    try needingGrids("forget that session first, or the whole of \(day)") {
      () throws(StoreError) in _ = try addUp(.rolledUp, of: day)
    }
  }

  /// Tells the way out where a row cannot be read that a day's sums need.
  private func needingGrids(
    _ wayOut: String, _ body: () throws(StoreError) -> Void
  ) throws(StoreError) {
    do throws(StoreError) { try body() } catch
      where error.code == .damaged && !error.isDamagedFile
    {
      throw database.damaged("\(error.message); \(wayOut)")
    }
  }

  private func removeSums(of day: Day) throws(StoreError) {
    for table in ["daily", "daily_view", "day"] {
      try database.run("DELETE FROM \(table) WHERE day = ?1", [.text(day.text)])
    }
    try dropSums(ofMonth: day.month)
  }

  /// Of a day that kept no books.
  private func countedTouches(on day: Day) throws(StoreError) -> UInt64 {
    var sum: UInt64 = 0
    try database.each("SELECT touches FROM daily_view WHERE day = ?1", [.text(day.text)]) {
      row throws(StoreError) in
      try sum.add(try row.count(0), "touches")
    }
    return sum
  }

  /// Ghosts are known by the day alone: those of days that lie in the span as a whole go.
  private func forgetGhosts(_ span: TimeSpan) throws(StoreError) {
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
    try database.run(
      "DELETE FROM ghost WHERE " + conditions.joined(separator: " AND "), values)
  }

  // MARK: Rows

  /// By hand and a few at a time: SQLite would keep in memory which rows one statement is to delete.
  private func remove(sessions condition: String, _ values: [SQLValue]) throws(StoreError) {
    let some = "SELECT id FROM session WHERE \(condition) ORDER BY began, id LIMIT \(Self.batch)"
    let grids = try database.prepare("DELETE FROM grid WHERE session IN (\(some))")
    let views = try database.prepare("DELETE FROM screen_view WHERE session IN (\(some))")
    let heads = try database.prepare("DELETE FROM session WHERE id IN (\(some))")
    func run(_ statement: borrowing Statement) throws(StoreError) {
      try statement.bind(values)
      while try statement.step() {}
    }
    repeat {
      try run(grids)
      try run(views)
      try run(heads)
    } while database.changes > 0
  }

}
