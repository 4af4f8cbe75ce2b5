internal import TouchModel

/// The sources of the numbers for a span, chosen so that each session counts exactly once.
///
/// A session is either part of its day's sums (`rolled_up`) or pending. The sums of a day cover the
/// time from the start of its first session to the start of its last. The calendar day does not
/// define this time, because time zones change and clocks are set back.
struct Sources {
  /// The days with sums whose sessions all began in the span.
  private(set) var wholeDays: [Day] = []
  /// The days with sums, but only some of whose sessions began in the span. Their sessions are read
  /// instead of the sums.
  private(set) var cutDays: [Day] = []
  /// The conditions, with their values, that select the sessions to be read one by one. Each uses
  /// `?1` to `?3`.
  private(set) var conditions: [(sql: String, values: [SQLValue])] = []

  /// Determines the sources of a query.
  /// - Throws: the errors of `init(_:on:in:)`, `requireSessions` and `prepareHours`.
  init(_ sessions: GridQuery.Sessions, in store: Store) throws(StoreError) {
    switch sessions {
    case .span(let span, let filter):
      guard let bounds = span.bounds else { return }
      if filter.choosesWholeDays {
        self = try Sources(bounds, on: filter.weekdays, in: store.database)
        return
      }
      try Self.requireSessions(of: bounds, for: filter, in: store.database)
      try store.prepareHours(of: bounds, for: filter)
      conditions = [
        (
          "session.began BETWEEN ?1 AND ?2 AND " + filter.condition,
          bounds.values + [.text(Tags.text(filter.tags))]
        )
      ]
    case .day(let day):
      wholeDays = [day]
      conditions = [
        ("session.rolled_up = 0 AND session.day = ?1", [.text(day.text), .null, .null])
      ]
    case .one(let session):
      conditions = [("session.id = ?1", [.integer(session), .null, .null])]
    }
  }

  /// - Parameter bounds: the range of start times of sessions that the query covers, in ms since
  ///   1970.
  /// - Throws: `.onlyWholeDays` if sessions were deleted from a day of which only a part lies in
  ///   the span.
  init(
    _ bounds: ClosedRange<Int64>, on weekdays: Set<Weekday> = SessionFilter.allWeekdays,
    in database: borrowing Database
  ) throws(StoreError) {
    var gone: [Day] = []
    try Self.eachDay(of: bounds, on: weekdays, in: database) {
      day, began, isWhole throws(StoreError) in
      if bounds.contains(began.lowerBound) && bounds.contains(began.upperBound) {
        wholeDays.append(day)
      } else if try isWhole() {
        cutDays.append(day)
      } else {
        gone.append(day)
      }
    }
    guard gone.isEmpty else {
      let days = gone.map(\.text).joined(separator: ", ")
      throw StoreError(
        .onlyWholeDays,
        message:
          "the span includes only a part of \(days), and some sessions there were deleted: only "
          + "the sums of whole days are complete",
        path: database.path)
    }
    // The + makes SQLite use the index of pending sessions instead of scanning all sessions of the
    // span.
    let pending =
      "session.rolled_up = 0 AND +session.began BETWEEN ?1 AND ?2 AND ?3 IS NULL"
      + weekdays.andCondition("session.day")
    let cut = "session.rolled_up = 1 AND session.began BETWEEN ?1 AND ?2 AND session.day = ?3"
    conditions =
      [(pending, bounds.values + [.null])]
      + cutDays.map { (cut, bounds.values + [.text($0.text)]) }
  }

  /// Calls `body` with each day that overlaps a range: with its first and last start, and with a
  /// function that returns whether all sessions in its sums are still stored.
  private static func eachDay(
    of bounds: ClosedRange<Int64>, on weekdays: Set<Weekday>, in database: borrowing Database,
    _ body: (Day, ClosedRange<Int64>, _ isWhole: () throws(StoreError) -> Bool) throws(StoreError)
      -> Void
  ) throws(StoreError) {
    let statement = try database.prepare(
      """
      SELECT day, first_began, last_began, sessions FROM day
      WHERE last_began >= ?1 AND first_began <= ?2 ORDER BY day
      """)
    try statement.bind(bounds.values)
    while try statement.step() {
      guard let day = Day(try statement.text(0)) else {
        throw database.damaged("a row of the table day has no valid date")
      }
      guard weekdays.contains(day.weekday) else { continue }
      let (first, last) = (statement.integer(1), statement.integer(2))
      guard first <= last else {
        throw database.damaged("day \(day): its first session began after its last one")
      }
      try body(day, first...last) { () throws(StoreError) in
        try left(of: day, first...last, in: database) == statement.integer(3)
      }
    }
  }

