import TestSupport
import Testing
import TouchModel

@testable import Storage

/// Grids are summed up a few at a time, to limit memory.
@Suite final class EachSummaryTests: StoreSuite {
  /// More screens than are summed up at a time.
  private let screens = ["a", "b", "c", "d", "e"]

  override init() throws {
    try super.init()
    let geometry = try #require(
      DisplayGeometry(pixelWidth: 1600, pixelHeight: 1600, blockSize: 4))
    for (index, screen) in screens.enumerated() {
      let key = try key(screen, display: index == 4 ? "DSI-1" : "HDMI-A-1", geometry)
      try store.write(record(Int64(index) + 1, taps: [index: UInt64(index) + 1], key))
    }
  }

  private func query(
    _ sessions: GridQuery.Sessions = .span(.always), display: String? = nil
  ) -> GridQuery {
    GridQuery(sessions, layer: .taps, display: display)
  }

  /// Returns the screens that were reported first, and the counts of each grid.
  private func answer(_ query: GridQuery) throws -> ([String], [[UInt64]]) {
    var (reported, counts): ([String], [[UInt64]]) = ([], [])
    try store.forEachGrid(
      of: query,
      screens: {
        reported = $0.map(\.key.screen)
        return true
      },
      { summary in
        counts.append(screens.indices.map { summary.sum[$0] })
        return true
      })
    return (reported, counts)
  }

  @Test func `All grids are reported in the order of their names`() throws {
    let all = try answer(query())
    #expect(all.0 == screens)
    let counts = screens.indices.map { own in
      screens.indices.map { $0 == own ? UInt64(own) + 1 : 0 }
    }
    #expect(all.1 == counts)
    let day = try #require(Day("2024-05-01"))
    #expect(try answer(query(.day(day))) == all)
    try store.rollUp(today: #require(Day("2024-05-03")))
    #expect(try answer(query()) == all)
    #expect(try answer(query(display: "DSI-1")) == (["e"], [[0, 0, 0, 0, 5]]))
    #expect(try answer(query(.one(2))) == (["b"], [[0, 2, 0, 0, 0]]))
    #expect(try answer(query(.one(9))) == ([], []))
    #expect(try store.hasSession(2) && !store.hasSession(9))
  }

  @Test func `Each grid has the counts of its own sessions`() throws {
    var query = query()
    query.sessionCountsBelow = 2
    let counts = try store.grids(of: query).map(\.sessionCounts)
    let expected = screens.indices.map {
      [SessionCount(block: $0, session: Int64($0) + 1, count: UInt64($0) + 1)]
    }
    #expect(counts == expected)
    query.sessions = .day(try #require(Day("2024-05-01")))
    #expect(try store.grids(of: query).map(\.sessionCounts) == expected)
    query.sessions = .one(2)
    #expect(try store.grids(of: query).map(\.sessionCounts) == [expected[1]])
    (query.sessions, query.display) = (
      .span(.always, SessionFilter(tags: ["build": "1.4"])), "DSI-1"
    )
    #expect(try store.grids(of: query).map(\.sessionCounts) == [expected[4]])
  }

  /// 160,000 blocks, each touched by one session: more counts than a query gives.
  @Test func `A grid with too many counts has none, and the others have theirs`() throws {
    let geometry = try #require(
      DisplayGeometry(pixelWidth: 1600, pixelHeight: 1600, blockSize: 4))
    let all = Dictionary(uniqueKeysWithValues: (0..<160_000).map { ($0, UInt64(1)) })
    try store.write(record(9, taps: all, key("c", geometry)))
    var query = query()
    query.sessionCountsBelow = 10
    #expect(
      try store.grids(of: query).map { $0.sessionCounts?.count } == [1, 1, nil, 1, 1])
  }

  @Test func `The query stops when a callback returns false`() throws {
    var count = 0
    try store.forEachGrid(of: query(), screens: { _ in false }) { _ in
      count += 1
      return true
    }
    #expect(count == 0)
    try store.forEachGrid(of: query()) { _ in
      count += 1
      return count < 2
    }
    #expect(count == 2)
  }

  @Test func `A cancelled query stops between two grids`() throws {
    // `every: .max` disables SQLite's own checks, so only the code between two grids can stop the
    // query.
    let cancellation = QueryCancellation(every: .max)
    store.stop(by: cancellation)
    var count = 0
    let error = #expect(throws: StoreError.self) {
      try store.forEachGrid(of: query()) { _ in
        count += 1
        cancellation.request()
        return true
      }
    }
    #expect(error?.code == .interrupted)
    #expect(count == 1)
    cancellation.withdraw()
    #expect(try answer(query()).0.count == 5)
  }
}
