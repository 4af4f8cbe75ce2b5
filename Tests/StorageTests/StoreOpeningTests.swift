import CSQLite
import Glibc
import TestSupport
import Testing
import TouchModel

@testable import Storage

@Suite final class StoreOpeningTests: FolderSuite {
  @Test func `A new store has its application ID, version and settings`() throws {
    let store = try Store(path: folder.file())
    #expect(try store.database.integer("PRAGMA application_id") == 0x5447_5244)
    #expect(try store.database.integer("PRAGMA user_version") == 5)
    #expect(try store.database.integer("PRAGMA synchronous") == 2)
    #expect(try store.database.integer("PRAGMA auto_vacuum") == 2)
    #expect(try store.database.integer("PRAGMA foreign_keys") == 1)
    #expect(try store.database.integer("PRAGMA trusted_schema") == 0)
    #expect(try store.database.first("PRAGMA journal_mode") { try? $0.text(0) } == "wal")
    #expect(
      try store.database.integer(
        "SELECT count(*) FROM pragma_table_list WHERE strict = 0 AND type = 'table' AND name NOT LIKE 'sqlite_%'"
      ) == 0)
    let header = try contents(folder.file())
    #expect(Array(header[68..<72]) == Array("TGRD".utf8))
  }

  @Test func `An empty file becomes a store`() throws {
    try write([], to: folder.file())
    let store = try Store(path: folder.file())
    #expect(try store.nextSessionID == 1)
  }

  @Test(arguments: [0, 1, 2, 3, 4, 99])
  func `A store of another version is refused and stays unchanged`(version: Int) throws {
    let path = folder.file()
    do {
      let store = try Store(path: path)
      try store.database.execute("DROP TABLE start; CREATE TABLE later (id INTEGER)")
      try store.database.execute("PRAGMA user_version = \(version)")
    }
    let files = "cd '\(folder.path)' && ls -A && cat * | sha256sum"
    let before = try run(files).output
    for error in [
      try failure { () throws(StoreError) in try Store(path: path) },
      try failure { () throws(StoreError) in try Store(reading: path) },
      try failure { () throws(StoreError) in try Compacting.run(path) },
      try failure { () throws(StoreError) in try Recovery.run(path, into: path + ".recovered") },
    ] {
      #expect(error.code == .otherVersion && error.exitStatus == EX_DATAERR)
      #expect(!error.isDamagedAtOpening && !error.isDamagedFile, "it is not moved aside")
      #expect(
        error.fact.hasSuffix(
          "the store has version \(version), and this program reads only version 5"))
      #expect(error.advice.hasPrefix("Nothing was changed. "))
    }
    #expect(try run(files).output == before)
  }

  @Test(arguments: [
    "DROP TABLE ghost", "ALTER TABLE checkpoint RENAME COLUMN changes TO news",
    "ALTER TABLE grid ADD COLUMN extra TEXT",
    "CREATE TRIGGER t AFTER INSERT ON session BEGIN DELETE FROM session; END",
  ])
  func `A store with changed tables is refused`(change: String) throws {
    do {
      let store = try Store(path: folder.file())
      try store.database.execute(change)
    }
    let error = try failure { () throws(StoreError) in try Store(path: folder.file()) }
    #expect(error.code == .damaged)
  }

  @Test func `A store with an additional view opens`() throws {
    do {
      let store = try Store(path: folder.file())
      try store.database.execute("CREATE VIEW mine AS SELECT screen FROM grid")
    }
    _ = try Store(path: folder.file())
  }

  @Test(arguments: ["", ":memory:", "a\0b"])
  func `A path that names no file is refused`(path: String) throws {
    #expect(try failure { () throws(StoreError) in try Store(path: path) }.code == .cannotOpen)
    #expect(try failure { () throws(StoreError) in try Store(reading: path) }.code == .cannotOpen)
  }

  @Test func `Folders, pipes and paths in missing folders are refused`() throws {
    try run("mkfifo \(folder.path)/pipe")
    for (path, code) in [
      (folder.path, StoreError.Code.notOurs), (folder.file("pipe"), .notOurs),
      (folder.file("no/where.db"), .cannotOpen),
    ] {
      #expect(try failure { () throws(StoreError) in try Store(path: path) }.code == code)
    }
    let pipe = folder.file("pipe")
    #expect(
      try failure { () throws(StoreError) in try Store.checkIsStore(at: pipe) }.code == .notOurs)
    let missing = try failure { () throws(StoreError) in try Store(reading: folder.file()) }
    #expect(missing.code == .cannotOpen)
    #expect(size(folder.file()) == 0)
    #expect(try run("ls -A \(folder.path)").output == "pipe\n")
  }

  @Test func `A reader sees what the daemon commits and cannot write`() throws {
    let writer = try Store(path: folder.file(), options: options())
    let reader = try Store(reading: folder.file(), options: options())
    #expect(try reader.sessions(in: .always).isEmpty)
    try writer.write(record(1, end: nil))
    #expect(try reader.sessions(in: .always).map(\.record.id) == [1])
    let second = try record(2)
    #expect(try failure { () throws(StoreError) in try reader.write(second) }.code == .readOnly)
    try writer.write(second)
    #expect(try reader.sessions(in: .always).count == 2)
  }
}

