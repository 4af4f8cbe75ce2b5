import Glibc
import Testing
import TouchModel

@testable import Storage

/// A damaged store gets another name, with its log, and what it numbered is numbered no more.
@Suite struct MovingAsideTests {
  let folder: Folder
  /// 2024-05-01 00:00:07 UTC.
  let now = WallTime(milliseconds: mayFirst + 7000)

  init() throws { folder = try Folder() }

  private func names() throws -> [String] {
    try run("ls -A '\(folder.path)'").text.split(separator: "\n").map(String.init).sorted()
  }

  @Test func itsFilesStayTogetherAndNothingIsWrittenOver() throws {
    var expected: [String] = []
    for (number, name) in ["damaged-20240501T000007Z", "damaged-20240501T000007Z-2"].enumerated() {
      for ending in ["", "-wal", "-shm"] {
        try write("\(number)\(ending)".utf8, to: folder.file() + ending)
        expected.append("store.db.\(name)\(ending)")
      }
      let aside = try Store.moveAside(folder.file(), at: now)
      #expect(aside == folder.file() + ".\(name)")
      #expect(try contents(aside) == Array("\(number)".utf8))
      #expect(try contents(aside + "-wal") == Array("\(number)-wal".utf8))
    }
    #expect(try names() == expected.sorted())
  }

  @Test func ofALinkTheFileIsMovedAndTheLinkLeadsToTheNewOne() throws {
    try write("x".utf8, to: folder.file("real.db"))
    unsafe symlink(folder.file("real.db"), folder.file())
    let aside = try Store.moveAside(folder.file(), at: now)
    #expect(aside == folder.file("real.db.damaged-20240501T000007Z"))
    try Store(path: folder.file(), options: options()).write(record(1))
    #expect(size(folder.file("real.db")) > 0)
  }

  @Test("A log without its database is not deleted: it may hold the last sessions")
  func aLogWithoutItsDatabase() throws {
    for hasDatabase in [true, false] {
      if hasDatabase { try write([], to: folder.file()) } else { unsafe unlink(folder.file()) }
      try write([1, 2, 3], to: folder.file() + "-wal")
      let error = try failure { () throws(StoreError) in try Store(path: folder.file()) }
      #expect(error.code == .damaged && error.isDamagedAtOpening, "\(error)")
      #expect(try contents(folder.file() + "-wal") == [1, 2, 3])
    }
    _ = try Store.moveAside(folder.file(), at: now)
    #expect(try names() == ["store.db.damaged-20240501T000007Z-wal"])
    try Store(path: folder.file(), options: options()).write(record(1))
  }

  @Test func theNumbersGoOnWhereTheyCanBeRead() throws {
    do {
      let store = try Store(path: folder.file(), options: options())
      for id in 1...41 { try store.write(record(Int64(id))) }
      for _ in 1...7 { _ = try store.beginRun(at: now) }
      store.leaveLog()
    }
    try #require(size(folder.file() + "-wal") > 0)
    let log = try contents(folder.file() + "-wal")
    let aside = try Store.moveAside(folder.file(), at: now)
    let store = try Store(path: folder.file(), options: options())
    try store.goOn(after: aside, at: now)
    #expect(try store.nextSessionID == 42)
    #expect(try store.beginRun(at: now) == 8)
    #expect(try contents(aside + "-wal") == log, "it was only looked at")
  }

  @Test(arguments: [0, mayFirst]) func whereTheyCannotTheMinutesAreTaken(clock: Int64) throws {
    try write("nonsense, nonsense, nonsense".utf8, to: folder.file())
    let aside = try Store.moveAside(folder.file(), at: now)
    let store = try Store(path: folder.file(), options: options())
    try store.goOn(after: aside, at: WallTime(milliseconds: clock))
    // 1970: the clock cannot be right, and the numbers are above those of any store that was in use.
    #expect(try store.nextSessionID > 28_000_000)
    #expect(try store.beginRun(at: now) < 1 << 21)
  }

  @Test func whatIsNoFileIsRefusedAndStays() throws {
    try run("mkdir '\(folder.file("d"))'; mkfifo '\(folder.file("f"))'")
    for name in ["d", "f"] {
      let error = try failure { () throws(StoreError) in try Store(path: folder.file(name)) }
      #expect(error.code == .cannotOpen && !error.isDamagedAtOpening, "\(error)")
    }
    #expect(try names() == ["d", "f"])
  }
}

/// Damage that shows while sessions are written.
@Suite struct LiveDamageTests {
  let folder: Folder
  init() throws { folder = try Folder() }

  @Test func anotherStoreIsBegunAndHasWhatWasBeingWritten() throws {
    let (failures, notes) = (Collected<StoreError>(), Collected<String>())
    let path = folder.file()
    let store = try Store(path: path, options: options())
    for id in 1...40 { try store.write(record(Int64(id), key("s\(id)"))) }
    try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let moment = WallTime(milliseconds: mayFirst)
    let thread = try StorageThread(
      store,
      successor: { () throws(StoreError) in
        let aside = try Store.moveAside(path, at: moment)
        notes.add(aside)
        let store = try Store(path: path, options: options())
        try store.goOn(after: aside, at: moment)
        return store
      }, onError: { failures.add($0) })
    // Somebody writes over all of it but the first page.
    let other = try contents(path)
    try run(
      "dd if=/dev/urandom of='\(path)' bs=4096 seek=1 count=\(other.count / 4096 - 1) conv=notrunc")
    // The connection knows nothing of it until a page is read again.
    _ = thread.ask { _ in }
    let running = try record(41, end: nil, taps: [3: 9])
    thread.submit(.write(running))
    thread.submit(.keepHouse(keepSessions: nil, maxSize: nil))
    drain(thread)
    thread.submit(.write(try record(42, taps: [1: 1])))
    #expect(thread.finish() == nil, "\(failures.all)")
    #expect(failures.all.contains { $0.isDamagedFile }, "\(failures.all)")
    #expect(notes.all.count == 1)
    #expect(thread.generation == 1)
    let after = try Store(reading: path, options: options())
    #expect(try after.sessions(in: .always).last?.record.id == 42)
    #expect(try contents(notes.all[0]).count == other.count)
  }
}
