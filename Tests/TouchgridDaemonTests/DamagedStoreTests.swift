import Foundation
import TestSupport
import Testing
import TouchgridAPI

/// The built daemon with a store that it cannot use.
@Suite struct DamagedStoreTests {
  @Test func `A damaged store is replaced, and the status gives its new path`() throws {
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
    #expect(status.store.error == nil)
    #expect(
      try within(seconds: 20) { try client.call(API.GetStatus()).store.busyForMs == nil })
    #expect(daemon.log.contains("touchgrid store recover \(aside)"))
    try daemon.stop()
    // The new store works normally.
    try daemon.start()
    var other = try daemon.client()
    let later = try other.call(API.GetStatus())
    #expect(later.store.movedAside == nil)
  }

  @Test func `A store that is deleted during operation is replaced with the next session`() throws {
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

  @Test func `A file put in the store's place stays, and no later session is lost`() throws {
    let daemon = try RunningDaemon()
    var client = try daemon.client()
    _ = try client.call(API.BeginSession())
    _ = try client.call(API.EndSession())
    #expect(try client.call(API.ListSessions()).sessions.map(\.id) == [1])
    let away = daemon.folder.path("away.db")
    try FileManager.default.moveItem(atPath: daemon.store, toPath: away)
    let notes = Data("My notes: nobody else's.\n".utf8)
    try notes.write(to: URL(filePath: daemon.store))
    _ = try client.call(API.BeginSession())
    _ = try client.call(API.EndSession())
    let isTold = try within(seconds: 10) {
      try client.call(API.GetStatus()).store.error?.contains("not a store") == true
    }
    #expect(isTold, "\(daemon.log)")
    // With a further session, the daemon tries to write again.
    _ = try client.call(API.BeginSession())
    _ = try client.call(API.EndSession())
    _ = try? client.call(API.ListSessions())
    let stays = try Data(contentsOf: URL(filePath: daemon.store)) == notes
    let names = try daemon.folder.names
    #expect(
      stays && !names.contains { $0.contains(".damaged-") || $0.contains(".new-") }, "\(names)")
    #expect(daemon.log.contains("Move that file away"), "\(daemon.log)")
    try FileManager.default.removeItem(atPath: daemon.store)
    // It tries again within a minute.
    try daemon.pass(seconds: 60)
    let isWell = try within(seconds: 20) { try client.call(API.GetStatus()).store.error == nil }
    #expect(isWell, "\(daemon.log)")
    #expect(try client.call(API.ListSessions()).sessions.map(\.id) == [2, 3])
    try daemon.stop()
  }
}
