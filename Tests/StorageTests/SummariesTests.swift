import TestSupport
import Testing
import TouchModel

@testable import Storage

/// A simple implementation of sums, session by session, in memory.
struct NaiveSums: Equatable {
  var sessions: UInt64 = 0
  var touches: UInt64 = 0
  var shown: UInt64 = 0
  var sum: [Int: UInt64] = [:]
  var squares: [Int: UInt128] = [:]
  var touched: [Int: UInt64] = [:]
  var placements: Set<Placement> = []
  var masks: Set<Rectangle> = []

  static func of(
    _ records: [SessionRecord], layer: Layer, screen: String?
  ) -> [GridKey: NaiveSums] {
    var all: [GridKey: NaiveSums] = [:]
    for record in records {
      for view in record.changedViews where screen == nil || view.key.screen == screen {
        all[view.key, default: NaiveSums()].sessions += 1
        all[view.key, default: NaiveSums()].touches += view.touches
        all[view.key, default: NaiveSums()].shown += view.shownMilliseconds
        all[view.key, default: NaiveSums()].placements.formUnion(view.placements)
        all[view.key, default: NaiveSums()].masks.formUnion(view.masks)
      }
      for grid in record.changedGrids
      where grid.layer == layer && (screen == nil || grid.key.screen == screen) {
        for index in 0..<grid.counters.count where grid.counters[index] > 0 {
          let value = grid.counters[index]
          all[grid.key]?.sum[index, default: 0] += value
          all[grid.key]?.squares[index, default: 0] += UInt128(value) * UInt128(value)
          all[grid.key]?.touched[index, default: 0] += 1
        }
      }
    }
    return all
  }

  init() {}

  init(_ summary: SummedGrid, shown: UInt64) {
    sessions = summary.sessions
    touches = summary.touches
    self.shown = shown
    for index in 0..<summary.sum.count {
      if summary.sum[index] > 0 { sum[index] = summary.sum[index] }
      if summary.sumOfSquares[index] > 0 { squares[index] = summary.sumOfSquares[index] }
      if summary.touchedSessions[index] > 0 { touched[index] = summary.touchedSessions[index] }
    }
    placements = Set(summary.placements)
    masks = Set(summary.masks)
  }
}

/// Returns the counts of single sessions in the blocks of a grid that few of them touched.
private func naiveCounts(
  of grid: SummedGrid, _ records: [SessionRecord], below limit: UInt64
) -> [SessionCount] {
  let own = records.compactMap { record in
    record.changedGrids.first { $0.key == grid.key && $0.layer == grid.layer }
      .map { (record.id, $0.counters) }
  }
  return grid.sum.indices.flatMap { block in
    let counts = own.filter { $0.1[block] > 0 }
    guard counts.count < limit else { return [SessionCount]() }
    return counts.sorted { $0.0 < $1.0 }
      .map { SessionCount(block: block, session: $0.0, count: $0.1[block]) }
  }
}

@Suite final class SummariesTests: StoreSuite {
  private func asked(
    _ span: TimeSpan, _ layer: Layer, _ screen: String?
  ) throws(StoreError) -> [GridKey: NaiveSums] {
    let shown = Dictionary(
      uniqueKeysWithValues: try store.screens(in: span).map { ($0.key, $0.shownMilliseconds) })
    let summaries = try store.grids(screen: screen, layer: layer, in: span)
    return Dictionary(
      uniqueKeysWithValues: summaries.map { ($0.key, NaiveSums($0, shown: shown[$0.key] ?? 0)) })
  }

