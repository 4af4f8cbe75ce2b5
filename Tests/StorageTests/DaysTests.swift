import TestSupport
import Testing
import TouchModel

@testable import Storage

@Suite final class DaysTests: StoreSuite {
  @Test func `A day's grids add its sums and its sessions that are not rolled up`() throws {
    let (first, second) = try (#require(Day("2024-05-01")), #require(Day("2024-05-02")))
    try store.write(record(1, taps: [0: 1]))
    try store.write(record(2, began: mayFirst + dayLength, taps: [0: 10]))
    func sums(_ day: Day, _ screen: String? = nil) throws -> [UInt64] {
      try store.grids(of: GridQuery(.day(day), layer: .taps, screen: screen)).map { $0.sum[0] }
    }
    #expect(try sums(first) == [1] && sums(second) == [10])
    try store.rollUp(today: second)
    #expect(try sums(first) == [1] && sums(second) == [10])
    // The same session is accepted again. When it was last active outside of masks is not stored.
    var same = try record(1, taps: [0: 1])
    same.lastUnmasked = same.lastActive
    try store.write(same)
    #expect(try sums(first) == [1])
    try store.retain(through: 1, maxSize: nil)
    #expect(try sums(first) == [1], "the day's session was dropped")
    // The clock was set back: a session is added to a day that is rolled up.
    try store.write(record(3, began: mayFirst + hour, taps: [0: 100]))
    #expect(try sums(first) == [101])
    #expect(try sums(first, "other").isEmpty)
    let query = GridQuery(.day(first), layer: .taps, screen: "menu")
    let summary = try #require(try store.grids(of: query).first)
    #expect(summary.sessions == 2 && summary.days == 1)
    #expect(summary.shownMilliseconds == 8000 && summary.touches == 101)
    #expect(try sums(#require(Day("2024-05-03"))).isEmpty)
  }

  @Test func `The running session is counted once, in its present state`() throws {
    try store.write(record(1, taps: [0: 1]))
    try store.write(record(2, began: mayFirst + hour, end: nil, taps: [0: 1]))
    let later = try record(2, began: mayFirst + hour, end: nil, taps: [0: 5])
    let day = try #require(try store.days(in: .always, running: later).first)
    #expect(day.sessions == 2 && day.totals?.counted == 6 && day.hours?[1] == 1)
    // The running session is not in the store yet.
    let next = try record(3, began: mayFirst + 2 * dayLength, end: nil, taps: [0: 5])
    #expect(
      try store.days(in: .always, running: next).map(\.day.text) == ["2024-05-01", "2024-05-03"])
    // The session has ended and been rolled up, but `running` still describes it.
    try store.write(record(2, began: mayFirst + hour, taps: [0: 5]))
    try store.rollUp(today: #require(Day("2024-05-02")))
    #expect(try store.days(in: .always, running: later).first?.sessions == 2)
    let past = TimeSpan(until: WallTime(milliseconds: mayFirst + dayLength))
    #expect(try store.days(in: past, running: next).count == 1)
  }

  @Test(arguments: [
    "UPDATE day SET hours = '[]'", "UPDATE day SET hours = '{'", "UPDATE day SET hours = '7'",
    "UPDATE day SET hours = '[' || printf('%.*c', 24, '1') || ']'",
    "UPDATE day SET hours = replace(hours, '0', '-1')",
    "UPDATE day SET hours = replace(hours, '0', '99999999999999999999')",
    "UPDATE day SET clamped = -1",
  ])
  func `Invalid totals of a day are reported as damage`(change: String) throws {
    try store.write(record(1))
    try store.rollUp(today: #require(Day("2024-05-02")))
    try store.database.execute("PRAGMA ignore_check_constraints = ON; \(change)")
    #expect(try failure { () throws(StoreError) in try store.days(in: .always) }.code == .damaged)
    // A roll-up of that day fails too, and keeps its sessions.
    try store.write(record(2))
    let day = try #require(Day("2024-05-02"))
    #expect(try failure { () throws(StoreError) in try store.rollUp(today: day) }.code == .damaged)
    #expect(try store.session(2)?.isRolledUp == false)
  }

  @Test func `A day with only ghosts is listed`() throws {
    let ghost = GhostTally(device: "usb-1", x: 1, y: 2, periodMilliseconds: 12_864, touches: 7)
    try store.addGhosts([ghost], day: #require(Day("2024-05-02")))
    try store.addGhosts([ghost, ghost], day: #require(Day("2024-05-01")))
    try store.write(record(1))
    let days = try store.days(in: .always)
    #expect(days.map(\.sessions) == [1, 0] && days.map(\.ghostsOutside) == [14, 7])
    #expect(days[1].totals == SessionTotals() && days[1].hours == Array(repeating: 0, count: 24))
    func asked(_ since: Int64?, _ until: Int64?) throws -> [String] {
      try store.days(
        in: TimeSpan(
          since: since.map(WallTime.init(milliseconds:)),
          until: until.map(WallTime.init(milliseconds:)))
      ).map(\.day.text)
    }
    #expect(try asked(mayFirst + dayLength, nil) == ["2024-05-02"])
    #expect(try asked(nil, mayFirst + dayLength) == ["2024-05-01"])
    #expect(try asked(nil, mayFirst).isEmpty && asked(nil, .min).isEmpty)
  }

  @Test func `A day's hours are unknown if the time zone has changed`() throws {
    try store.write(record(1, began: mayFirst + hour))
    try store.write(record(2, began: mayFirst + dayLength + hour))
    try store.rollUp(today: #require(Day("2024-05-02")))
    let known = try store.days(in: .always)
    var there = options()
    there.clock = { LocalClock { _ in -2 * 3600 } }
    let days = try Store(reading: folder.file(), options: there).days(in: .always)
    #expect(days[0] == known[0] && days[0].hours?[1] == 1)
    #expect(days[1].totals == known[1].totals && days[1].hours == nil)
    #expect(try Store(reading: folder.file(), options: options()).days(in: .always) == known)
  }
}
