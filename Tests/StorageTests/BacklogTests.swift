import TestSupport
import Testing
import TouchModel

@testable import Storage

@Suite struct BacklogTests {
  @Test func `Any number of records of one session are merged into one`() throws {
    var backlog = Backlog()
    for taps in 1...1000 {
      backlog.add(try record(1, end: nil, taps: [0: UInt64(taps)], key("s\(taps % 3)")))
    }
    #expect(backlog.records.count == 1)
    #expect(backlog.records[0].changedGrids.count == 3)
    #expect(backlog.bytes == backlog.records[0].bytes)
    #expect((3 * 24..<10_000).contains(backlog.bytes))
  }

  @Test(arguments: 0..<5) func `Merged records leave the same rows as single ones`(seed: UInt64)
    throws
  {
    var dice = SeededGenerator(seed: seed)
    let fleet = try Fleet(&dice)
    let folder = try TemporaryFolder()
    let single = try Store(path: folder.file("single.db"), options: options())
    let merged = try Store(path: folder.file("merged.db"), options: options())
    var backlog = Backlog()
    for step in 0..<12 {
      var record = try fleet.session(1, began: mayFirst, &dice)
      record.end = step == 11 ? .idle : nil
      try single.write(record)
      // At random, add the record as the worker does after a failed write: the unwritten records
      // come first, and the backlog that arrived meanwhile is added to them.
      if Bool.random(using: &dice) {
        var newer = Backlog()
        newer.add(record)
        backlog.add(newer)
      } else {
        backlog.add(record)
      }
      if step == 11 || Int.random(in: 0..<4, using: &dice) == 0 {
        for record in backlog.records { try merged.write(record) }
        backlog = Backlog()
      }
    }
    #expect(try merged.session(1) == single.session(1))
    #expect(try merged.session(1)?.record.end == .idle)
  }

  @Test func `Shrinking the backlog drops the oldest ended sessions first`() throws {
    var backlog = Backlog()
    for id in 1...4 { backlog.add(try record(Int64(id))) }
    backlog.add(try record(5, end: nil))
    let each = try record(1).bytes
    #expect(backlog.bytes == 5 * each)
    #expect(backlog.shrink(to: 5 * each).isEmpty)
    #expect(backlog.shrink(to: 5 * each / 2) == [1, 2, 3])
    #expect(backlog.bytes == 2 * each)
    #expect(backlog.shrink(to: 0) == [4])
    #expect(backlog.records.map(\.id) == [5])
  }

  @Test func `Sessions without a touch count towards the limit of the backlog`() {
    var backlog = Backlog()
    for id in 1...1000 { backlog.add(empty(Int64(id), end: .client)) }
    #expect(backlog.shrink(to: 100 << 10).count >= 900)
    #expect(backlog.bytes <= 100 << 10)
    #expect(backlog.bytes == backlog.records.reduce(0) { $0 + $1.bytes })
    #expect(backlog.records.last?.id == 1000)
  }

  /// A linear search for each record would need hundreds of millions of comparisons.
  @Test func `Merging 40,000 sessions takes little time`() {
    let count: Int64 = 20_000
    var backlog = Backlog()
    var newer = Backlog()
    for id in 1...count { backlog.add(empty(id)) }
    for id in count / 2...2 * count { newer.add(empty(id, end: .client)) }
    let took = processorTime { backlog.add(newer) }
    #expect(took < 5_000_000_000 * slowness)
    #expect(backlog.records.map(\.id) == Array(1...2 * count))
    #expect(backlog.records.count { $0.end == nil } == count / 2 - 1)
    #expect(backlog.bytes == backlog.records.reduce(0) { $0 + $1.bytes })
  }

  private func empty(_ id: Int64, end: SessionEnd? = nil) -> SessionRecord {
    let began = WallTime(milliseconds: mayFirst)
    return SessionRecord(id: id, began: began, lastActive: began, end: end)
  }

  @Test func `Ghosts of the same day and place are added up`() throws {
    var backlog = Backlog()
    let (first, second) = (try #require(Day("2024-05-01")), try #require(Day("2024-05-02")))
    var tally = GhostTally(device: "a", x: 1, y: 2, periodMilliseconds: 3, touches: 4)
    for _ in 0..<1000 {
      backlog.add([tally], day: first)
      backlog.add([tally], day: second)
    }
    tally.touches = 4000
    #expect(backlog.ghosts.map(\.day) == [first, second])
    #expect(backlog.ghosts.map(\.tallies) == [[tally], [tally]])
  }
}
