import CSQLite
import Glibc
import TestSupport
import Testing
import TouchModel

@testable import Storage

/// A store is recognised by its bytes, before SQLite opens it. Other files stay unchanged.
@Suite final class RecognitionTests: FolderSuite {
  private var path: String { folder.file() }

  /// Makes a store with its last sessions in the WAL.
  private func make() throws {
    do {
      let store = try Store(path: path, options: options())
      for id in 1...50 as ClosedRange<Int64> { try store.write(record(id)) }
    }
    let store = try Store(path: path, options: options())
    for id in 51...80 as ClosedRange<Int64> { try store.write(record(id, key("screen \(id)"))) }
    store.leaveWAL()
  }

  private func change(_ range: Range<Int>? = nil, to byte: UInt8) throws {
    var bytes = try contents(path)
    for index in range ?? bytes.indices { bytes[index] = byte }
    try write(bytes, to: path)
  }

  /// Describes all files of the folder, to detect changes: names, modes, modification times, sizes,
  /// inodes, and a checksum of their content.
  private func files() throws -> String {
    try run("cd '\(folder.path)' && stat -c '%n %a %Y %y %s %i' * && cat * | sha256sum").output
  }

  private func expectRefused(_ code: StoreError.Code, _ what: String = "") throws {
    let before = try files()
    let path = path
    for error in [
      try failure { () throws(StoreError) in try Store(path: path) },
      try failure { () throws(StoreError) in try Store(reading: path) },
      try failure { () throws(StoreError) in try Store.checkIsStore(at: path) },
      try failure { () throws(StoreError) in _ = try Compacting.run(path) },
    ] {
      #expect(error.code == code && !error.isDamagedAtOpening, "\(what): \(error)")
      #expect(error.exitStatus == EX_DATAERR)
      #expect(error.description.contains(path) && error.description.contains("move this one away"))
    }
    #expect(try files() == before, "\(what)")
  }

  // MARK: Damaged stores

  @Test(
    arguments: [
      (0..<16, 0), (0..<100, 0), (0..<100, 0x55), (0..<4096, 0), (0..<4096, 0x55), (0..<8192, 0xff),
    ] as [(Range<Int>, UInt8)]) func `A store with a damaged header is recognised by its rows`(
      range: Range<Int>, byte: UInt8
    ) throws
  {
    try make()
    unsafe unlink(path + "-wal")
    try change(range, to: byte)
    let before = try contents(path)
    let path = path
    let error = try failure { () throws(StoreError) in try Store(path: path) }
    #expect(error.isDamagedAtOpening && error.isDamagedFile, "\(error)")
    try Store.checkIsStore(at: path)
    #expect(try contents(path) == before)
  }

  @Test func `A store whose database is all zeros is recognised by its WAL`() throws {
    try make()
    try change(to: 0)
    let path = path
    try Store.checkIsStore(at: path)
    unsafe unlink(path + "-wal")
    try expectRefused(.notADatabase, "nothing is left")
  }

  @Test func `A store whose first page is only in the WAL opens`() throws {
    try make()
    try change(0..<4096, to: 0)
    let log = try #require(WriteAheadLog(path + "-wal"))
    try #require(log.page(1) != nil)
    let store = try Store(path: path, options: options())
    #expect(try store.sessions(in: .always).count == 80)
  }

  @Test func `A store whose creation was interrupted is created again`() throws {
    try write([UInt8](repeating: 0, count: 8192), to: path)
    let path = path
    #expect(
      try failure { () throws(StoreError) in try Store(path: path) }.code == .notADatabase)
    // Rolling back this journal leaves a database without pages.
    let journal: [UInt8] =
      [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7] + [0, 0, 0, 0, 0, 0, 4, 210, 0, 0, 0, 0]
      + [0, 0, 2, 0, 0, 0, 16, 0]
    try write(journal + [UInt8](repeating: 0, count: 512 - journal.count), to: path + "-journal")
    let store = try Store(path: path, options: options())
    #expect(try store.nextSessionID == 1)
    #expect(!Store.exists(path + "-journal"))
  }

  // MARK: Other files

  @Test(arguments: [
    "x", "\0", "SQLite format 3", String(repeating: "not a database. ", count: 1000),
    String(repeating: "\n\0\0\0\u{8}", count: 9000), String(repeating: "\r", count: 50_000),
    Schema.statements.joined(separator: ";\n"),
  ]) func `Text files are refused and stay unchanged`(text: String) throws {
    try write(text.utf8, to: path)
    try expectRefused(.notADatabase, String(text.prefix(20)))
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func `Files of random bytes are refused and stay unchanged`(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    let pages = Int.random(in: 1...40, using: &dice)
    var bytes = (0..<(4096 * pages)).map { _ in UInt8(truncatingIfNeeded: dice.next()) }
    // Make the pages claim to belong to a B-tree.
    for page in 0..<pages {
      bytes[4096 * page + (page == 0 ? 100 : 0)] = [2, 5, 10, 13][Int(dice.next() % 4)]
      bytes[4096 * page + (page == 0 ? 103 : 3)] = 0
    }
    try write(bytes, to: path)
    try expectRefused(.notADatabase)
  }

  @Test(arguments: ["DELETE", "WAL"], [false, true])
  func `Another program's database is refused and stays unchanged`(mode: String, isInUse: Bool)
    throws
  {
    let other = try Database(
      path: path, name: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    try other.execute(
      """
      PRAGMA journal_mode = \(mode); CREATE TABLE session (id INTEGER PRIMARY KEY, day TEXT);
      INSERT INTO session VALUES (1, '2024-05-01')
      """)
    if isInUse {
      try expectRefused(.notOurs, mode)
      return withExtendedLifetime(other) {}
    }
    // A copy of the files as a killed program leaves them.
    let copy = try TemporaryFolder()
    for ending in ["", "-wal"] where Store.exists(path + ending) {
      try write(contents(path + ending), to: copy.file() + ending)
    }
    withExtendedLifetime(other) {}
    let path = copy.file()
    let before = try run("cd '\(copy.path)' && ls -A && cat * | sha256sum").output
    #expect(try failure { () throws(StoreError) in try Store(path: path) }.code == .notOurs)
    #expect(try failure { () throws(StoreError) in try Store(reading: path) }.code == .notOurs)
    #expect(try run("cd '\(copy.path)' && ls -A && cat * | sha256sum").output == before)
  }

  @Test(arguments: [true, false]) func `Another program's WAL stays unchanged`(hasFile: Bool) throws
  {
    if hasFile { try write([], to: path) }
    try write([1, 2, 3], to: path + "-wal")
    let before = try files()
    let path = path
    let error = try failure { () throws(StoreError) in try Store(path: path) }
    #expect(error.code == .notOurs && !error.isDamagedAtOpening, "\(error)")
    #expect(error.description.contains(path + "-wal"))
    #expect(try files() == before)
  }
}
