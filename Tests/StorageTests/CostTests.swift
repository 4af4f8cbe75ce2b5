import Testing
import TouchModel

@testable import Storage

/// What a question costs, in instructions of SQLite's machine: counted, not timed.
@Suite struct CostTests {
  private static let screens = ["menu", "pay", "help"]
  private static let dayCount: Int64 = 20

  /// Every day of it is rolled up, and every screen shown on each.
  private func store(
    _ folder: Folder, sessionsADay: Int64, days: Int64 = dayCount
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
    try store.rollUp(today: #require(Day("2024-12-01")))
    return store
  }

  /// - Returns: instructions for the grids of a span, and how many sessions these have.
  private func cost(_ store: Store, since day: Int64 = 0) throws -> (Int, sessions: UInt64) {
    let count = Interruption(every: 1)
    count.stop(store.database)
    let span = TimeSpan(since: WallTime(milliseconds: mayFirst + day * dayLength))
    let grids = try store.summaries(screen: nil, layer: .taps, in: span)
    return (count.instructions, grids.reduce(0) { $0 + $1.sessions })
  }

  @Test func aSpanCostsTheSameHoweverManySessionsItsDaysHad() throws {
    let folders = (try Folder(), try Folder())
    let few = try cost(store(folders.0, sessionsADay: 3))
    let many = try cost(store(folders.1, sessionsADay: 30))
    #expect(few.sessions == 60)
    #expect(many.sessions == 600)
    #expect(few.0 > 1000)
    #expect(many.0 == few.0)
  }

  @Test func aSpanCostsTheSameWhenItsSessionsAreGone() throws {
    let folder = try Folder()
    let store = try store(folder, sessionsADay: 9)
    let before = try cost(store)
    try store.retain(
      now: WallTime(milliseconds: mayFirst + 300 * dayLength), keepSessions: .seconds(1),
      maxSize: nil)
    #expect(try store.sessions(in: .always).isEmpty)
    let after = try cost(store)
    #expect(after.sessions == before.sessions)
    #expect(after.0 == before.0)
  }

  @Test func aSpanCostsByItsDays() throws {
    let folder = try Folder()
    let store = try store(folder, sessionsADay: 3)
    let costs = try [0, 5, 10].map { try cost(store, since: $0).0 }
    // Ten days more cost twice what five do.
    let (five, ten) = (costs[1] - costs[2], costs[0] - costs[2])
    #expect(five > 0)
    #expect(ten > five * 18 / 10 && ten < five * 22 / 10)
  }
}