  /// Random sessions over random days are rolled up and dropped at random. The store's answers must
  /// equal the sums of the sessions, and it must answer whenever that is possible.
  @Test(arguments: 0..<4) func `Sums from sessions and from days are the same`(seed: UInt64) throws
  {
    var dice = SeededGenerator(seed: seed)
    var limits = SeededGenerator(seed: seed + 100)
    let fleet = try Fleet(&dice)
    var records: [SessionRecord] = []
    var dropped: Set<Int64> = []
    var rolled: Set<Int64> = []
    var answers = 0
    var refusals = 0
    for step in 0..<40 {
      let time = mayFirst + Int64(step) * 6 * dayLength / 40
      switch Int.random(in: 0..<7, using: &dice) {
      case 0:
        let today = utc(
          WallTime(milliseconds: mayFirst + Int64.random(in: 0..<8, using: &dice) * dayLength))
        try store.rollUp(today: today)
        for record in records where utc(record.began) < today { rolled.insert(record.id) }
      case 1:
        let now = mayFirst + Int64.random(in: 0..<8 * dayLength, using: &dice)
        try store.retain(
          now: WallTime(milliseconds: now), keepSessions: .seconds(3600 * 30), maxSize: nil)
        let left = records.filter { !dropped.contains($0.id) }
        let old = old(left, before: now - 30 * hour, now: now)
        dropped.formUnion(old.map(\.id).filter(rolled.contains))
      default:
        // Most sessions follow one another; some have a date that is wrong by days.
        let began =
          Int.random(in: 0..<8, using: &dice) == 0
          ? mayFirst + Int64.random(in: 0..<6 * dayLength, using: &dice)
          : time + Int64.random(in: 0..<12 * hour, using: &dice)
        let session = try fleet.session(Int64(step + 1), began: began, &dice)
        try store.write(session)
        records.append(session)
      }
      let left = records.map(\.id).filter { !dropped.contains($0) }
      #expect(try Set(store.sessions(in: .always).map(\.record.id)) == Set(left))

      for _ in 0..<6 {
        var bounds = (0..<2).map { _ in randomBound(records, &dice) }.sorted {
          ($0 ?? .min) < ($1 ?? .min)
        }
        if Bool.random(using: &dice) { bounds = [bounds[0], nil] }
        let span = TimeSpan(
          since: bounds[0].map { WallTime(milliseconds: $0) },
          until: bounds[1].map { WallTime(milliseconds: $0) })
        let (layer, screen) = (
          Layer.allCases.randomElement(using: &dice) ?? .taps,
          Bool.random(using: &dice) ? nil : "menu"
        )
        let cut = cutDays(records.filter { rolled.contains($0.id) }, span, dropped)
        do {
          let answer = try asked(span, layer, screen)
          #expect(cut.isEmpty)
          let wanted = records.filter { span.contains($0.began) }
          #expect(answer == NaiveSums.of(wanted, layer: layer, screen: screen))
          #expect(try store.days(in: span) == naiveDays(wanted))
          let limit = UInt64.random(in: 2...5, using: &limits)
          let isWhole = wanted.allSatisfy { !dropped.contains($0.id) }
          let query = GridQuery(
            .span(span), layer: layer, screen: screen, sessionCountsBelow: limit)
          for grid in try store.grids(of: query) {
            let naive = naiveCounts(of: grid, wanted, below: limit)
            #expect(grid.sessionCounts == (isWhole ? naive : nil))
          }
          answers += 1
        } catch {
          #expect(error.code == .onlyWholeDays)
          #expect(
            try failure { () throws(StoreError) in try store.days(in: span) }.code == .onlyWholeDays
          )
          #expect(!cut.isEmpty)
          #expect(cut.allSatisfy { error.message.contains($0) })
          refusals += 1
        }
      }
    }
    #expect(answers > 50 && refusals > 5 && !dropped.isEmpty)
    print("seed \(seed): \(answers) answers, \(refusals) refusals, \(dropped.count) dropped")
  }

  /// Returns the sessions that retention treats as old: those recorded before the first session
  /// with a young date, up to the last of them with an old date.
  ///
  /// - Parameter records: in the order in which they were recorded.
  private func old(_ records: [SessionRecord], before cut: Int64, now: Int64) -> [SessionRecord] {
    let young = records.firstIndex { (cut...now).contains($0.began.milliseconds) }
    var before = Array(records[..<(young ?? records.endIndex)])
    while let last = before.last, last.began.milliseconds >= cut { before.removeLast() }
    return before
  }

  /// A simple implementation of the days' totals.
  private func naiveDays(_ records: [SessionRecord]) -> [DaySummary] {
    Dictionary(grouping: records) { utc($0.began) }.map { day, records in
      var totals = SessionTotals()
      var hours = [UInt64](repeating: 0, count: 24)
      for record in records {
        totals.begun += record.totals.begun
        totals.counted += record.totals.counted
        totals.masked += record.totals.masked
        totals.palms += record.totals.palms
        totals.ghosts += record.totals.ghosts
        totals.swallowed += record.totals.swallowed
        totals.stillDown += record.totals.stillDown
        hours[Int(record.began.milliseconds / hour % 24)] += 1
      }
      return DaySummary(
        day: day, sessions: UInt64(records.count), totals: totals, hours: hours)
    }.sorted { $0.day < $1.day }
  }

  /// Returns a bound at, just before or just after the start of a session, or anywhere, or nil.
  private func randomBound(_ records: [SessionRecord], _ dice: inout SeededGenerator) -> Int64? {
    switch Int.random(in: 0..<4, using: &dice) {
    case 0: nil
    case 1: mayFirst + Int64.random(in: -1...7, using: &dice) * dayLength
    case 2: mayFirst + Int64.random(in: 0..<6 * dayLength, using: &dice)
    default:
      (records.randomElement(using: &dice)?.began.milliseconds ?? 0)
        + Int64.random(in: -1...1, using: &dice)
    }
  }

  /// Returns the days that have lost a session and that the span cuts in two. Only rolled-up
  /// sessions count: a day lasts from the first to the last of these.
  private func cutDays(
    _ rolled: [SessionRecord], _ span: TimeSpan, _ dropped: Set<Int64>
  ) -> [String] {
    let days = Dictionary(grouping: rolled) { utc($0.began).text }
    return days.filter { _, sessions in
      guard let first = sessions.map(\.began).min(), let last = sessions.map(\.began).max()
      else { return false }
      let isAside =
        (span.since.map { last < $0 } ?? false) || (span.until.map { first >= $0 } ?? false)
        || span.since.map { since in span.until.map { $0 <= since } ?? false } ?? false
      let isWhole = span.contains(first) && span.contains(last)
      return !isAside && !isWhole && sessions.contains { dropped.contains($0.id) }
    }.map(\.key)
  }

  @Test func `A variance is exact even for large counts`() throws {
    let large: UInt64 = 3_000_000_000
    try store.write(record(1, taps: [0: large]))
    try store.write(record(2, taps: [0: large + 2]))
    let summary = try #require(
      try store.grids(screen: "menu", layer: .taps, in: .always).first)
    #expect(summary.variance(at: 0) == 2)
  }

  @Test func `An empty span has no sessions and no grids`() throws {
    try store.write(record(1))
    let now = WallTime(milliseconds: mayFirst)
    for span in [
      TimeSpan(since: now, until: now), TimeSpan(until: WallTime(milliseconds: .min)),
      TimeSpan(since: now, until: WallTime(milliseconds: mayFirst - 5)),
    ] {
      #expect(try store.screens(in: span).isEmpty)
      #expect(try store.sessions(in: span).isEmpty)
      #expect(try store.grids(screen: nil, layer: .taps, in: span).isEmpty)
    }
    let one = TimeSpan(since: now, until: WallTime(milliseconds: mayFirst + 1))
    #expect(try store.screens(in: one).map(\.touches) == [1])
  }
}