  /// Checks that all sessions of a time range that may pass a filter are stored, and that their
  /// tags can be read.
  /// - Throws: `.tagsGone` or, without tags, `.hoursUnknown` if a day that overlaps the range has
  ///   lost sessions; `.damaged` if the tags of a stored session cannot be read.
  static func requireSessions(
    of bounds: ClosedRange<Int64>, for filter: SessionFilter, in database: borrowing Database
  ) throws(StoreError) {
    let unreadable = try database.first(
      "SELECT id FROM session WHERE began BETWEEN ?1 AND ?2 AND NOT json_valid(tags)",
      bounds.values
    ) { $0.integer(0) }
    if let unreadable { throw database.damaged("session \(unreadable): tags cannot be read") }
    var last: (day: Day, began: Int64)?
    try eachDay(of: bounds, on: filter.weekdays, in: database) {
      day, began, isWhole throws(StoreError) in
      if try !isWhole() { last = (day, max(last?.began ?? .min, began.upperBound)) }
    }
    guard let last else { return }
    let (code, what): (StoreError.Code, String) =
      filter.tags.isEmpty ? (.hoursUnknown, "hours") : (.tagsGone, "tags")
    let since = try firstDay(after: last, in: database)
    throw StoreError(
      code,
      message: "\(what) are deleted with their sessions, and sessions up to \(last.day) were "
        + "deleted; "
        + (since.map { "\(what) are complete from \($0) on" } ?? "there are no later sessions"),
      path: database.path)
  }

  /// Returns the first day with stored sessions after a day, `YYYY-MM-DD`; nil if there is none.
  /// - Parameter last: the day, and the start of its last session.
  static func firstDay(
    after last: (day: Day, began: Int64), in database: borrowing Database
  ) throws(StoreError) -> String? {
    try database.first(
      "SELECT day FROM session WHERE began > ?1 AND day > ?2 ORDER BY began",
      [.integer(last.began), .text(last.day.text)]
    ) { row throws(StoreError) in try row.text(0) }
  }

  /// Returns the number of sessions in a day's sums that are still stored.
  static func left(
    of day: Day, _ began: ClosedRange<Int64>, in database: borrowing Database
  ) throws(StoreError) -> Int64 {
    try database.integer(
      "SELECT count(*) FROM session WHERE rolled_up = 1 AND day = ?1 AND began BETWEEN ?2 AND ?3",
      [.text(day.text), .integer(began.lowerBound), .integer(began.upperBound)])
  }

  /// Splits `wholeDays` into whole months that have sums, and the remaining days. A month is whole
  /// if `wholeDays` has as many of its days as its sums include. (These sums are deleted whenever
  /// one of the days changes.)
  func periods(
    in database: borrowing Database
  ) throws(StoreError) -> (months: [String], days: [Day]) {
    guard let first = wholeDays.first, let last = wholeDays.last else { return ([], []) }
    let counts = Dictionary(grouping: wholeDays, by: \.month).mapValues(\.count)
    var months: [String] = []
    try database.each(
      "SELECT month, days FROM month WHERE month BETWEEN ?1 AND ?2 ORDER BY month",
      [.text(first.month), .text(last.month)]
    ) { row throws(StoreError) in
      let month = try row.text(0)
      if let count = counts[month], row.integer(1) == Int64(count) { months.append(month) }
    }
    let known = Set(months)
    return (months, wholeDays.filter { !known.contains($0.month) })
  }
}

extension ClosedRange<Int64> {
  /// Its ends, as the values of `?1` and `?2`.
  var values: [SQLValue] { [.integer(lowerBound), .integer(upperBound)] }
}