/// A folder that this thread's user may only read, so that SQLite cannot create its files.
@Suite struct ReadOnlyFolderTests {
  /// Runs `body` as a user who owns nothing, on this thread only (`setfsuid` is per thread).
  private func asNobody<Result>(_ body: () throws -> Result) throws -> Result {
    typealias SetFSUID = @convention(c) (uid_t) -> Int32
    guard let symbol = unsafe dlsym(nil, "setfsuid") else { throw Missing(what: "setfsuid") }
    let setfsuid = unsafe unsafeBitCast(symbol, to: SetFSUID.self)
    let isRoot = geteuid() == 0
    if isRoot { _ = setfsuid(65534) }
    defer { if isRoot { _ = setfsuid(0) } }
    return try body()
  }

  private func readOnly(_ folder: TemporaryFolder) throws {
    try run("chmod 0444 \(folder.path)/* && chmod 0555 \(folder.path)")
  }

  @Test func `A closed store in a read-only folder can be read, whatever its name is`() throws {
    let folder = try TemporaryFolder()
    for name in ["store.db", "50%?#&=ä.db"] {
      try Store(path: folder.file(name), options: options()).write(record(1))
    }
    try readOnly(folder)
    defer { _ = try? run("chmod 0755 \(folder.path)") }
    for name in ["store.db", "50%?#&=ä.db"] {
      let session = try asNobody {
        try Store(reading: folder.file(name), options: options()).session(1)
      }
      #expect(session?.record == ordered(try record(1)))
      let denied = try asNobody {
        try failure { () throws(StoreError) in try Store(path: folder.file(name)) }
      }
      #expect(denied.code == .readOnly || denied.code == .cannotOpen)
    }
    #expect(try run("ls \(folder.path) | wc -l").output.contains("2"))
  }

  @Test func `A store with changes in a WAL that cannot be used is not read without them`() throws {
    let folder = try TemporaryFolder()
    let copy = try TemporaryFolder()
    let store = try Store(path: folder.file(), options: options())
    try store.write(record(1))
    for suffix in ["", "-wal"] {
      try write(try contents(folder.file() + suffix), to: copy.file() + suffix)
    }
    try #require(size(copy.file() + "-wal") > 0)
    try readOnly(copy)
    defer { _ = try? run("chmod 0755 \(copy.path)") }
    let error = try asNobody {
      try failure { () throws(StoreError) in try Store(reading: copy.file()) }
    }
    #expect(error.code == .cannotOpen)
    #expect(error.message.contains("-wal"))
    #expect(error.message.contains("copy"))
  }

  @Test func `A user with only read permission can read a running daemon's store`() throws {
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file(), options: options())
    try store.write(record(1))
    try readOnly(folder)
    defer { _ = try? run("chmod 0755 \(folder.path)") }
    let session = try asNobody {
      try Store(reading: folder.file(), options: options()).session(1)
    }
    #expect(session?.record == ordered(try record(1)))
  }
}
