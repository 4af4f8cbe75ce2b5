import CSQLite
import TestSupport
import Testing

@testable import Storage

@Suite final class KeptStatementsTests: FolderSuite {
  private func open() throws -> Database {
    let path = folder.file("kept.db")
    let database = try Database(
      path: path, name: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    try database.execute("PRAGMA journal_mode = WAL")
    return database
  }

  @Test func `A kept statement used inside itself gives every row once`() throws {
    let database = try open()
    try database.execute("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2), (3)")
    let sql = "SELECT a FROM t WHERE a >= ?1 ORDER BY a"
    for _ in 0..<3 {
      let outer = try database.prepare(sql, keeping: true)
      try outer.bind([.integer(1)])
      var pairs: [[Int64]] = []
      while try outer.step() {
        let first = try database.first(sql, [.integer(outer.integer(0))], keeping: true) { row in
          row.integer(0)
        }
        pairs.append([outer.integer(0), first ?? 0])
      }
      #expect(pairs == [[1, 1], [2, 2], [3, 3]])
    }
  }

  @Test func `A kept statement left after its first row does not block a checkpoint`() throws {
    let database = try open()
    try database.execute("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2), (3)")
    #expect(try database.first("SELECT a FROM t", keeping: true) { $0.integer(0) } == 1)
    let other = try open()
    try other.execute("INSERT INTO t VALUES (4)")
    // A 0 in the first column means that no statement blocked the checkpoint.
    #expect(try other.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0)
    #expect(try database.integer("SELECT count(*) FROM t") == 4)
  }

  @Test func `A transaction that is interrupted at its beginning does not stay open`() throws {
    let database = try open()
    try database.execute("CREATE TABLE t (a INTEGER)")
    for interval in 1...4 {
      let interruption = QueryCancellation(every: Int32(interval))
      interruption.stop(database)
      for lock in [Database.Lock.read, .write] {
        interruption.request()
        for _ in 0..<10 {
          _ = try? database.transaction(lock) { () throws(StoreError) in
            try database.integer("SELECT count(*) FROM t")
          }
        }
        interruption.withdraw()
        let count = try database.transaction(lock) { () throws(StoreError) in
          try database.integer("SELECT count(*) FROM t")
        }
        #expect(count == 0)
      }
      withExtendedLifetime(interruption) {}
    }
  }

  @Test func `A kept statement keeps no values and follows changes of the schema`() throws {
    let database = try open()
    try database.execute("CREATE TABLE t (a)")
    try database.run("INSERT INTO t VALUES (?1)", [.text("secret")], keeping: true)
    try database.execute("ALTER TABLE t ADD COLUMN b DEFAULT 7")
    // The kept statement now fails, because the table has a second column.
    #expect(throws: StoreError.self) {
      try database.run("INSERT INTO t VALUES (?1)", keeping: true)
    }
    try database.run("INSERT INTO t (a) VALUES (?1)", [.integer(1)], keeping: true)
    try database.run("INSERT INTO t (a) VALUES (?1)", keeping: true)
    let rows = try database.first("SELECT count(*), count(a), sum(b) FROM t", keeping: true) {
      [$0.integer(0), $0.integer(1), $0.integer(2)]
    }
    #expect(rows == [3, 2, 21])
  }
}
