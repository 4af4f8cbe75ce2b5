import TestSupport
import Testing
import TouchModel

@testable import Storage

/// Lists (of geometries, placements and masks) are removed with the last session or day that refers
/// to them.
@Suite final class UnusedListsTests: StoreSuite {
  /// Returns a session with a mask, a device and a geometry of its own.
  private func session(_ id: Int64, began: Int64 = mayFirst, _ number: Int64? = nil) throws
    -> SessionRecord
  {
    let number = number ?? id
    let key = try key("menu", geometry(64 + Int(number), 48))
    var session = try record(id, began: began, key)
    session.changedViews[0].masks = [
      try #require(Rectangle(x: Double(number), y: 0, width: 16, height: 16))
    ]
    session.changedViews[0].placements = [try placement(key, device: "usb-\(number)")]
    return session
  }

  private func count(_ table: String) throws -> Int64 {
    try store.database.integer("SELECT count(*) FROM \(table)")
  }

  private func doHousekeeping() throws {
    let uptime = Timestamp(microseconds: 3_600_000_000)
    try store.doHousekeeping(
      keepSessions: nil, maxSize: nil,
      at: ClockReading(
        now: WallTime(milliseconds: mayFirst), uptime: uptime,
        start: Timestamp(microseconds: 0)))
  }

  /// Checks that every reference has a target, and that every list is referred to.
  private func expectTidy() throws {
    #expect(try store.countUnused() == 0)
    #expect(try faults(folder.file()) == [])
  }

  @Test func `The numbers of lists do not tell in which order they came`() throws {
    func numbers(_ order: [Int64]) throws -> [[String]] {
      let store = try Store(path: folder.file("\(order).db"), options: options())
      for (id, number) in order.enumerated() { try store.write(session(Int64(id + 1), number)) }
      return try ["geometry", "placement", "mask"].map { table in
        var rows: [String] = []
        let column = table == "geometry" ? "pixel_width" : "list"
        try store.database.each("SELECT id || ' ' || \(column) FROM \(table)") {
          rows.append((try? $0.text(0)) ?? "")
        }
        return rows.sorted()
      }
    }
    #expect(try numbers([1, 2, 3]) == numbers([3, 1, 2]))
  }

  @Test func `The next maintenance removes unused lists`() throws {
    try store.write(session(1))
    try store.database.execute(
      """
      INSERT INTO mask (list) VALUES ('[{"x": 1.0, "y": 2.0, "width": 3.0, "height": 4.0}]');
      INSERT INTO placement (list) VALUES ('[]');
      INSERT INTO geometry VALUES (NULL, 160, 160, 1.0, 0, 16, 10, 10);
      """)
    let lists = try #require(
      try Store(reading: folder.file(), options: options()).check().first { $0.name == "lists" })
    #expect(lists.lookedAt == "6 geometries, placements, masks and subjects (3 unused)")
    #expect(lists.faultCount == 0)
    try doHousekeeping()
    #expect(try count("mask") == 1 && count("placement") == 1 && count("geometry") == 1)
    try expectTidy()
  }

  @Test func `A list of masks that was replaced during its session is removed`() throws {
    var session = try session(1)
    session.end = nil
    try store.write(session)
    session.changedViews[0].masks += [try #require(Rectangle(x: 0, y: 20, width: 9, height: 9))]
    try store.write(session)
    #expect(try count("mask") == 2)
    try doHousekeeping()
    #expect(try count("mask") == 1)
    try expectTidy()
  }

  @Test func `Many unused lists are removed a few at a time`() throws {
    for number in 1...10 {
      try store.database.execute("INSERT INTO mask (list) VALUES ('[\(number)]')")
    }
    try store.removeUnusedLists(begins: true, rows: 4)
    #expect(try count("mask") == 6)
    try store.removeUnusedLists(begins: false, rows: 4)
    try store.removeUnusedLists(begins: false, rows: 4)
    #expect(try count("mask") == 0)
    #expect(store.unusedLists == nil)
  }

  @Test func `The cost of one search does not depend on the number of sessions`() throws {
    let costs = try [Int64(200), 2000].map { sessions in
      let folder = try TemporaryFolder()
      let store = try Store(path: folder.file(), options: options())
      try store.database.transaction(.write) { () throws(StoreError) in
        try store.database.execute(
          """
          INSERT INTO placement (list) VALUES ('[]'), ('[1]');
          INSERT INTO geometry VALUES (1, 160, 160, 1.0, 0, 16, 10, 10);
          WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(sessions))
          INSERT INTO session SELECT n, '2024-05-01', 0, 0, 0, 'idle', '{}',
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0 FROM number;
          INSERT INTO screen_view SELECT id, 'd', 's', 1, 1, 0, 0, NULL FROM session;
          """)
      }
      // A list is unused, so the store must examine all views.
      let count = QueryCancellation(every: 1)
      store.stop(by: count)
      try store.removeUnusedLists(begins: true, views: 100)
      #expect(store.unusedLists != nil)
      return count.instructions
    }
    #expect(costs[0] > 300 && costs[1] < costs[0] + costs[0] / 10, "\(costs)")
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `In any order of changes, exactly the unused lists are removed`(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    var (id, day): (Int64, Int64) = (1, 0)
    for _ in 0..<120 {
      switch Int.random(in: 0..<6, using: &dice) {
      case 0, 1, 2:
        try store.write(
          session(
            id, began: mayFirst + day * dayLength + id * 1000,
            Int64.random(in: 0..<6, using: &dice)))
        id += 1
      case 3:
        day += 1
        try store.rollUp(today: utc(WallTime(milliseconds: mayFirst + day * dayLength)))
      case 4:
        let last = Int64.random(in: 0...id, using: &dice)
        try store.retain(through: last, maxSize: nil)
      default:
        try store.removeUnusedLists(
          begins: Bool.random(using: &dice), views: Int.random(in: 1...5, using: &dice),
          rows: Int.random(in: 1...5, using: &dice))
      }
      #expect(try store.database.faults("foreign_key_check").isEmpty)
    }
    // A search in progress may miss recent changes, so run two searches.
    for _ in 0..<2 {
      try store.removeUnusedLists(begins: true)
      while store.unusedLists != nil { try store.removeUnusedLists(begins: false) }
    }
    try expectTidy()
  }
}
