import Glibc
import TestSupport
import Testing
import TouchgridAPI
import Varlink

/// The calls that `TouchgridConnection` sends to a `StubDaemon`, and their order.
@Suite struct ConnectionOrderTests {
  private let folder = try? TemporaryFolder()
  private let pin = API.Mask(screen: "pin")
  private let pay = API.Mask(screen: "pay")

  private static let done = StubDaemon.Answer.reply(API.NoReply())

  @Test func `An app adds every mask before the first name, and asks for nothing first`() throws {
    let daemon = try StubDaemon(
      in: try #require(folder), ["AddMask": Self.done, "SetScreen": Self.done])
    let connection = try TouchgridConnection(
      path: daemon.path, masks: [pay, pin], timeout: .seconds(30))
    try connection.show("menu")
    try connection.show("pin")
    #expect(daemon.called == ["AddMask", "AddMask", "SetScreen", "SetScreen"])
  }

  @Test func `A follower adds its masks before the first name, even those of the configuration`()
    throws
  {
    let configured = [pay]
    let daemon = try StubDaemon(
      in: try #require(folder),
      [
        "Follow": Self.done, "AddMask": Self.done, "SetScreen": Self.done,
        "GetMasks": .reply(SampleReplies.masks(configured: configured)),
      ])
    let connection = try TouchgridConnection(
      path: daemon.path, masks: [pay, pin], follows: true, timeout: .seconds(30))
    try connection.show("menu")
    try connection.show("pin")
    #expect(
      daemon.called == ["Follow", "GetMasks", "AddMask", "AddMask", "SetScreen", "SetScreen"])
  }

  @Test func `A call fails as long as the pause cannot be brought back`() throws {
    let daemon = try StubDaemon(
      in: try #require(folder),
      [
        "Pause": .fault(API.LimitReached("pauses", limit: 256, hint: "end one")),
        "SetScreen": Self.done,
      ])
    let connection = try TouchgridConnection(path: daemon.path, timeout: .seconds(30))
    #expect(throws: TouchgridError.self) { try connection.call(API.Pause()) }
    connection.drop(.closed)
    for _ in 0..<2 {
      #expect(throws: TouchgridError.self) { try connection.show("menu") }
    }
    #expect(!daemon.called.contains("SetScreen"))
  }

  @Test func `Without room for a mask, recording is paused, and stays so`() throws {
    let daemon = try StubDaemon(
      in: try #require(folder),
      [
        "AddMask": .fault(API.LimitReached("masks", limit: 256, hint: "remove one")),
        "Pause": .reply(API.Pause.Reply(isPaused: true)),
        "SetScreen": Self.done,
      ])
    let connection = try TouchgridConnection(
      path: daemon.path, masks: [pin], timeout: .seconds(30))
    try connection.show("menu")
    #expect(connection.missingMasks == [pin])
    for _ in 0..<2 {
      let error = #expect(throws: TouchgridError.self) { try connection.call(API.Resume()) }
      #expect(error?.as(API.LimitReached.self)?.limit == 256)
    }
    #expect(throws: TouchgridError.self) { try connection.call(API.Pause(durationMs: 10)) }
    // Each call tries to add the mask again.
    #expect(daemon.called.filter { $0 != "AddMask" } == ["Pause", "SetScreen"])
  }

  @Test func `The timeout is that of a whole call, with connecting and all masks`() throws {
    let daemon = try StubDaemon(
      in: try #require(folder),
      [
        "AddMask": .asked { _ in
          usleep(150_000)
          return Self.done
        }, "SetScreen": Self.done,
      ])
    let masks = (0..<10).map { API.Mask(screen: "\($0)") }
    let connection = try TouchgridConnection(
      path: daemon.path, masks: masks, timeout: .milliseconds(500))
    #expect(throws: TouchgridError.self) { try connection.show("menu") }
    // Each answer by itself comes in time.
    #expect(daemon.called.count < masks.count && !daemon.called.contains("SetScreen"))
  }

  @Test func `After a refused mask the connection ends and makes no further attempt`() throws {
    let daemon = try StubDaemon(
      in: try #require(folder), ["AddMask": .fault(API.NotPermitted(.app, group: "kiosk-app"))])
    let connection = try TouchgridConnection(
      path: daemon.path, masks: [pin], timeout: .seconds(30))
    let error = #expect(throws: TouchgridError.self) { try connection.show("pin") }
    #expect(error?.as(API.NotPermitted.self)?.group == "kiosk-app")
    #expect(daemon.called == ["AddMask"])
    #expect(connection.next() == nil)
  }

  @Test func `A daemon that does not answer is given up after the time-out`() throws {
    let daemon = try StubDaemon(in: try #require(folder), ["AddMask": .silence])
    let connection = try TouchgridConnection(
      path: daemon.path, masks: [pin], timeout: .milliseconds(200))
    let error = #expect(throws: TouchgridError.self) { try connection.show("pin") }
    guard case .timedOut = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(daemon.called == ["AddMask"])
  }

  @Test func `An error of a call leaves the connection as it is, unless the app drops it`() throws {
    let daemon = try StubDaemon(
      in: try #require(folder),
      [
        "EndSession": .fault(API.NoSession()),
        "SetScreen": .fault(API.TooLate(lateUs: 300_000, limitUs: 250_000)),
      ])
    let connection = try TouchgridConnection(path: daemon.path, timeout: .seconds(30))
    let error = #expect(throws: TouchgridError.self) { try connection.call(API.EndSession()) }
    #expect(error?.as(API.NoSession.self) != nil && error?.as(API.TooLate.self) == nil)
    #expect(connection.isConnected)
    // `show` repeats a call that was too late, without the time of the change. This daemon refuses
    // that call too.
    let late = #expect(throws: TouchgridError.self) { try connection.show("menu") }
    #expect(late?.as(API.TooLate.self)?.limitUs == 250_000)
    #expect(daemon.called == ["EndSession", "SetScreen", "SetScreen"])
    connection.drop(try #require(late))
    guard case .lost(_, let advice)? = connection.next() else {
      return #expect(Bool(false), "the loss is not reported")
    }
    #expect(advice.hasSuffix("(trying again)"))
  }
}
