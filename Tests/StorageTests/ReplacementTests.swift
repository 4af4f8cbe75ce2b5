import Glibc
import TestSupport
import Testing
import TouchModel

@testable import Storage

/// Checks that a damaged store is set aside together with its WAL, and that its session numbers are
/// never used again.
@Suite final class ReplacementTests: FolderSuite {
  /// 2024-05-01 00:00:07 UTC.
  let now = WallTime(milliseconds: mayFirst + 7000)

  private func names() throws -> [String] {
    try run("ls -A '\(folder.path)'").output.split(separator: "\n").map(String.init).sorted()
  }

  /// Replaces the damaged files by a new store.
  @discardableResult
  private func replace(at time: WallTime? = nil) throws -> Replacement {
    let replacement = try Replacement(of: folder.file(), at: time ?? now)
    try replacement.finish()
    return replacement
  }

  @Test func `The damaged files are moved together and overwrite nothing`() throws {
    var expected = ["store.db"]
    for (number, name) in ["damaged-20240501T000007Z", "damaged-20240501T000007Z-2"].enumerated() {
      for ending in ["", "-wal", "-shm"] {
        try write("\(number)\(ending)".utf8, to: folder.file() + ending)
        expected.append("store.db.\(name)\(ending)")
      }
      let aside = try replace().aside
      #expect(aside == folder.file() + ".\(name)")
      #expect(try contents(aside) == Array("\(number)".utf8))
      #expect(try contents(aside + "-wal") == Array("\(number)-wal".utf8))
    }
    #expect(try names() == expected.sorted())
  }

  @Test func `If the path is a link, its target is moved and the link leads to the new store`()
    throws
  {
    try write("x".utf8, to: folder.file("real.db"))
    unsafe symlink(folder.file("real.db"), folder.file())
    #expect(try replace().aside == folder.file("real.db.damaged-20240501T000007Z"))
    try Store(path: folder.file(), options: options()).write(record(1))
    #expect(try names().count == 3 && size(folder.file("real.db")) > 0)
  }

  @Test func `The new store has the permissions of the damaged one`() throws {
    try write("nonsense, nonsense, nonsense".utf8, to: folder.file())
    unsafe chmod(folder.file(), 0o600)
    try replace()
    #expect(fileStatus(folder.file()).st_mode & 0o777 == 0o600)
  }

  @Test func `A WAL without its database is kept, because it may hold the last sessions`() throws {
    do {
      let store = try Store(path: folder.file(), options: options())
      try store.write(record(1))
      store.leaveWAL()
    }
    let log = try contents(folder.file() + "-wal")
    for hasDatabase in [true, false] {
      if hasDatabase { try write([], to: folder.file()) } else { unsafe unlink(folder.file()) }
      try write(log, to: folder.file() + "-wal")
      let error = try failure { () throws(StoreError) in try Store(path: folder.file()) }
      #expect(error.code == .damaged && error.isDamagedAtOpening, "\(error)")
      #expect(try contents(folder.file() + "-wal") == log)
      let aside = try replace().aside
      #expect(try contents(aside + "-wal") == log)
      #expect(Store.exists(aside) == hasDatabase)
    }
    try Store(path: folder.file(), options: options()).write(record(1))
  }

  @Test func `Empty leftover files are not kept`() throws {
    // An empty file, as locking creates it, and the `-shm` file, which is useless without its WAL.
    try write([], to: folder.file())
    try write([1, 2, 3], to: folder.file() + "-shm")
    try replace()
    #expect(try names() == ["store.db"])
  }

