import TestSupport
import Testing
import TouchModel

@testable import Storage

@Suite final class RollingUpTests: StoreSuite {
  private var total: UInt64 {
    get throws {
      try store.grids(screen: "menu", layer: .taps, in: .always).reduce(0) { $0 + $1.sum.sum }
    }
  }

  @Test func `A rolled-up session accepts the same record again and refuses others`() throws {
    let session = try record(1, taps: [0: 5])
    try store.write(session)
    try store.rollUp(today: later)
    try store.write(session)
    #expect(try total == 5)
    let other = try record(1, taps: [0: 6])
    #expect(try failure { () throws(StoreError) in try store.write(other) }.code == .refused)
    #expect(try total == 5)
  }

  @Test func `A roll-up that would overflow fails and loses nothing`() throws {
    // Totals are limited to 63 bits, so only the counters of grids can overflow.
    for id in 1...2 {
      var session = try record(Int64(id), taps: [:])
      session.changedGrids[0].counters = try counters(key(), [0: .max])
      try store.write(session)
    }
    try store.write(record(3, began: mayFirst + dayLength, taps: [0: 1]))
    let error = try failure { () throws(StoreError) in try store.rollUp(today: later) }
    #expect(error.code == .overflow)
    #expect(error.activity == "rolling up 2024-05-01")
    #expect(
      try store.sessions(in: .always).map(\.isRolledUp) == [false, false, true],
      "the other day was rolled up")
    let now = WallTime(milliseconds: mayFirst + 900 * dayLength)
    try store.retain(now: now, keepSessions: .seconds(1), maxSize: 0)
    #expect(try store.sessions(in: .always).map(\.record.id) == [1, 2])
    #expect(try store.session(1)?.record.changedGrids[0].counters[0] == .max)
  }

  @Test func `A session stays on its day when the time zone changes`() throws {
    try store.write(record(1, began: mayFirst + 23 * hour, end: nil))
    let east = StoreOptions(clock: { LocalClock { _ in 9 * 3600 } })
    let moved = try Store(path: folder.file(), options: east)
    try moved.write(record(1, began: mayFirst + 23 * hour))
    #expect(try moved.session(1)?.day.text == "2024-05-01")
  }
}

@Suite final class RetainingTests: StoreSuite {
  private func fill(days: Int64, perDay: Int64) throws {
    let view = try key("menu", geometry(1024, 768))
    var dice = SeededGenerator(seed: 5)
    for day in 0..<days {
      for number in 0..<perDay {
        let values = (0..<400).map { _ in
          (Int.random(in: 0..<3072, using: &dice), UInt64.random(in: 1...255, using: &dice))
        }
        try store.write(
          record(
            day * perDay + number + 1, began: mayFirst + day * dayLength + number * 1000,
            taps: Dictionary(values) { $1 }, view))
      }
    }
  }

  @Test func `Above the maximum size, the oldest sessions are dropped and the file shrinks`() throws
  {
    try fill(days: 3, perDay: 100)
    try store.rollUp(today: #require(Day("2024-05-03")))
    try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let full = size(folder.file())
    let limit = full * 2 / 3
    let report = try store.retain(
      now: WallTime(milliseconds: mayFirst), keepSessions: nil, maxSize: limit)
    #expect(report.tooLarge > 0)
    #expect(report.tooOld == 0)
    #expect(report.size <= limit)
    #expect(size(folder.file()) <= limit)
    #expect(size(folder.file()) == report.size)
    let left = try store.sessions(in: .always).map(\.record.id)
    #expect(left.first == Int64(report.tooLarge) + 1, "oldest first")
    #expect(left.last == 300)
    #expect(report.tooLarge < 200, "no more than needed: \(report)")
    // Only the sums and the sessions that are not rolled up remain.
    let last = try store.retain(
      now: WallTime(milliseconds: mayFirst), keepSessions: nil, maxSize: 0)
    #expect(try store.sessions(in: .always).count == 100)
    #expect(last.size > 0)
    #expect(size(folder.file()) == last.size)
    print("size: \(full) bytes, limit \(limit): \(report); limit 0: \(last)")
  }
}
