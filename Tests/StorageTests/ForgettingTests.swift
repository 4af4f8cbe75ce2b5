import Glibc
import TestSupport
import Testing
import TouchModel

@testable import Storage

@Suite final class ForgettingTests: StoreSuite {
  private func time(_ day: Int64, _ rest: Int64 = 0) -> WallTime {
    WallTime(milliseconds: mayFirst + day * dayLength + rest)
  }

  /// Writes four sessions a day.
  private func fill(days: Int64) throws {
    for day in 0..<days {
      for number in Int64(0)..<4 {
        try store.write(
          record(
            day * 4 + number + 1, began: time(day, number * hour).milliseconds,
            taps: [Int(number): UInt64(day) + 300]))
      }
    }
  }

  @Test func `After a power cut during forgetting, either everything is forgotten or nothing`()
    throws
  {
    let other = try TemporaryFolder()
    try fill(days: 6)
    try store.rollUp(today: later)
    try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let before = try Contents(store)
    // The reader keeps SQLite from emptying the WAL, so the test can replay each step of the
    // deletion.
    let reader = try Store(reading: folder.file(), options: options())
    try reader.database.execute("BEGIN; SELECT count(*) FROM session")
    let span = TimeSpan(since: time(1, hour), until: time(4, 2 * hour))
    let forgotten = try store.forget(.span(span))
    #expect(forgotten.sessions == 13 && forgotten.notErased?.code == .busy, "\(forgotten)")
    let after = try Contents(store)
    #expect(after != before)
    let log = try contents(folder.file() + "-wal")
    var (whole, none) = (0, 0)
    for bytes in Array(stride(from: 0, to: log.count, by: 1499)) + [log.count] {
      try write(try contents(folder.file()), to: other.file())
      try write(log.prefix(bytes), to: other.file() + "-wal")
      unsafe unlink(other.file() + "-shm")
      let found = try Contents(Store(path: other.file(), options: options()))
      if found == before { none += 1 } else { whole += 1 }
      #expect(found == before || found == after)
    }
    #expect(whole > 0 && none > 3, "\(whole) after, \(none) before")
    try reader.database.execute("COMMIT")
    #expect(try store.forget(.span(span)) == Forgotten())
    #expect(size(folder.file() + "-wal") == 0)
    #expect(try Contents(store) == after)
  }

  @Test func `A damaged grid blocks forgetting only on its day, and can be forgotten itself`()
    throws
  {
    try fill(days: 2)
    try store.rollUp(today: later)
    try store.database.execute("UPDATE grid SET cells = x'ff' WHERE session = 2")
    let before = try Contents(store)
    let error = try failure { () throws(StoreError) in try store.forget(.session(1)) }
    #expect(error.code == .damaged && error.fact.contains("nothing was forgotten"), "\(error)")
    #expect(error.message.contains("grid of session 2"), "\(error)")
    #expect(
      error.message.contains("first, or all of its day: --since 2024-05-01 --until 2024-05-01"))
    #expect(try Contents(store) == before)
    for id in [Int64(5), 2, 1] { #expect(try store.forget(.session(id)).sessions == 1) }
    #expect(try store.sessions(in: .always).map(\.record.id) == [3, 4, 6, 7, 8])
    // For a day that has lost sessions, the error suggests forgetting the whole day.
    try store.database.execute("DELETE FROM session WHERE id = 6")
    try store.database.execute("UPDATE grid SET cells = x'ff' WHERE session = 7")
    let share = try failure { () throws(StoreError) in try store.forget(.session(7)) }
    #expect(
      share.message.hasSuffix("forget all of its day: --since 2024-05-02 --until 2024-05-02"),
      "\(share)")
    #expect(try store.forget(.span(TimeSpan(since: time(1)))).sessions == 3)
  }

  /// A bug that fuzzing found: a session whose start was wrong in the index was silently kept.
  @Test func `Nothing is forgotten in a file with a damaged index`() throws {
    try fill(days: 2)
    try store.checkpointWAL()
    let root = try store.database.integer(
      "SELECT rootpage FROM sqlite_schema WHERE name = 'session_began'")
    let page = Int(root - 1) * 4096..<Int(root) * 4096
    var bytes = try contents(folder.file())
    // SQLite stores such a time, in ms, in six bytes.
    let milliseconds = time(0, hour).milliseconds
    let began = (0..<6).reversed().map { UInt8(truncatingIfNeeded: milliseconds >> ($0 * 8)) }
    let place = try #require(page.first { bytes[$0...].starts(with: began) })
    bytes[place] ^= 0x40
    let damaged = folder.file("damaged.db")
    try write(bytes, to: damaged)
    let other = try Store(path: damaged, options: options())
    let before = try Contents(other)
    for what in [ForgetSelection.span(TimeSpan(until: time(1))), .session(1)] {
      let error = try failure { () throws(StoreError) in try other.forget(what) }
      #expect(error.isDamagedFile && error.fact.contains("nothing was forgotten"), "\(error)")
      #expect(try Contents(other) == before)
    }
  }

  @Test func `A session that violates only a CHECK constraint can be forgotten`() throws {
    try fill(days: 2)
    try store.database.execute("PRAGMA ignore_check_constraints = ON")
    try store.database.execute("UPDATE session SET begun = begun + 1 WHERE id = 2")
    try store.database.execute("PRAGMA ignore_check_constraints = OFF")
    #expect(try store.forget(.session(2)).sessions == 1)
    let error = try failure { () throws(StoreError) in
      try store.database.execute("UPDATE session SET begun = begun + 1 WHERE id = 3")
    }
    #expect(error.code == .refused, "rules hold again: \(error)")
  }

  /// The remaining sessions' hours, computed in the new time zone, do not match the hours in the
  /// day's totals.
  @Test func `A day's hours become unknown if they were counted in another time zone`() throws {
    try fill(days: 1)
    try store.rollUp(today: later)
    try store.database.execute("DELETE FROM session WHERE id = 1")
    var moved = options()
    moved.clock = { LocalClock { _ in 3600 } }
    let store = try Store(path: folder.file(), options: moved)
    // The session began in the second hour; in the new zone that would be the third.
    #expect(try store.forget(.session(2)).sessions == 1)
    let day = try #require(try store.days(in: .always).first)
    #expect(day.sessions == 3 && day.hours == nil)
  }

  @Test func `Sessions with numbers from the limit on are not forgotten`() throws {
    try fill(days: 1)
    #expect(try store.forget(.span(.always), below: 3).sessions == 2)
    #expect(try store.forget(.session(3), below: 3) == Forgotten())
    #expect(try store.sessions(in: .always).map(\.record.id) == [3, 4])
    #expect(try store.nextSessionID == 5)
  }

  @Test func `The storage thread forgets records submitted before the request, not later ones`()
    throws
  {
    let thread = try StorageThread(
      Store(path: folder.file(), options: options()), onError: { Issue.record("\($0)") })
    let answers = Collected<Forgotten?>()
    thread.submit(.write(try record(1, end: nil)))
    thread.submit(.write(try record(2)))
    thread.submit(.forget(.span(.always), below: 3) { answers.add(try? $0.get()) })
    thread.submit(.write(try record(3)))
    #expect(answers.first(1).first??.sessions == 2)
    #expect(thread.finish() == nil)
    let after = try Store(path: folder.file(), options: options())
    #expect(try after.sessions(in: .always).map(\.record.id) == [3])
  }
}
