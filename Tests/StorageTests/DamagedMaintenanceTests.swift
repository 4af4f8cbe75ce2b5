import TestSupport
import Testing
import TouchModel

@testable import Storage

/// Maintenance stops as soon as it meets a damaged page. Otherwise its writes might destroy
/// readable data, and it might drop the sessions from which lost sums can be restored.
@Suite final class DamagedMaintenanceTests: FolderSuite {
  /// Makes a store with one session on each day of the last week of May. All days except the last
  /// are rolled up, and by the clock history the sessions are old.
  override init() throws {
    try super.init()
    let store = try Store(path: folder.file(), options: options())
    for day in 0..<7 as Range<Int64> {
      try store.write(record(day + 1, began: mayFirst + (24 + day) * dayLength, key("s\(day)")))
    }
    try store.rollUp(today: #require(Day("2024-05-31")))
    for (time, session) in [(mayFirst, 6), (now, 7), (now, 7), (now, 7)] {
      try store.database.run(
        "INSERT INTO clock (run, uptime_ms, time, session) VALUES (0, 0, ?1, ?2)",
        [.integer(time), .integer(Int64(session))])
    }
    try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private let now = mayFirst + 40 * dayLength

  private func doHousekeeping(_ clock: Int64) throws -> StoreError? {
    let store = try Store(path: folder.file(), options: options())
    store.leaveWAL()
    do throws(StoreError) {
      try store.doHousekeeping(
        keepSessions: .seconds(5 * 86_400), maxSize: nil,
        at: ClockReading(
          now: WallTime(milliseconds: clock), uptime: Timestamp(microseconds: 0),
          start: Timestamp(microseconds: 0)))
      return nil
    } catch { return error }
  }

  private func ids() throws -> [Int64] {
    try Store(reading: folder.file(), options: options()).sessions(in: .always).map(\.record.id)
  }

  /// Overwrites the root page of a table.
  private func damage(_ table: String) throws {
    let root = try Store(reading: folder.file()).database.integer(
      "SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'")
    var bytes = try contents(folder.file())
    for index in Int(root - 1) * 4096..<Int(root) * 4096 { bytes[index] = 0xa5 }
    try write(bytes, to: folder.file())
  }

  @Test func `Maintenance of a sound store drops the old sessions`() throws {
    #expect(try doHousekeeping(now) == nil)
    #expect(try ids() == [7])
  }

  @Test(
    arguments: [
      // Here the roll-up of days meets the damaged page.
      ("daily", 40), ("daily_view", 40), ("day", 40),
      // Here the roll-up of months meets the damaged page, because all days are already rolled up.
      ("monthly", 30), ("daily", 30),
    ] as [(String, Int64)])
  func `Nothing is dropped or written after maintenance meets a damaged page`(
    table: String, day: Int64
  ) throws {
    if day == 30 {
      let store = try Store(path: folder.file(), options: options())
      try store.rollUp(today: #require(Day("2024-06-01")))
      try store.database.execute("DELETE FROM monthly; DELETE FROM month;")
      try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    try damage(table)
    let before = try contents(folder.file())
    let error = try #require(try doHousekeeping(now))
    #expect(error.isDamagedFile, "\(error)")
    #expect(try ids() == [1, 2, 3, 4, 5, 6, 7])
    #expect(try contents(folder.file()) == before)
    #expect(size(folder.file() + "-wal") == 0)
  }
}
