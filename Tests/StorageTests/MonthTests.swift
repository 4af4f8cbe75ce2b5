import TestSupport
import Testing
import TouchModel

@testable import Storage

/// Months have sums so that queries about a year are fast. These tests check that the answers are
/// the same as without them.
@Suite final class MonthTests: StoreSuite {
  let menu: GridKey

  override init() throws {
    menu = try key()
    try super.init()
  }

  private func rollUp(_ today: String) throws { try store.rollUp(today: #require(Day(today))) }

  /// The months that have sums, each with its number of days.
  private var months: [String] {
    get throws {
      var months: [String] = []
      try store.database.each("SELECT month, days FROM month ORDER BY month") {
        row throws(StoreError) in
        months.append("\(try row.text(0)): \(row.integer(1))")
      }
      return months
    }
  }

  private func session(_ id: Int64, day: Int64, taps: [Int: UInt64] = [0: 1]) throws {
    try store.write(record(id, began: mayFirst + day * dayLength + id * 1000, taps: taps, menu))
  }

  private func total(_ span: TimeSpan = .always) throws -> [UInt64] {
    try store.grids(screen: nil, layer: .taps, in: span).map(\.sum.sum)
  }

  @Test func `A month with a session that is not rolled up is not added up yet`() throws {
    try session(1, day: 1)
    try store.write(record(2, began: mayFirst + 9 * dayLength, end: nil, menu))
    try rollUp("2024-07-01")
    #expect(try months.isEmpty)
    try store.closeUnfinished()
    try rollUp("2024-07-01")
    #expect(try months == ["2024-05: 2"])
  }

  @Test func `A month whose sums would overflow has no sums, and its days are read instead`() throws
  {
    let most = UInt64(Int64.max - 2)
    for day in Int64(0)..<3 { try session(day + 1, day: day, taps: [0: most]) }
    try session(4, day: 32, taps: [0: 3])
    try rollUp("2024-07-01")
    #expect(try months == ["2024-06: 1"])
    let second = TimeSpan(since: WallTime(milliseconds: mayFirst + dayLength))
    #expect(try total(second) == [2 * most + 3])
    let error = try failure { () throws(StoreError) in
      try store.grids(screen: nil, layer: .taps, in: .always)
    }
    #expect(error.code == .overflow)
  }

  @Test func `An unreadable day prevents the sums of its month and of no other month`() throws {
    try session(1, day: 1)
    try session(2, day: 40)
    try rollUp("2024-06-01")
    try store.database.execute(
      "DELETE FROM monthly; DELETE FROM month; UPDATE daily SET sum = x'00'")
    try rollUp("2024-07-01")
    #expect(try months == ["2024-06: 1"])
    let error = try failure { () throws(StoreError) in
      try store.grids(screen: nil, layer: .taps, in: .always)
    }
    #expect(error.code == .damaged)
  }

  /// Random sessions within about ten weeks, many of them written after their day was rolled up.
  /// Between them, days are rolled up and old sessions dropped at random times.
  @Test(arguments: 0..<3) func `The sums equal those of the sessions`(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed + 100)
    let fleet = try Fleet(&dice)
    var records: [SessionRecord] = []
    var (answers, withMonths) = (0, 0)
    for step in 0..<60 {
      let day = { (dice: inout SeededGenerator) in
        mayFirst + Int64.random(in: -3..<70, using: &dice) * dayLength
      }
      switch Int.random(in: 0..<6, using: &dice) {
      case 0: try store.rollUp(today: utc(WallTime(milliseconds: day(&dice))))
      case 1 where step > 20:
        try store.retain(
          now: WallTime(milliseconds: day(&dice)), keepSessions: .seconds(3600 * 24 * 20),
          maxSize: nil)
      default:
        // The sessions share a few days, so that most days have several.
        let began = day(&dice) / (5 * dayLength) * 5 * dayLength
        let session = try fleet.session(
          Int64(step + 1), began: began + Int64.random(in: 0..<dayLength, using: &dice), &dice)
        try store.write(session)
        records.append(session)
      }
      for layer in Layer.allCases {
        let bounds = (0..<2).map { _ in day(&dice) }.sorted()
        for span in [
          TimeSpan.always, TimeSpan(since: WallTime(milliseconds: bounds[0])),
          TimeSpan(
            since: WallTime(milliseconds: bounds[0]), until: WallTime(milliseconds: bounds[1])),
        ] {
          let screen = Bool.random(using: &dice) ? nil : "menu"
          let summaries = try store.grids(screen: screen, layer: layer, in: span)
          let answer = Dictionary(
            uniqueKeysWithValues: summaries.map {
              ($0.key, NaiveSums($0, shown: $0.shownMilliseconds))
            })
          let wanted = records.filter { span.contains($0.began) }
          #expect(answer == NaiveSums.of(wanted, layer: layer, screen: screen))
          answers += 1
          guard let bounds = span.bounds else { continue }
          let used = try Sources(bounds, in: store.database).periods(in: store.database).months
          withMonths += used.isEmpty ? 0 : 1
          // If a query uses a month's sums, no rolled-up session of the month is outside the span.
          for month in used {
            let outside = records.filter {
              utc($0.began).month == month && !span.contains($0.began)
            }
            let rolled = try outside.filter { try store.head($0.id)?.isRolledUp == true }
            #expect(rolled.isEmpty)
          }
        }
      }
    }
    #expect(withMonths > 50 && withMonths < answers)
    print("seed \(seed): \(answers) answers, \(withMonths) of them with months")
  }
}
