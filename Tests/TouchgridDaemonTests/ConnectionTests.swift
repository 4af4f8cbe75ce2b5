import Foundation
import TestSupport
import Testing
import TouchgridAPI

/// `TouchgridConnection` with the built daemon.
@Suite struct ConnectionTests {
  private let keypad = API.Mask(
    screen: "checkout/pin",
    rectangle: API.Rectangle(x: 0, y: 300, width: 480, height: 500))

  /// Waits for the next event of the connection, as an event loop does: with `poll` on its
  /// descriptor. The limit is ten times `seconds`, because a busy machine may be that much slower.
  private func event(
    of connection: TouchgridConnection, within seconds: Int64 = 30
  ) throws -> TouchgridConnection.Event {
    let end = ContinuousClock.now + .seconds(10 * seconds)
    while ContinuousClock.now < end {
      if let event = connection.next() { return event }
      var wait = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&wait, 1, 1000)
    }
    throw Failure.noEvent
  }

  private enum Failure: Error { case noEvent }

  /// Reads the reply to a call that was started.
  private func answer<M: TouchgridAPI.Method>(
    to method: M.Type, on connection: TouchgridConnection
  ) throws -> M.Reply {
    try #require(try connection.receive(method, within: .seconds(30))).reply
  }

  private func isConnected(_ event: TouchgridConnection.Event) -> Bool {
    if case .connected = event { true } else { false }
  }

  @Test func `A restarted daemon has the masks again before the connection is reported`() throws {
    let daemon = try RunningDaemon(playing: taps(600))
    let connection = try TouchgridConnection(path: daemon.socket, masks: [keypad])
    #expect(isConnected(try event(of: connection)))
    #expect(try daemon.call(API.GetMasks()).added == [keypad])
    try connection.start(API.SetScreen(name: "menu"))
    _ = try answer(to: API.SetScreen.self, on: connection)
    #expect(try daemon.call(API.GetScreen()).screen == "menu")

    try daemon.stop()
    guard case .lost(let reason, let advice) = try event(of: connection) else {
      return #expect(Bool(false), "the loss is not reported")
    }
    guard case .closed = reason else { throw reason }
    #expect(advice.hasPrefix("lost the connection to the daemon at \(daemon.socket): trying again"))
    #expect(!connection.isConnected)
    #expect(throws: TouchgridError.self) { try connection.start(API.Pause()) }
    guard case .lost(.system, let absence) = try event(of: connection) else {
      throw Failure.noEvent
    }
    #expect(absence.hasPrefix("no daemon at \(daemon.socket): trying again; 'touchgridd --socket"))

    try daemon.start()
    while !isConnected(try event(of: connection)) {}
    #expect(try daemon.call(API.GetMasks()).added == [keypad])
    #expect(try daemon.call(API.GetScreen()).screen == "default")
  }

  @Test func `A call finds a daemon that was restarted, and adds the masks first`() throws {
    let daemon = try RunningDaemon(playing: taps(600))
    let connection = try TouchgridConnection(
      path: daemon.socket, masks: [keypad], timeout: .seconds(30))
    try connection.show("menu")
    #expect(try daemon.call(API.GetScreen()).screen == "menu")
    try daemon.stop()
    do throws(TouchgridError) {
      try connection.show("nowhere")
      Issue.record("no error")
    } catch {
      guard case .system = error else { throw error }
    }
    try daemon.start()
    #expect(try daemon.call(API.GetMasks()).added == [])
    try connection.show("checkout/pin")
    #expect(try daemon.call(API.GetMasks()).added == [keypad])
    #expect(try daemon.call(API.GetScreen()).screen == "checkout/pin")

    // Restart the daemon between two calls.
    try daemon.stop()
    try daemon.start()
    #expect(try connection.call(API.Pause()).isPaused)
    #expect(try daemon.call(API.GetMasks()).added == [keypad])
    #expect(try daemon.call(API.GetScreen()).screen == "checkout/pin")
  }

  @Test func `Without room for a mask nothing is recorded until there is room`() throws {
    let daemon = try RunningDaemon(playing: taps(600))
    var other = try daemon.client()
    for number in 0..<256 {
      _ = try other.call(API.AddMask(mask: API.Mask(screen: "screen \(number)")))
    }
    let connection = try TouchgridConnection(
      path: daemon.socket, masks: [keypad], timeout: .seconds(30))
    #expect(isConnected(try event(of: connection)))
    #expect(connection.missingMasks == [keypad])
    func pauses() throws -> Int { try other.call(API.GetStatus()).pauses }
    #expect(try pauses() == 1)
    try connection.show("checkout/pin")
    #expect(try daemon.call(API.GetScreen()).screen == "checkout/pin" && pauses() == 1)

    _ = try other.call(API.RemoveMask(mask: API.Mask(screen: "screen 7")))
    try connection.show("menu")
    #expect(connection.missingMasks.isEmpty)
    #expect(try daemon.call(API.GetMasks()).added.contains(keypad) && pauses() == 0)
  }

  @Test func `After a restart, calls bring back the pause and the name of the screen`() throws {
    let daemon = try RunningDaemon(playing: taps(600))
    let connection = try TouchgridConnection(
      path: daemon.socket, masks: [keypad], timeout: .seconds(30))
    try connection.show("checkout/pin")
    _ = try connection.call(API.Pause())
    try daemon.stop()
    try daemon.start()
    #expect(try connection.call(API.GetStatus()).pauses == 1)
    #expect(try daemon.call(API.GetScreen()).screen == "checkout/pin")
    _ = try connection.call(API.Resume())
    try daemon.stop()
    try daemon.start()
    #expect(try connection.call(API.GetStatus()).pauses == 0)
  }

  @Test func `An app that reads no reply still finds a daemon that was restarted`() throws {
    let daemon = try RunningDaemon(playing: taps(600))
    let connection = try TouchgridConnection(
      path: daemon.socket, masks: [keypad], timeout: .milliseconds(300))
    #expect(isConnected(try event(of: connection)))
    try connection.start(API.SetScreen(name: "menu"))
    try daemon.stop()
    guard case .lost = try event(of: connection) else { throw Failure.noEvent }
    try daemon.start()
    while !isConnected(try event(of: connection)) {}
    #expect(try daemon.call(API.GetMasks()).added == [keypad])
  }
}