  @Test(arguments: ["session", "run"])
  func `Last numbers that rows contradict are not used`(table: String) throws {
    do {
      let store = try Store(path: folder.file(), options: options())
      for id in 1...41 { try store.write(record(Int64(id))) }
      for _ in 1...7 { _ = try store.beginRun(at: now) }
      try store.database.execute("UPDATE sqlite_sequence SET seq = 5 WHERE name = '\(table)'")
    }
    try replace()
    let store = try Store(path: folder.file(), options: options())
    let numbers = (try store.nextSessionID, try store.beginRun(at: now))
    #expect(table == "session" ? numbers.0 > 1_000_000_000 : numbers.0 == 42)
    #expect(table == "run" ? numbers.1 > 400_000 : numbers.1 == 8)
  }

  @Test(arguments: ["session", "run"])
  func `Impossibly high numbers of damaged rows are not used`(table: String) throws {
    do {
      let store = try Store(path: folder.file(), options: options())
      try store.write(record(1))
      for _ in 1...2 { _ = try store.beginRun(at: now) }
      if table == "session" { try store.write(record(Int64.max - 1)) }
      if table == "run" { try store.database.execute("UPDATE run SET id = \(Int64.max - 1)") }
    }
    try replace()
    let store = try Store(path: folder.file(), options: options())
    let numbers = (try store.nextSessionID, try store.beginRun(at: now))
    #expect(table == "session" ? numbers.0 > 1_000_000_000 : numbers.0 == 2)
    #expect(table == "run" ? numbers.1 > 400_000 && numbers.1 < 1 << 21 : numbers.1 == 3)
  }

  @Test(arguments: [0, mayFirst])
  func `If the numbers cannot be read, new ones are derived from the time`(clock: Int64) throws {
    try write("nonsense, nonsense, nonsense".utf8, to: folder.file())
    try replace(at: WallTime(milliseconds: clock))
    let store = try Store(path: folder.file(), options: options())
    // Both clocks show a time before 2025, so they are wrong. The new numbers are above those of
    // any store that was in use.
    #expect(try store.nextSessionID > 1_735_000_000)
    let run = try store.beginRun(at: now)
    #expect(run > 400_000 && run < 1 << 21)
    // The store is damaged again, a minute and 60 sessions later.
    let last = try store.nextSessionID + 59
    try store.write(record(last))
    try write("nonsense, nonsense, nonsense".utf8, to: folder.file())
    unsafe unlink(folder.file() + "-wal")
    let later = WallTime(milliseconds: max(clock, 1_735_646_400_000) + 60_000)
    try replace(at: later)
    #expect(try Store(path: folder.file(), options: options()).nextSessionID > last)
  }

  @Test func `A file that appears after the first attempt is moved to the next free name`() throws {
    try write("first".utf8, to: folder.file())
    let replacement = try Replacement(of: folder.file(), at: now)
    unsafe rename(folder.file(), replacement.aside)
    try write("late".utf8, to: folder.file())
    try replacement.finish()
    #expect(try contents(replacement.aside) == Array("first".utf8))
    #expect(try contents(replacement.aside + "-2") == Array("late".utf8))
    _ = try Store(path: folder.file(), options: options())
  }

}

/// Checks how the storage thread treats a damaged, moved or deleted file that it finds while it
/// writes sessions.
@Suite final class LiveReplacementTests: FolderSuite {
  let failures = Collected<StoreError>()
  let replacements = Collected<Replacement>()
  let notes = Collected<StorageThread.Note>()

  private func thread(
    _ store: sending Store, backlogLimit: Int = 64 << 20
  ) throws -> StorageThread {
    let path = folder.file()
    return try StorageThread(
      store, backlogLimit: backlogLimit,
      successor: { [replacements] session throws(StoreError) in
        let replacement = try Replacement(
          of: path, after: LastIDs(session: session, run: 1),
          at: WallTime(milliseconds: mayFirst))
        try replacement.finish()
        replacements.add(replacement)
        return try Store(path: path, options: options())
      }, onError: { [failures] in failures.add($0) }, onNote: { [notes] in notes.add($0) })
  }

