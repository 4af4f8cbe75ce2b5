import Foundation
import Testing
import TouchModel
import TouchgridAPI

/// Messages of the built daemon while its disk fails.
@Suite struct StoreTroubleTests {
  @Test func `A failure of the store is logged once, and so is its end`() throws {
    let daemon = try RunningDaemon()
    var client = try daemon.client()
    func store() throws -> API.Store { try client.call(API.GetStatus()).store }
    func lines(_ text: String) -> Int { daemon.log.components(separatedBy: text).count - 1 }
    // Simulate a disk that does not respond: another program holds a lock on the database.
    let blocker = Process()
    let (input, output) = (Pipe(), Pipe())
    blocker.executableURL = URL(filePath: "/usr/bin/env")
    blocker.arguments = [
      "python3", "-c",
      """
      import sqlite3, sys
      store = sqlite3.connect(sys.argv[1], isolation_level=None)
      store.execute("BEGIN IMMEDIATE")
      print("held", flush=True)
      sys.stdin.read()
      """, daemon.store,
    ]
    (blocker.standardInput, blocker.standardOutput) = (input, output)
    try blocker.run()
    defer { blocker.terminate() }
    try #require(output.fileHandleForReading.read(upToCount: 5) == Data("held\n".utf8))

    _ = try client.call(API.BeginSession())
    _ = try client.call(API.EndSession())
    try #require(try within(seconds: 30) { try store().busyForMs ?? 0 > 1000 })
    #expect(try store().waitingBytes > 0)
    // Wait until the write has failed, is tried again, and has failed again.
    for isBusy in [false, true, false] {
      try #require(try within(seconds: 30) { try (store().busyForMs != nil) == isBusy })
    }
    let failing = try store()
    #expect(failing.error != nil && failing.waitingBytes > 0 && failing.givenUp == 0)
    #expect(lines("kept in memory and written when the store is available again") == 1)
    #expect(lines("can be written again") == 0)

    try input.fileHandleForWriting.close()
    try #require(try within(seconds: 60) { try store().error == nil })
    let well = try store()
    #expect(well.busyForMs == nil && well.waitingBytes == 0)
    try daemon.waitForLog("can be written again")
    #expect(lines("can be written again") == 1)
    #expect(try client.call(API.ListSessions()).sessions.map(\.end) == [.client])
  }
}
