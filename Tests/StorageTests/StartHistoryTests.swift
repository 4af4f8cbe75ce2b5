import TestSupport
import Testing
import TouchModel

@testable import Storage

@Suite final class StartHistoryTests: FolderSuite {
  private static func session(_ id: Int64) -> SessionRecord {
    let time = WallTime(milliseconds: mayFirst)
    return SessionRecord(id: id, began: time, lastActive: time, end: .idle)
  }

  private func begin(_ count: Int64, in store: Store) throws {
    for number in 1...count { _ = try store.beginRun(at: WallTime(milliseconds: number)) }
  }

  @Test func `Each start is kept with the next session`() throws {
    let store = try Store(path: folder.file())
    try begin(1, in: store)
    try store.write(Self.session(3))
    _ = try store.beginRun(at: WallTime(milliseconds: 9))
    #expect(
      try store.starts() == [
        DaemonStart(run: 1, began: WallTime(milliseconds: 1), firstSession: 1),
        DaemonStart(run: 2, began: WallTime(milliseconds: 9), firstSession: 4),
      ])
  }

  @Test func `The last thousand starts are kept`() throws {
    let store = try Store(path: folder.file())
    try begin(3, in: store)
    try store.database.execute("UPDATE start SET run = 1000 WHERE run = 3")
    try store.database.execute("UPDATE sqlite_sequence SET seq = 1000 WHERE name = 'run'")
    try begin(1, in: store)
    #expect(try store.starts().map(\.run) == [2, 1000, 1001])
    #expect(Store.keptStarts == 1000)
  }
}
