internal import TouchModel

/// From where the numbers for a span come, so that each session is in them exactly once.
///
/// A session is either part of its day's sums (`rolled_up`) or pending. What a day's sums cover is
/// known by the first and last beginning of the sessions in them, not by the calendar: time zones
/// change, and clocks are set back.
struct Sources {
  /// The first and last beginning asked for, in milliseconds.
  var bounds: ClosedRange<Int64>
  /// Days whose sums lie in the span as a whole.
  var wholeDays: [Day] = []
  /// Days of whose sums a part lies in the span: their sessions are read instead.
  var cutDays: [Day] = []

  /// - Throws: `.onlyWholeDays` where sessions of a cut day are gone.
  init?(_ span: TimeSpan, in database: borrowing Database) throws(StoreError) {
    guard let bounds = span.bounds else { return nil }
    self.bounds = bounds
    var gone: [Day] = []
    let statement = try database.prepare(
      """
      SELECT day, first_began, last_began, sessions FROM day
      WHERE last_began >= ?1 AND first_began <= ?2 ORDER BY day
      """)
    try statement.bind([.integer(bounds.lowerBound), .integer(bounds.upperBound)])
    while try statement.step() {
      guard let day = Day(try statement.text(0)) else { throw database.damaged("day: not a day") }
      let (first, last) = (statement.integer(1), statement.integer(2))
      guard first <= last else { throw database.damaged("day \(day): first_began is the later") }
      if bounds.contains(first) && bounds.contains(last) {
        wholeDays.append(day)
      } else if try Self.left(of: day, first...last, in: database) == statement.integer(3) {
        cutDays.append(day)
      } else {
        gone.append(day)
      }
    }
    guard gone.isEmpty else {
      let days = gone.map(\.text).joined(separator: ", ")
      throw StoreError(
        .onlyWholeDays,
        message: "the span cuts \(days), sessions of which are gone and left in the sums alone",
        path: database.path)
    }
  }

  /// - Throws: `.tagsGone` where sessions are gone that began between these times; `.damaged` where the
  ///   tags of one that is there cannot be read.
  static func requireTags(
    of bounds: ClosedRange<Int64>, in database: borrowing Database
  ) throws(StoreError) {
    let values: [SQLValue] = [.integer(bounds.lowerBound), .integer(bounds.upperBound)]
    let unreadable = try database.first(
      "SELECT id FROM session WHERE began BETWEEN ?1 AND ?2 AND NOT json_valid(tags)", values
    ) { $0.integer(0) }
    if let unreadable { throw database.damaged("session \(unreadable): tags cannot be read") }
    var last: (day: Day, began: Int64)?
    try database.each(
      """
      SELECT day, first_began, last_began, sessions FROM day
      WHERE last_began >= ?1 AND first_began <= ?2 ORDER BY day
      """, values
    ) { row throws(StoreError) in
      guard let day = Day(try row.text(0)), row.integer(1) <= row.integer(2) else {
        throw database.damaged("day: not a day, or first_began is the later")
      }
      let began = row.integer(1)...row.integer(2)
      guard try left(of: day, began, in: database) != row.integer(3) else { return }
      last = (day, max(last?.began ?? .min, began.upperBound))
    }
    guard let last else { return }
    let since = try database.first(
      "SELECT day FROM session WHERE began > ?1 AND day > ?2 ORDER BY began",
      [.integer(last.began), .text(last.day.text)]
    ) { row throws(StoreError) in try row.text(0) }
    throw StoreError(
      .tagsGone,
      message: "tags go with their sessions, and of those up to \(last.day) some are gone; "
        + (since.map { "all are there since \($0)" } ?? "there are none of later days"),
      path: database.path)
  }

  /// How many of the sessions in a day's sums are still there.
  static func left(
    of day: Day, _ began: ClosedRange<Int64>, in database: borrowing Database
  ) throws(StoreError) -> Int64 {
    try database.integer(
      "SELECT count(*) FROM session WHERE rolled_up = 1 AND day = ?1 AND began BETWEEN ?2 AND ?3",
      [.text(day.text), .integer(began.lowerBound), .integer(began.upperBound)])
  }

  /// The whole days once more: as months that have sums and lie in the span as a whole, and the days of no such
  /// month. Where a day is forgotten, so are the sums of its month: as many days as these hold are all of it.
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

  /// What picks out, in `session`, those that are read one by one: a condition, and its values.
  /// `?1` to `?3` are taken by it.
  var conditions: [(sql: String, values: [SQLValue])] {
    let span: [SQLValue] = [.integer(bounds.lowerBound), .integer(bounds.upperBound)]
    // With the +, SQLite goes by the index of those that are pending, not through all that began in the span.
    let pending = (
      "session.rolled_up = 0 AND +session.began BETWEEN ?1 AND ?2 AND ?3 IS NULL", span + [.null]
    )
    return [pending]
      + cutDays.map { day in
        (
          "session.rolled_up = 1 AND session.began BETWEEN ?1 AND ?2 AND session.day = ?3",
          span + [.text(day.text)]
        )
      }
  }
}
