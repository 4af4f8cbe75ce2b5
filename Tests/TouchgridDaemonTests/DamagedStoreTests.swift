import Foundation
import Testing
import TouchgridAPI

/// What the built daemon does with a store that it cannot go on with.
@Suite struct DamagedStoreTests {
  @Test func aDamagedStoreGivesWayAndItsPathIsTold() throws {
    let daemon = try RunningDaemon()
    try daemon.stop()
    var bytes = try Data(contentsOf: URL(filePath: daemon.store))
    bytes.replaceSubrange(0..<100, with: Data(repeating: 0x55, count: 100))
    try bytes.write(to: URL(filePath: daemon.store))
    try daemon.start()
    var client = try daemon.client()
    let status = try client.call(API.GetStatus())
    let aside = try #require(status.store.movedAside)
    #expect(aside.hasPrefix(daemon.store + ".damaged-"))
    #expect(try Data(contentsOf: URL(filePath: aside)) == bytes)
    #expect(status.store.error == nil && status.store.busyForMs == nil)
    #expect(daemon.log.contains("touchgrid store recover \(aside)"))
    try daemon.stop()
    // The new one is as good as any.
    try daemon.start()
    var other = try daemon.client()
    let later = try other.call(API.GetStatus())
    #expect(later.store.movedAside == nil)
  }

  @Test("A store that is deleted while the daemon writes is noticed with the next session")
  func deleted() throws {
    let daemon = try RunningDaemon()
    var client = try daemon.client()
    func visit() throws -> [Int64] {
      _ = try client.call(API.BeginSession())
      _ = try client.call(API.EndSession())
      return try client.call(API.ListSessions()).sessions.map(\.id)
    }
    #expect(try visit() == [1])
    try FileManager.default.removeItem(atPath: daemon.store)
    #expect(try visit() == [2])
    #expect(daemon.log.contains("deleted or moved while it was in use"), "\(daemon.log)")
    let status = try client.call(API.GetStatus()).store
    #expect(status.error == nil && status.movedAside == nil && status.bytes > 0)
    try daemon.stop()
    try daemon.start()
    client = try daemon.client()
    #expect(try client.call(API.ListSessions()).sessions.map(\.id) == [2])
    #expect(try visit() == [2, 3])
  }

  @Test(
    "A newer store, or another program's database, stays as it is, and a restart would not help")
  func refused() throws {
    for pragma in ["user_version = 99", "application_id = 7"] {
      let daemon = try RunningDaemon()
      try daemon.stop()
      let change = Process()
      change.executableURL = URL(filePath: "/usr/bin/env")
      change.arguments = [
        "python3", "-c",
        "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA \(pragma)')",
        daemon.store,
      ]
      try change.run()
      change.waitUntilExit()
      let before = try Data(contentsOf: URL(filePath: daemon.store))
      try daemon.launch()
      try #require(!daemon.process.isRunning)
      #expect(daemon.process.terminationStatus == 65, "\(daemon.log)")
      #expect(daemon.log.contains("Nothing was changed"))
      #expect(try Data(contentsOf: URL(filePath: daemon.store)) == before)
    }
  }
}