  /// Returns a running session's changes since its first record.
  private func nextRecord(_ first: SessionRecord) throws -> SessionRecord {
    var next = try record(first.id, end: nil, taps: [1: 5], key("pay"))
    next.totals.counted += first.totals.counted
    next.totals.begun += first.totals.counted
    return next
  }

  private func expectWhole(_ id: Int64) throws {
    let session = try #require(try Store(reading: folder.file(), options: options()).session(id))
    #expect(session.record.changedViews.map(\.key.screen) == ["menu", "pay"])
    #expect(
      session.record.changedGrids.reduce(0) { $0 + $1.counters.sum }
        == session.record.totals.counted)
  }

  @Test
  func `A store damaged during operation is replaced, and the running session is complete`() throws
  {
    let path = folder.file()
    let store = try Store(path: path, options: options())
    for id in 1...40 { try store.write(record(Int64(id), key("s\(id)"))) }
    try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let thread = try thread(store)
    let running = try record(41, end: nil, taps: [3: 9])
    thread.submit(.write(running))
    drain(thread)
    try run(
      "python3 -c \"import sqlite3; sqlite3.connect('\(path)').execute('PRAGMA wal_checkpoint(TRUNCATE)')\""
    )
    // Another program overwrites all pages but the first.
    let size = try contents(path).count
    try run("dd if=/dev/urandom of='\(path)' bs=4096 seek=1 count=\(size / 4096 - 1) conv=notrunc")
    thread.submit(.write(try nextRecord(running)))
    thread.submit(.doHousekeeping(keepSessions: nil, maxSize: nil))
    drain(thread)
    try #require(failures.all.contains { $0.isDamagedFile }, "\(failures.all)")
    try expectWhole(41)
    thread.submit(.write(try record(42, taps: [1: 1])))
    #expect(thread.finish() == nil, "\(failures.all)")
    #expect(replacements.all.count == 1)
    #expect(thread.generation == 1)
    let after = try Store(reading: path, options: options())
    #expect(try after.sessions(in: .always).last?.record.id == 42)
    #expect(try contents(replacements.all[0].aside).count >= size)
  }

  @Test func `A store whose damage is found by forgetting is replaced and maintained`() throws {
    let (path, answers) = (folder.file(), Collected<StoreError?>())
    do {
      let store = try Store(path: path, options: options())
      for day in 0..<7 as Range<Int64> {
        try store.write(record(day + 1, began: mayFirst + day * dayLength, key("s\(day)")))
      }
    }
    let root = try Store(reading: path).database.integer(
      "SELECT rootpage FROM sqlite_schema WHERE name = 'grid'")
    var bytes = try contents(path)
    for index in Int(root - 1) * 4096..<Int(root) * 4096 { bytes[index] = 0xa5 }
    try write(bytes, to: path)
    let thread = try thread(Store(path: path, options: options()))
    thread.submit(
      .forget(.session(1), below: 8) { result in
        if case .failure(let error) = result { answers.add(error) } else { answers.add(nil) }
      })
    #expect(answers.first(1).first??.isDamagedFile == true, "\(answers.all)")
    drain(thread)
    try #require(replacements.all.count == 1 && thread.generation == 1)
    #expect(failures.all.contains { $0.isDamagedFile }, "\(failures.all)")
    thread.submit(.doHousekeeping(keepSessions: nil, maxSize: nil))
    thread.submit(.write(try record(8)))
    #expect(thread.finish() == nil)
    #expect(try contents(replacements.all[0].aside) == bytes)
    #expect(try Store(reading: path, options: options()).session(8) != nil)
  }

  @Test func `The WAL of a moved store does not become the WAL of the file in its place`()
    throws
  {
    let path = folder.file()
    let thread = try thread(Store(path: path, options: options()))
    for id in 1...20 { thread.submit(.write(try record(Int64(id)))) }
    drain(thread)
    try Store(path: path, options: options()).checkpointWAL()
    try run("cp '\(path)' '\(folder.file("backup.db"))'")
    for id in 21...40 { thread.submit(.write(try record(Int64(id)))) }
    drain(thread)
    let reader = try Store(reading: path, options: options())
    try reader.database.execute("BEGIN")
    #expect(try reader.sessions(in: .always).count == 40)
    for id in 41...60 { thread.submit(.write(try record(Int64(id)))) }
    drain(thread)
    let old = folder.file("old.db")
    unsafe rename(path, old)
    unsafe rename(folder.file("backup.db"), path)
    thread.submit(.write(try record(61)))
    #expect(thread.finish() == nil, "\(failures.all)")
    try reader.database.execute("ROLLBACK")
    // The file that took the store's place is unchanged.
    let aside = try #require(replacements.all.first).aside
    #expect(try Store(reading: aside, options: options()).sessions(in: .always).count == 20)
    // The moved database is complete with the WAL that the note names.
    let log = try #require(
      notes.all.compactMap { if case .leftWAL(let log) = $0 { log } else { nil } }.first)
    #expect(log != aside + "-wal" && size(log) > 0)
    unsafe rename(log, old + "-wal")
    #expect(try Store(reading: old, options: options()).sessions(in: .always).count == 60)
  }

  @Test
  func `A running session that was dropped from the backlog is not in the new store`() throws {
    let path = folder.file()
    var patient = options()
    patient.busyMilliseconds = 1500
    let thread = try thread(Store(path: path, options: patient), backlogLimit: 1)
    let running = try record(1, end: nil, taps: [3: 9])
    thread.submit(.write(running))
    drain(thread)
    do {
      let other = try Store(path: path, options: options())
      try other.database.execute("BEGIN IMMEDIATE")
      thread.submit(.write(try nextRecord(running)))
      while thread.health.busy == nil { usleep(1000) }
      // These records wait for the disk.
      thread.submit(.write(try record(1)))
      thread.submit(.write(try record(2)))
      thread.submit(.write(try record(3, end: nil)))
      drain(thread)
      unsafe unlink(path)
    }
    thread.submit(.write(try record(4)))
    #expect(thread.finish() == nil, "\(failures.all)")
    #expect(thread.health.givenUp >= 1 && replacements.all.count == 1)
    let store = try Store(reading: path, options: options())
    #expect(try store.session(1) == nil)
    #expect(try store.session(3) != nil && store.session(4) != nil)
  }

  @Test func `The store has moved only if its path is missing or leads to another file`() throws {
    let (folder, away) = (folder.file("store"), folder.file("away"))
    try run("mkdir \(folder)")
    let store = try Store(path: folder + "/store.db", options: options())
    #expect(!store.hasMoved)
    unsafe rename(folder, away)
    unsafe symlink(folder, folder)
    #expect(!store.hasMoved, "a loop of links does not tell where the file is")
    unsafe unlink(folder)
    #expect(store.hasMoved, "the path is missing")
    unsafe rename(away, folder)
    #expect(!store.hasMoved)
    try run("cp \(folder)/store.db \(folder)/copy; mv \(folder)/copy \(folder)/store.db")
    #expect(store.hasMoved)
  }

  @Test func `A request to forget fails if no new store can be created`() throws {
    let (path, answers) = (folder.file(), Collected<StoreError.Code?>())
    let thread = try StorageThread(
      Store(path: path, options: options()),
      successor: { _ throws(StoreError) in throw .damagedAgain(path) },
      onError: { [failures] in failures.add($0) })
    drain(thread)
    unsafe unlink(path)
    thread.submit(.write(try record(1)))
    thread.submit(
      .forget(.session(1), below: 2) { result in
        if case .failure(let error) = result { answers.add(error.code) } else { answers.add(nil) }
      })
    #expect(answers.first(1) == [.io])
    drain(thread)
    #expect(thread.health.error?.code == .io)
    #expect(thread.health.waitingBytes > 0)
    #expect(thread.finish()?.code == .io)
  }
}
