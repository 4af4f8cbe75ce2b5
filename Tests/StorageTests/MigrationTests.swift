import CSQLite
import Glibc
import Synchronization
import TestSupport
import Testing
import TouchModel

@testable import Storage

/// The migration of a store from version 1 to the current version.
@Suite struct MigrationTests {
  let folder: TemporaryFolder
  let newer: Store

  /// Makes a store of four days. Only the sums of the first day remain, the second day lost some of
  /// its sessions, and the third has all of them. The fourth has not ended and has a running
  /// session.
  init() throws {
    folder = try TemporaryFolder()
    newer = try Store(path: folder.file("newer.db"), options: options())
    var dice = SeededGenerator(seed: 7)
    let fleet = try Fleet(&dice)
    for number in 0..<16 {
      let began = mayFirst + Int64(number / 4) * dayLength + Int64(number % 4) * hour
      var session = try fleet.session(Int64(number + 1), began: began, &dice)
      for index in session.changedViews.indices { session.changedViews[index].masks = [] }
      session.changedControls = []
      session.changedPanels = []
      if number == 15 { session.end = nil }
      try newer.write(session)
    }
    try newer.addGhosts(
      [GhostTally(device: "usb-1", x: 1, y: 2, periodMilliseconds: 12_864, touches: 7)],
      day: #require(Day("2024-05-02")))
    try newer.rollUp(today: #require(Day("2024-05-04")))
    try newer.retain(
      now: WallTime(milliseconds: mayFirst + dayLength + 2 * hour), keepSessions: .zero,
      maxSize: nil)
    try VersionOne.make(folder.file(), of: folder.file("newer.db"))
  }

  private func raw(_ path: String) throws(StoreError) -> Database {
    try Database(path: path, name: path, flags: SQLITE_OPEN_READWRITE)
  }

  /// Checks that queries give the same results as before the migration.
  private func expectTheSame(_ store: Store, sourceLocation: SourceLocation = #_sourceLocation)
    throws
  {
    let sessions = try newer.sessions(in: .always)
    #expect(try store.sessions(in: .always) == sessions, sourceLocation: sourceLocation)
    #expect(sessions.count == 10 && sessions.last?.record.end == nil)
    for session in sessions {
      let id = session.record.id
      #expect(try store.session(id) == newer.session(id), sourceLocation: sourceLocation)
    }
    for layer in Layer.allCases {
      #expect(
        try store.grids(screen: nil, layer: layer, in: .always)
          == newer.grids(screen: nil, layer: layer, in: .always),
        sourceLocation: sourceLocation)
    }
    let (days, known) = try (store.days(in: .always), newer.days(in: .always))
    #expect(days.map(\.sessions) == [4, 4, 4, 4], sourceLocation: sourceLocation)
    #expect(days.map { $0.totals == nil } == [true, true, false, false])
    #expect(days.map { $0.hours == nil } == [true, true, false, false])
    #expect(days.map(\.ghostsOutside) == [0, 7, 0, 0])
    #expect(Array(days[2...]) == Array(known[2...]), sourceLocation: sourceLocation)
    // Days of the current version have totals and hours.
    #expect(known.allSatisfy { $0.totals != nil && $0.hours?.reduce(0, +) == 4 })
  }

  /// Collects what a store passes to a callback. (Swift 6.2 cannot compile these tests with a local
  /// mutex.)
  private final class Told<Element: Sendable>: Sendable {
    let all = Mutex<[Element]>([])
  }

  @Test func `A migrated store gives the same answers and accepts new sessions`() throws {
    do {
      let told = Told<Int64>()
      var options = options()
      options.migrating = { former, new in told.all.withLock { $0 += [former, new] } }
      let store = try Store(path: folder.file(), options: options)
      _ = try Store(path: folder.file(), options: options)
      #expect(told.all.withLock { $0 } == [1, 3])
      #expect(try store.database.integer("PRAGMA user_version") == 3)
      #expect(try store.database.integer("SELECT count(*) FROM pragma_foreign_key_check") == 0)
      #expect(try store.database.first("PRAGMA integrity_check") { try? $0.text(0) } == "ok")
      #expect(try store.database.integer("SELECT count(begun) FROM day") == 1)
      #expect(try store.database.integer("SELECT count(*) FROM month") == 0)
      try expectTheSame(store)
    }
    let again = try Store(path: folder.file(), options: options())
    try expectTheSame(again)
    // The migrated store works like any other: it accepts masks, and its new days have totals.
    #expect(try again.closeUnfinished().sessions == 1)
    let keypad = try #require(Rectangle(x: 1, y: 2, width: 3, height: 4))
    var masked = try record(17, began: mayFirst)
    masked.changedViews[0].masks = [keypad]
    try again.write(masked)
    try again.rollUp(today: #require(Day("2024-06-01")))
    #expect(try again.database.integer("SELECT days FROM month") == 4)
    #expect(try again.database.integer("SELECT count(*) FROM monthly") > 0)
    let days = try again.days(in: .always)
    // The new session is on the first day, as if the clock had been set back. The totals of that
    // day stay unknown, because those of its other sessions are unknown.
    #expect(days.map(\.sessions) == [5, 4, 4, 4])
    #expect(days.map { $0.totals == nil } == [true, true, false, false])
    #expect(try again.database.integer("SELECT count(begun) FROM day") == 2)
    let first = try #require(Day("2024-05-01"))
    let view = try again.grids(screen: "menu", layer: .taps, day: first)
      .first { $0.key == masked.changedViews[0].key }
    #expect(view?.masks == [keypad])
  }

  @Test func `The migration keeps a complete backup of the former store`() throws {
    let copy = folder.file() + ".v1"
    // Files of earlier attempts, one of which was killed.
    for path in [copy, copy + "-unfinished"] { try write("old".utf8, to: path) }
    unsafe chmod(folder.file(), 0o640)
    if geteuid() == 0 { unsafe chown(folder.file(), 12_345, 12_346) }
    let told = Told<String>()
    var options = options()
    options.copied = { path in told.all.withLock { $0.append(path) } }
    let store = try Store(path: folder.file(), options: options)
    #expect(told.all.withLock { $0 } == [copy])
    let former = try run("stat -c '%a %u %g' '\(folder.file())'").text
    #expect(try run("stat -c '%a %u %g' '\(copy)'").text == former && former.hasPrefix("640 "))
    #expect(try run("ls '\(folder.path)' | grep -c unfinished").text == "0\n")
    // The backup is a version 1 store that other programs can read.
    #expect(try raw(copy).integer("PRAGMA user_version") == 1)
    #expect(try raw(copy).first("PRAGMA integrity_check") { try? $0.text(0) } == "ok")
    try expectTheSame(try Store(reading: copy, options: options))
    // The backup can be migrated too.
    try expectTheSame(try Store(path: copy, options: options))
    try expectTheSame(store)
  }

  @Test func `Without space for the backup, the store is not migrated`() throws {
    let before = try contents(folder.file())
    var disk = statvfs()
    try #require(unsafe statvfs(folder.path, &disk) == 0)
    // A sparse file takes no space, but its size counts.
    let bytes = Int64(disk.f_bavail) * Int64(disk.f_frsize)
    try #require(unsafe truncate(folder.file(), Int(bytes)) == 0)
    let error = try failure { () throws(StoreError) in
      try Store(path: folder.file(), options: options())
    }
    #expect(error.code == .full && error.description.contains("are needed"), "\(error)")
    try #require(unsafe truncate(folder.file(), before.count) == 0)
    #expect(try contents(folder.file()) == before)
    #expect(try run("ls '\(folder.path)' | grep -c v1").text == "0\n")
    try expectTheSame(try Store(path: folder.file(), options: options()))
  }

  @Test func `A reader leaves a store of version 1 unchanged and survives its migration`() throws {
    let before = try contents(folder.file())
    try expectTheSame(try Store(reading: folder.file(), options: options()))
    #expect(try contents(folder.file()) == before)
    // The daemon is upgraded while a reader is connected.
    let reader = try Store(reading: folder.file(), options: options())
    try expectTheSame(reader)
    let writer = try Store(path: folder.file(), options: options())
    try expectTheSame(reader)
    try expectTheSame(writer)
  }

  @Test func `After a power cut during the migration, the store has one of the two versions`()
    throws
  {
    let store = try Store(path: folder.file(), options: options())
    let log = try contents(folder.file() + "-wal")
    try #require(log.count > 20_000)
    var seen: [Int64] = []
    let other = try TemporaryFolder()
    for bytes in Array(stride(from: 0, to: log.count, by: 3989)) + [log.count] {
      try write(try contents(folder.file()), to: other.file())
      try write(log.prefix(bytes), to: other.file() + "-wal")
      unsafe unlink(other.file() + "-shm")
      seen.append(try raw(other.file()).integer("PRAGMA user_version"))
      try write(log.prefix(bytes), to: other.file() + "-wal")
      let after = try Store(path: other.file(), options: options())
      #expect(try after.sessions(in: .always) == newer.sessions(in: .always))
      #expect(try after.days(in: .always) == store.days(in: .always))
    }
    #expect(seen.sorted() == seen && Set(seen) == [1, 3], "\(seen)")
  }

  @Test func `A process killed during the migration leaves the former version`() throws {
    let script = """
      import os, sqlite3, sys
      store = sqlite3.connect(sys.argv[1], isolation_level=None)
      store.execute("PRAGMA cache_size = 1")
      store.execute("BEGIN IMMEDIATE")
      store.execute("\(Schema.mask.replacing("\n", with: " "))")
      store.execute("ALTER TABLE screen_view ADD COLUMN \(Schema.maskColumn)")
      store.execute("PRAGMA user_version = 2")
      os.kill(os.getpid(), 9)
      """
    try write(script.utf8, to: folder.file("die.py"))
    let died = try run("python3 \(folder.path)/die.py \(folder.file())")
    #expect(died.status & 0x7f == 9 || died.status >> 8 == 137, "\(died)")
    #expect(try raw(folder.file()).integer("PRAGMA user_version") == 1)
    try expectTheSame(try Store(path: folder.file(), options: options()))
  }

  @Test(arguments: [
    "DROP TABLE ghost", "ALTER TABLE day ADD COLUMN begun INTEGER", "CREATE TABLE mask (x)",
    "CREATE TRIGGER t AFTER INSERT ON session BEGIN DELETE FROM session; END",
  ])
  func `A store with changed tables is not migrated`(change: String) throws {
    try raw(folder.file()).execute(change)
    let error = try failure { () throws(StoreError) in
      try Store(path: folder.file(), options: options())
    }
    #expect(error.code == .damaged || error.code == .unexpected, "\(error)")
    #expect(try raw(folder.file()).integer("PRAGMA user_version") == 1)
  }

  @Test func `A day that cannot be read has no totals after the migration`() throws {
    try raw(folder.file()).execute("UPDATE session SET tags = '{' WHERE day = '2024-05-03'")
    let store = try Store(path: folder.file(), options: options())
    #expect(try store.database.integer("SELECT count(begun) FROM day") == 0)
    #expect(try failure { () throws(StoreError) in try store.days(in: .always) }.code == .damaged)
  }
}
