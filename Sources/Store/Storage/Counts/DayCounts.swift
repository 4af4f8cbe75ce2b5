public import TouchModel

/// Counts that only days keep. They are added to their day when a session ends.
extension Store {
  /// Changes of screens of fewer sessions are not released, because they tell of single people.
  public static let fewestSessionsOfStep: UInt64 = 5
  /// How many subjects of a kind a day may have. Sessions that would exceed it are left out.
  private static let subjectLimit: Int64 = 8192
  /// The maximum number of screens of an answer.
  private static let screenLimit = 4096
  /// From 1000 to 9000, in ms since 1970.
  private static let years: ClosedRange<Int64> = -30_610_224_000_000...221_845_392_000_000

  /// Returns how people moved between screens on the days of a span. The store knows only their day,
  /// so a day counts if any part of it is in the span.
  /// - Parameter weekdays: only days that are one of these.
  /// - Returns: the counts, without changes of fewer than `fewestSessionsOfStep` sessions, and how
  ///   many kinds of changes were left out.
  /// - Throws: `.overflow` if a number exceeds 63 bits, or there are too many screens.
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
      var lookup = Lookup()
      var (sums, room) = (CountSums(), CountSums.numberLimit)
      try forEachCount(
        in: .day, of: FlowKind.name,
        where: "(?1 IS NULL OR day >= ?1) AND (?2 IS NULL OR day <= ?2)"
          + weekdays.andCondition("day"),
        [first.map { .text($0) } ?? .null, last.map { .text($0) } ?? .null], &lookup
      ) { id, sum, _ throws(StoreError) in try sums.add(sum, to: id, room: &room) }
      guard let counts = FlowCounts(try summed(sums, &lookup)) else {
        throw database.damaged("the changes of screens contradict each other")
      }
      guard counts.screens.count <= Self.screenLimit, counts.steps.count <= 16 * Self.screenLimit
      else {
        throw StoreError(
          .overflow, message: "there are more than \(Self.screenLimit) screens: choose fewer days",
          path: path)
      }
      return ReleasedFlows(all: counts)
    }
  }

  /// Adds a session's counts to those of its day. Call once for each session, in the transaction
  /// that writes its end.
  func add(_ counts: [SubjectCounts], to day: Day) throws(StoreError) {
    if counts.isEmpty { return }
    var ids: [Int64] = []
    for part in counts { ids.append(try database.number(of: part.subject)) }
    let known = Set(ids)
    var (lookup, sums) = (Lookup(), CountSums())
    for kind in Set(counts.map(\.subject.kind)) {
      do throws(StoreError) {
        try forEachCount(
          in: .day, of: kind, where: "day = ?1 AND subject IN (SELECT value FROM json_each(?2))",
          [.text(day.text), .text("[\(known.map { "\($0)" }.joined(separator: ","))]")], &lookup
        ) { id, sum, _ throws(StoreError) in try sums.add(sum, to: id) }
      } catch  where error.code == .damaged && !error.isDamagedFile {
        // Nothing of a day can be used if a part of it cannot be read.
        try removeCounts(where: "day = ?1", [.text(day.text)], onlyOfDays: true)
        sums = CountSums()
        break
      }
    }
    let others = try database.integer(
      "SELECT ifnull(sum(subjects), 0) FROM day_kind WHERE day = ?1 AND \(isOnlyOfDays(true))",
      [.text(day.text)])
    guard others + Int64(known.subtracting(sums.byID.keys).count) <= Self.subjectLimit else {
      return
    }
    for (id, part) in zip(ids, counts) {
      try sums.add(CountSum(sessions: 1, numbers: part.numbers), to: id)
    }
    // In a fixed order, so that equal sessions leave equal files.
    for id in known.sorted() { try write(sums.byID[id] ?? CountSum(), of: id, on: day.text) }
    try noteDayKinds(of: day.text)
  }

  /// Deletes the counts that only days keep, of the days that lie entirely within a span, whether or
  /// not the store has sessions of them.
  func removeDayCounts(in span: TimeSpan) throws(StoreError) {
    let (condition, values) = wholeDays(of: span)
    try removeCounts(where: condition, values, onlyOfDays: true)
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
