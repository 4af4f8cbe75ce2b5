internal import Text
public import TouchModel

/// How people moved between screens, by day. A session's own changes of screens are nearly its
/// sequence, so they are never stored: when it ends, they are added to those of its day.
extension Store {
  /// Changes of screens of fewer sessions are not released, because they tell of single people.
  public static let fewestSessionsOfStep: UInt64 = 5
  /// The maximum size of a day's counts, in bytes of JSON. Sessions that would exceed it are left
  /// out.
  private static let sizeLimit = 1 << 20
  /// From 1000 to 9000, in ms since 1970.
  private static let years: ClosedRange<Int64> = -30_610_224_000_000...221_845_392_000_000
  /// The maximum number of screens of an answer.
  private static let screenLimit = 4096

  /// Returns the counts of the days of a span. The store knows only their day, so a day counts if
  /// any part of it is in the span.
  /// - Parameter weekdays: only days that are one of these.
  /// - Returns: the counts, without changes of fewer than `fewestSessionsOfStep` sessions, and how
  ///   many kinds of changes were left out.
  /// - Throws: `.overflow` if a number exceeds 64 bits.
  public func flows(
    in span: TimeSpan, on weekdays: Set<Weekday> = SessionFilter.allWeekdays
  ) throws(StoreError) -> ReleasedFlows {
    guard let bounds = span.bounds else {
      return ReleasedFlows(counts: FlowCounts(), hiddenSteps: 0)
    }
    // Days are compared as texts, so their years must have four digits.
    func day(_ time: Int64) -> String {
      let time = min(max(time, Self.years.lowerBound), Self.years.upperBound)
      return self.day(of: WallTime(milliseconds: time)).text
    }
    return try flows(
      from: span.since.map { _ in day(bounds.lowerBound) },
      to: span.until.map { _ in day(bounds.upperBound) }, on: weekdays)
  }

  /// Returns the counts of one day, as `flows(in:)` does.
  public func flows(on day: Day) throws(StoreError) -> ReleasedFlows {
    try flows(from: day.text, to: day.text, on: SessionFilter.allWeekdays)
  }

  private func flows(
    from first: String?, to last: String?, on weekdays: Set<Weekday>
  ) throws(StoreError) -> ReleasedFlows {
    try during("adding up changes of screens") { () throws(StoreError) in
      var sum = FlowCounts()
      try database.each(
        """
        SELECT day, sessions, bytes, counts FROM flow
        WHERE (?1 IS NULL OR day >= ?1) AND (?2 IS NULL OR day <= ?2)\(weekdays.andCondition("day"))
        ORDER BY day
        """, [first.map { .text($0) } ?? .null, last.map { .text($0) } ?? .null]
      ) { row throws(StoreError) in
        try checkCancellation()
        guard sum.add(try FlowRow.read(row, in: database)) else { throw Self.tooLarge }
        guard sum.screens.count <= Self.screenLimit, sum.steps.count <= 16 * Self.screenLimit else {
          throw StoreError(
            .overflow,
            message: "there are more than \(Self.screenLimit) screens: choose fewer days",
            path: path)
        }
      }
      return ReleasedFlows(all: sum.sorted)
    }
  }

  /// Adds a session to the counts of its day. Call once for each session, in the transaction that
  /// writes its end.
  func add(_ flow: FlowCounts, to day: Day) throws(StoreError) {
    let former: FlowCounts?? = try database.first(
      "SELECT day, sessions, bytes, counts FROM flow WHERE day = ?1", [.text(day.text)],
      keeping: true
    ) { row throws(StoreError) in try FlowRow.readOrNil(row) }
    // A damaged row is replaced: nothing in it can be read.
    var sum = (former ?? nil) ?? FlowCounts()
    guard sum.add(flow), let text = JSON.encodedObject(sum.sorted), text.count <= Self.sizeLimit
    else { return }
    try database.run(
      """
      INSERT INTO flow (day, sessions, bytes, counts) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT DO UPDATE SET sessions = excluded.sessions, bytes = excluded.bytes,
        counts = excluded.counts
      """,
      [
        .text(day.text), try .count(sum.sessions, "sessions"), .integer(Int64(text.count)),
        .blob(try Deflate.deflate(text, as: .text)),
      ], keeping: true)
  }

  /// Deletes the counts of days, because sessions of these are forgotten: they contain the changes
  /// of these sessions, which cannot be subtracted.
  func removeFlows(of days: some Collection<String>) throws(StoreError) {
    for day in days { try database.run("DELETE FROM flow WHERE day = ?1", [.text(day)]) }
  }

  /// Deletes the counts of the days that lie entirely within a span, whether or not the store has
  /// sessions of them.
  func removeFlows(in span: TimeSpan) throws(StoreError) {
    let (condition, values) = wholeDays(of: span)
    try database.run("DELETE FROM flow WHERE \(condition)", values)
  }

  private static var tooLarge: StoreError {
    StoreError(.overflow, message: "a sum of changes of screens exceeds the largest number")
  }
}

/// Counts without those that tell of single people.
public struct ReleasedFlows: Hashable, Sendable {
  public var counts: FlowCounts
  /// The number of kinds of changes that are left out.
  public var hiddenSteps: Int

  public init(counts: FlowCounts, hiddenSteps: Int) {
    self.counts = counts
    self.hiddenSteps = hiddenSteps
  }

  init(all: FlowCounts) {
    counts = all
    counts.steps.removeAll { $0.sessions < Store.fewestSessionsOfStep }
    hiddenSteps = all.steps.count - counts.steps.count
  }
}

/// Reads a row of `flow`: its columns `day`, `sessions`, `bytes` and `counts`.
enum FlowRow {
  static func read(
    _ row: borrowing Statement, in database: borrowing Database
  ) throws(StoreError) -> FlowCounts {
    guard let counts = try readOrNil(row) else {
      throw database.damaged("the changes of screens of \(try row.text(0)) cannot be read")
    }
    return counts
  }

  /// - Returns: nil if the row is damaged.
  static func readOrNil(_ row: borrowing Statement) throws(StoreError) -> FlowCounts? {
    let size = row.integer(2)
    guard Day(try row.text(0)) != nil, (2...(1 << 20)).contains(size),
      let text = Deflate.inflate(row.blob(3), count: Int(size)),
      let counts = try? JSON.decode(FlowCounts.self, from: text[...]), counts.isPlausible,
      counts.sessions == UInt64(exactly: row.integer(1)), counts.sessions > 0
    else { return nil }
    return counts
  }
}
