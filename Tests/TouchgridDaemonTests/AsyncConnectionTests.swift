import TestSupport
import Testing
import TouchgridAPI
import TouchgridAsync

@Suite struct AsyncConnectionTests {
  @Test func `Calls find a daemon that was restarted, and streams end with it`() async throws {
    let daemon = try RunningDaemon()
    let pin = API.Mask(screen: "pin")
    let connection = try AsyncConnection(path: daemon.socket, masks: [pin], timeout: .seconds(30))
    try await connection.show("menu")
    #expect(try await connection.call(API.GetScreen()).screen == "menu")
    let stream = connection.stream(API.WatchActivity(idleAfterMs: 5000))
    var replies = stream.makeAsyncIterator()
    #expect(try await replies.next() != nil)
    try daemon.stop()
    await #expect(throws: TouchgridError.self) { while try await replies.next() != nil {} }
    try daemon.start()
    try await connection.show("pin")
    #expect(try daemon.call(API.GetMasks()).added == [pin])
    #expect(try daemon.call(API.GetScreen()).screen == "pin")
    // Loops that end early, and those of a task that is cancelled while they wait, leave no client
    // behind.
    for try await _ in connection.stream(API.WatchActivity(idleAfterMs: 5000)) { break }
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let waiting = Task {
      for try await _ in connection.stream(API.WatchActivity(idleAfterMs: 5000)) { begin.yield() }
    }
    for await _ in begun { break }
    waiting.cancel()
    try await waiting.value
    #expect(try within(seconds: 20) { try daemon.call(API.GetStatus()).clients <= 2 })
  }
}
