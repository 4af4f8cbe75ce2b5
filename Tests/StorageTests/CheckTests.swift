import TestSupport
import Testing
import TouchModel

@testable import Storage

@Suite final class CheckTests: FolderSuite {
  private static let bytes = Result {
    let folder = try TemporaryFolder()
    try CareStore.make(folder.file(), sessions: 24)
    return try contents(folder.file())
  }

  override init() throws {
    try super.init()
    try write(Self.bytes.get(), to: folder.file())
  }

  private func faults(after changes: String) throws -> [String] {
    let store = try Store(path: folder.file(), options: options())
    try store.database.execute(
      "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; " + changes)
    return try StorageTests.faults(folder.file())
  }

  @Test func `The check of a sound store reports what it examined and no faults`() throws {
    let results = try Store(reading: folder.file(), options: options()).check()
    #expect(results.allSatisfy { $0.faultCount == 0 }, "\(results)")
    #expect(results.map(\.lookedAt).allSatisfy { !$0.isEmpty })
    let days = try #require(results.first { $0.name == "days recomputed" })
    // The first day lost some of its sessions, and the last day is not rolled up.
    #expect(days.lookedAt == "1 day")
  }

  @Test(arguments: [
    ("references", "DELETE FROM placement"),
    ("lists", "UPDATE placement SET list = '[{}]'"),
    ("lists", "UPDATE mask SET list = '{'"),
    ("lists", "UPDATE geometry SET columns = columns + 1"),
    ("sessions", "UPDATE session SET masked = masked + 1 WHERE id = 20"),
    ("sessions", "UPDATE session SET tags = '[' WHERE id = 20"),
    ("sessions", "UPDATE session SET last_active = began - 1 WHERE id = 20"),
    ("sessions", "UPDATE session SET ended = ended + 1 WHERE id = 20"),
    ("sessions", "UPDATE sqlite_sequence SET seq = 1"),
    ("views", "UPDATE screen_view SET touches = touches + 1 WHERE session = 20"),
    ("grids", "UPDATE grid SET cells = x'00' WHERE session = 20"),
    ("grids", "UPDATE grid SET bytes_per_cell = 2 WHERE session = 20 AND layer = 'taps'"),
    (
      "grids",
      """
      UPDATE screen_view SET touches = 0 WHERE session = 20;
      UPDATE session SET counted = 0, begun = 2 WHERE id = 20
      """
    ),
    ("days", "UPDATE day SET begun = begun + 1"),
    ("days", "UPDATE day SET hours = '[' || hours || ']'"),
    ("days", "UPDATE day SET sessions = 1"),
    ("days", "DELETE FROM day"),
    (
      "days", "UPDATE session SET began = began - 90000000, last_active = last_active WHERE id = 14"
    ),
    ("sums of days", "UPDATE daily SET sum = x'00'"),
    ("sums of days", "UPDATE daily SET touched = sum, touched_bytes = sum_bytes"),
    ("sums of days", "UPDATE daily_view SET touches = touches + 1"),
    ("sums of days", "UPDATE daily_view SET sessions = 99"),
    ("days recomputed", "UPDATE daily_view SET shown_ms = shown_ms + 1"),
    ("days recomputed", "DELETE FROM daily WHERE layer = 'dwell'"),
    ("days recomputed", "UPDATE day SET first_began = first_began - 1"),
    ("days recomputed", "UPDATE day SET palms = palms + 1, begun = begun + 1"),
  ])
  func `The check finds each kind of contradiction`(part: String, change: String) throws {
    let found = try faults(after: change)
    #expect(found.contains { $0.hasPrefix(part + ": ") }, "\(found)")
  }

  @Test func `The check compares the sums of a month with those of its days`() throws {
    let store = try Store(path: folder.file(), options: options())
    try store.rollUp(today: #require(Day("2024-06-02")))
    #expect(try StorageTests.faults(folder.file()) == [])
    try store.database.execute("DELETE FROM monthly WHERE layer = 'taps'")
    #expect(try StorageTests.faults(folder.file()).contains { $0.hasPrefix("sums of months: ") })
    try store.database.execute("UPDATE month SET days = 9")
    #expect(
      try StorageTests.faults(folder.file())
        .contains { $0.contains("its sums were added up from 9 days") })
  }

  @Test func `The check finds cells that are stored wider than necessary`() throws {
    let store = try Store(path: folder.file(), options: options())
    let cells = try Deflate.deflate([UInt8](repeating: 0, count: 2 * 20 * 13))
    try store.database.run(
      "UPDATE grid SET cells = ?1, bytes_per_cell = 2 WHERE session = 20 AND layer = 'trail'",
      [.blob(cells)])
    #expect(
      try StorageTests.faults(folder.file()).contains {
        $0.contains("not stored in the narrowest width")
      })
  }

  @Test func `A session written during a backup is not in the copy`() throws {
    let store = try Store(path: folder.file(), options: options())
    let reader = try Store(reading: folder.file(), options: options())
    var written = false
    try reader.backUp(to: folder.file("copy.db")) { _ in
      guard !written else { return }
      written = true
      #expect(throws: Never.self) { try store.write(record(99, began: mayFirst + 9 * dayLength)) }
    }
    #expect(written)
    let copy = try Store(path: folder.file("copy.db"), options: options())
    #expect(try copy.sessions(in: .always).count + 1 == store.sessions(in: .always).count)
    #expect(try StorageTests.faults(folder.file("copy.db")) == [])
  }

  @Test func `Compacting shrinks the file and changes no session`() throws {
    do {
      let store = try Store(path: folder.file(), options: options())
      try store.database.execute("DELETE FROM session WHERE rolled_up = 1")
    }
    let before = try Compacting.plan(folder.file())
    let sessions = try Store(reading: folder.file(), options: options()).sessions(in: .always)
    let now = try #require(try Compacting.run(folder.file()))
    #expect(now < before.size && now == size(folder.file()))
    let store = try Store(path: folder.file(), options: options())
    #expect(try store.sessions(in: .always) == sessions)
    #expect(try store.database.integer("PRAGMA auto_vacuum") == 2)
    #expect(try StorageTests.faults(folder.file()) == [])
  }
}
