import TestSupport
import Testing
import TouchgridAPI
import Varlink

/// What `TouchgridConnection` sends, as a daemon with prepared answers sees it.
@Suite struct ConnectionOrderTests {
  private let folder = try? TemporaryFolder()
  private let pin = API.Mask(screen: "pin")
  private let pay = API.Mask(screen: "pay")

  private static let done: @Sendable (Call) throws(VarlinkError) -> StubDaemon.Answer = { _ in
    .reply(API.NoReply())
  }

  @Test("The masks that the daemon lacks go before the first name, and those it has do not")
  func order() throws {
    let configured = [pay]
    let daemon = try StubDaemon(
      in: try #require(folder),
      [
        "Follow": Self.done, "AddMask": Self.done, "SetScreen": Self.done,
        "GetMasks": { _ in .reply(API.GetMasks.Reply(configured: configured, added: [])) },
      ])
    let connection = try TouchgridConnection(
      path: daemon.path, masks: [pay, pin], follows: true, timeout: .seconds(30))
    try connection.show("menu")
    try connection.show("pin")
    #expect(daemon.called == ["Follow", "GetMasks", "AddMask", "SetScreen", "SetScreen"])
  }

  @Test("After a refused mask the connection ends, says what to do, and makes no further attempt")
  func refused() throws {
    let daemon = try StubDaemon(
      in: try #require(folder),
      [
        "GetMasks": { _ in .reply(API.GetMasks.Reply(configured: [], added: [])) },
        "AddMask": { _ throws(VarlinkError) in
          throw API.NotPermitted(.app, group: "kiosk-app").varlinkError
        },
      ])
    let connection = try TouchgridConnection(
      path: daemon.path, masks: [pin], timeout: .seconds(30))
    let error = #expect(throws: TouchgridError.self) { try connection.show("pin") }
    #expect(error?.as(API.NotPermitted.self)?.group == "kiosk-app")
    #expect(daemon.called == ["GetMasks", "AddMask"])
    #expect(connection.next() == nil)
  }

  @Test("A daemon that does not answer is given up after the time-out")
  func silence() throws {
    let daemon = try StubDaemon(in: try #require(folder), ["GetMasks": { _ in .silence }])
    let connection = try TouchgridConnection(
      path: daemon.path, masks: [pin], timeout: .milliseconds(200))
    let error = #expect(throws: TouchgridError.self) { try connection.show("pin") }
    guard case .timedOut = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(daemon.called == ["GetMasks"])
  }

  @Test("An error of a call leaves the connection as it is, unless the app drops it")
  func fault() throws {
    let daemon = try StubDaemon(
      in: try #require(folder),
      [
        "EndSession": { _ throws(VarlinkError) in throw API.NoSession().varlinkError },
        "SetScreen": { _ throws(VarlinkError) in
          throw API.TooLate(lateUs: 300_000, limitUs: 250_000).varlinkError
        },
      ])
    let connection = try TouchgridConnection(path: daemon.path, timeout: .seconds(30))
    let error = #expect(throws: TouchgridError.self) { try connection.call(API.EndSession()) }
    #expect(error?.as(API.NoSession.self) != nil && error?.as(API.TooLate.self) == nil)
    #expect(connection.isConnected)
    // The name is sent again without its time.
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
