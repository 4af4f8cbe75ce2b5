import TestSupport
import Testing
import TouchModel

@testable import Storage

/// The cost of queries, as a count of SQLite's virtual machine instructions instead of a time.
@Suite struct CostTests {
  private static let screens = ["menu", "pay", "help"]
  private static let dayCount: Int64 = 20

  /// Makes a store with all days rolled up and every screen shown on each day.
  private func store(
    _ folder: TemporaryFolder, sessionsADay: Int64, days: Int64 = dayCount,
    isMonthOver: Bool = false
  ) throws -> Store {
    let store = try Store(path: folder.file(), options: options())
    var id: Int64 = 1
    for day in 0..<days {
      for number in 0..<sessionsADay {
        let screen = Self.screens[Int(number) % Self.screens.count]
        try store.write(
          record(
            id, began: mayFirst + day * dayLength + number * 60_000, taps: [Int(id) % 12: 2],
            key(screen)))
        id += 1
      }
    }
    // A month is rolled up only after it has ended. By default it has not, so the sums are those of
    // days.
    try store.rollUp(today: #require(Day(isMonthOver ? "2024-12-01" : "2024-05-31")))
    return store
  }

  /// Sums up the taps of all screens since a day.
  /// - Returns: the number of instructions of SQLite's virtual machine that this takes, and the
  ///   number of sessions in the sums.
  private func cost(_ store: Store, since day: Int64 = 0) throws -> (Int, sessions: UInt64) {
    let count = QueryCancellation(every: 1)
    store.stop(by: count)
    let span = TimeSpan(since: WallTime(milliseconds: mayFirst + day * dayLength))
    let grids = try store.grids(screen: nil, layer: .taps, in: span)
    return (count.instructions, grids.reduce(0) { $0 + $1.sessions })
  }

  @Test func `The cost of a query does not depend on the number of sessions per day`() throws {
    let folders = (try TemporaryFolder(), try TemporaryFolder())
    let few = try cost(store(folders.0, sessionsADay: 3))
    let many = try cost(store(folders.1, sessionsADay: 30))
    #expect(few.sessions == 60)
    #expect(many.sessions == 600)
    #expect(few.0 > 1000)
    #expect(many.0 == few.0)
  }

  @Test func `The cost of a query is proportional to the number of its days`() throws {
    let folder = try TemporaryFolder()
    let store = try store(folder, sessionsADay: 3)
    let costs = try [0, 5, 10].map { try cost(store, since: $0).0 }
    // Ten days cost twice as much as five.
    let (five, ten) = (costs[1] - costs[2], costs[0] - costs[2])
    #expect(five > 0)
    #expect(ten > five * 18 / 10 && ten < five * 22 / 10)
  }

  @Test func `A query of a month's sums costs less than one of its days, for any sessions`() throws
  {
    let folders = (try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder())
    let days = try cost(store(folders.0, sessionsADay: 3))
    let month = try cost(store(folders.1, sessionsADay: 3, isMonthOver: true))
    let busy = try cost(store(folders.2, sessionsADay: 30, isMonthOver: true))
    #expect(month.sessions == days.sessions && busy.sessions == 10 * days.sessions)
    #expect(busy.0 == month.0)
    #expect(month.0 < days.0)
  }

  @Test func `A query for a long time reads sums of whole months and of the days left`() throws {
    let folder = try TemporaryFolder()
    let store = try store(folder, sessionsADay: 1, days: 100, isMonthOver: true)
    // The store covers 2024-05-01 to 2024-08-08.
    for (since, months, days) in [(Int64(0), 4, 0), (10, 3, 21), (35, 2, 26), (95, 0, 5)] {
      let span = TimeSpan(since: WallTime(milliseconds: mayFirst + since * dayLength))
      let sources = try Sources(try #require(span.bounds), in: store.database)
      let periods = try sources.periods(in: store.database)
      #expect(periods.months.count == months)
      #expect(periods.days.count == days)
    }
  }
}
