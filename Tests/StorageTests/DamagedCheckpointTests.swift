import TestSupport
import Testing
import TouchModel

@testable import Storage

@Suite final class DamagedCheckpointTests: FolderSuite {
  private var path: String { folder.file() }

  private func closed() throws -> (Store.Closed, SessionRecord?) {
    let store = try Store(path: path, options: options())
    let closed = try store.closeUnfinished()
    var record = try store.session(1)?.record
    record?.end = nil
    return (closed, record)
  }

  @Test(arguments: [
    ("DELETE FROM checkpoint WHERE number = 3", 2),
    ("UPDATE checkpoint SET changes = x'' WHERE number = 4", 3),
    ("UPDATE checkpoint SET changes = CAST(changes || x'00' AS BLOB) WHERE number = 2", 1),
    ("UPDATE checkpoint SET changes = CAST(x'04' || substr(changes, 2) AS BLOB)", 0),
    ("UPDATE checkpoint SET number = 9 WHERE number = 1", 0),
  ])
  func `Checkpoints that follow an unreadable one are ignored`(damage: String, last: Int) throws {
    let versions = try makeCheckpoints(path)
    let store = try Store(path: path, options: options())
    try store.database.execute("PRAGMA foreign_keys = OFF")
    try store.database.execute(damage)
    #expect(try faults(path).contains { $0.contains("checkpoints cannot be read") })
    let (closed, session) = try closed()
    #expect(closed == Store.Closed(sessions: 1, damaged: [1]))
    #expect(try faults(path) == [])
    #expect(session == ordered(versions[last]))
  }

  @Test func `A session with a damaged grid is closed without its checkpoints`() throws {
    _ = try makeCheckpoints(path)
    let store = try Store(path: path, options: options())
    try store.database.execute("UPDATE grid SET cells = x'00'")
    #expect(try faults(path).contains { $0.hasPrefix("sessions: grid of session 1") })
    #expect(try store.closeUnfinished() == Store.Closed(sessions: 1, damaged: [1]))
    #expect(try store.sessions(in: .always).map(\.record.totals.counted) == [1])
  }

  @Test func `No checkpoint harms a session, whatever its bytes are`() throws {
    _ = try makeCheckpoints(path)
    let store = try Store(path: path, options: options())
    let good: [UInt8] = try #require(
      try store.database.first("SELECT changes FROM checkpoint WHERE number = 1") { $0.blob(0) })
    let before = try #require(try store.session(1)?.record)
    var read = 0
    func look(_ bytes: [UInt8]) {
      var record = before
      guard CheckpointReader.apply(bytes, place: 1, to: &record, .all) else {
        #expect(record == before)
        return
      }
      read += 1
      #expect(record.totals.isBalanced)
      #expect(record.totals.counted == record.changedViews.reduce(0) { $0 + $1.touches })
      #expect(record.changedGrids[0].counters.count == before.changedGrids[0].counters.count)
    }
    for length in good.indices { look(Array(good[..<length])) }
    for place in good.indices {
      for bit in 0..<8 {
        var bytes = good
        bytes[place] ^= 1 << bit
        look(bytes)
      }
    }
    #expect(read == 0, "the checksum detects every change")
  }

  @Test func `Checkpoints of sessions that are not running are deleted`() throws {
    _ = try makeCheckpoints(path)
    let store = try Store(path: path, options: options())
    try store.database.execute(
      """
      UPDATE session SET ended = last_active, end_reason = 'idle';
      INSERT INTO checkpoint (session, changes) VALUES (7, x'01')
      """)
    #expect(
      try faults(path) == [
        "sessions: there is a checkpoint of session 1, which is not running",
        "sessions: there is a checkpoint of session 7, which is not running",
      ])
    #expect(try store.closeUnfinished() == Store.Closed())
    #expect(try faults(path) == [])
    #expect(try store.session(1)?.record.totals.counted == 1)
  }

  @Test func `More checkpoints than a session can have are not read`() throws {
    _ = try makeCheckpoints(path)
    let store = try Store(path: path, options: options())
    for _ in 0..<70 {
      try store.database.execute(
        "INSERT INTO checkpoint (session, changes) VALUES (1, zeroblob(100000))")
    }
    #expect(try store.closeUnfinished() == Store.Closed(sessions: 1, damaged: [1]))
    #expect(try store.session(1)?.record.totals.counted == 16)
  }

  @Test func `Recovery names a session whose later checkpoints are lost`() throws {
    let versions = try makeCheckpoints(path)
    let store = try Store(path: path, options: options())
    try store.database.execute("DELETE FROM checkpoint WHERE number = 3")
    let new = folder.file("new.db")
    #expect(try Recovery.run(path, into: new, options: options()).cutShort == [1])
    #expect(try Store(reading: new, options: options()).session(1)?.record == ordered(versions[2]))
  }
}
