import Foundation
import LinuxIO
import Storage
import TestSupport
import Testing
import TouchModel
import TouchgridAPI

@Suite struct MethodTests {
  @Test func `The status has the running session, its totals and the store`() throws {
    let daemon = try RunningDaemon(playing: taps(3000))
    var client = try daemon.client()
    try daemon.pass(seconds: 1)
    let status = try client.call(API.GetStatus())
    let session = try #require(status.session)
    #expect(status.version == touchgridVersion)
    #expect(session.totals.sessionTotals.isBalanced)
    #expect(status.lastTouchAtMs ?? 0 >= session.beganAtMs)
    #expect(status.devices == 1 && status.clients >= 1 && status.pauses == 0)
    #expect(status.store.path == daemon.store && status.store.error == nil)

    let device = try #require(try client.call(API.GetDevices()).devices.first)
    #expect(device.slots == 10 && device.x.maximum == 1023)
    let display = try #require(try client.call(API.GetDisplays()).displays.first)
    #expect(display.devices == [device.key] && display.screen == "default")
    #expect(display.geometry.columns == 64 && display.geometry.rows == 48)
  }

  @Test func `A device has the values beyond its ranges that it has sent`() throws {
    var gestures = Gestures(on: .panel(width: 480, height: 272))
    gestures.drag(from: (20, 20), to: (400, 470))
    gestures.wait(9_000_000)
    gestures.tap(at: (20, 20))
    let daemon = try RunningDaemon(playing: gestures.recording)
    try daemon.pass(seconds: 5)
    var client = try daemon.client()
    let device = try #require(try client.call(API.GetDevices()).devices.first)
    #expect(device.sentX == nil && device.sentY == API.Range(minimum: 0, maximum: 470))
  }

  @Test func `A display shows the screen that was named before its touchscreen came`() throws {
    let recordings = ["first", "second"].map { name in
      var gestures = Gestures(on: .panel(width: 1024, height: 768, name: name))
      gestures.tap(at: (20, 20))
      gestures.wait(5_000_000)
      gestures.tap(at: (20, 20))
      return gestures.recording
    }
    let devices = ["first", "second"].map { "[[device]]\nmatch = '\($0)'\ndisplay = '\($0)'\n" }
    let daemon = try RunningDaemon(
      devices.joined(), playing: recordings[0], then: recordings[1])
    var client = try daemon.client()
    client.fails(API.NoSuchDisplay.self, API.SetScreen(name: "pay", display: "second"))
    try daemon.pass(seconds: 8)
    #expect(try client.call(API.GetScreen(display: "second")).screen == "pay")
  }

  @Test func `Touches in a client's span are swallowed, until its connection ends`() throws {
    let daemon = try RunningDaemon(playing: taps(3000))
    var client = try daemon.client()
    var other = try daemon.client()
    func totals() throws -> API.Totals {
      try #require(try client.call(API.GetStatus()).session).totals
    }
    try daemon.pass(seconds: 1)
    other.fails(API.InvalidValue.self, API.Swallow(sinceAtUs: 2, untilAtUs: 1, isUse: true))
    other.fails(API.InvalidValue.self, API.Swallow(display: "", sinceAtUs: 2, isUse: true))
    #expect(try totals().swallowed == 0)
    _ = try other.call(API.Swallow(sinceAtUs: daemon.now, isUse: true))
    let before = try totals()
    try daemon.pass(seconds: 3)
    #expect(try totals().swallowed >= 5 && totals().counted - before.counted <= 3)
    other = try daemon.client()
    try daemon.pass(seconds: 1)
    let after = try totals()
    try daemon.pass(seconds: 3)
    let last = try totals()
    #expect(last.swallowed == after.swallowed && last.counted >= after.counted + 5)
    #expect(last.sessionTotals.isBalanced)
  }

  @Test func `Sessions are begun, tagged, ended, listed and drawn`() throws {
    let daemon = try RunningDaemon("[session]\nmode = \"manual\"\n", playing: taps(3000))
    var client = try daemon.client()
    client.fails(API.NoSession.self, API.EndSession())
    let first = try client.call(API.BeginSession(tags: ["build": "1.4"])).session
    _ = try client.call(API.TagSession(tags: ["place": "hall"]))
    try daemon.pass(seconds: 2)
    #expect(try client.call(API.EndSession()).session == first)
    try daemon.pass(seconds: 5)
    let session = try #require(try client.call(API.ListSessions()).sessions.first)
    #expect(session.end == .client && session.totals.counted >= 2)
    #expect(session.tags == ["build": "1.4", "place": "hall"])
    #expect(session.totals.sessionTotals.isBalanced)
    let grids = try client.call(API.GetGrids(session: first)).grids
    #expect(grids.reduce(0) { $0 + $1.sum.reduce(0, +) } == session.totals.counted)
    // The same query with several replies.
    #expect(try client.replies(to: API.GetGrids(session: first)).flatMap(\.grids) == grids)
    #expect(try client.call(API.ListScreens()).screens.map(\.screen) == ["default"])

    client.fails(API.NoSuchSession.self, API.GetGrids(session: 99))

    let next = try client.call(API.BeginSession(tags: ["build": "1.5"])).session
    let hour = Int64(Day.localHour(of: WallTime(milliseconds: session.beganAtMs)))
    let (now, later) = (
      API.HourRange(from: hour, until: hour + 1), API.HourRange(from: (hour + 1) % 24, until: hour)
    )
    // A running session is listed by the hour at which it began, which may be the next one by now.
    #expect(
      try client.call(API.ListSessions(hours: now)).sessions.count
        + client.call(API.ListSessions(hours: later)).sessions.count == 2)
    #expect(
      try client.call(API.ListSessions(tags: ["build": "1.5"])).sessions.map(\.id) == [next])
    let days = try client.call(API.ListDays()).days
    #expect(days.reduce(0) { $0 + $1.sessions } == 2)
    let hours = days.flatMap { $0.hours ?? [] }
    #expect(hours.reduce(0, +) == 2)
    #expect(try client.replies(to: API.ListDays()).flatMap(\.days).map(\.day) == days.map(\.day))
    let day = try #require(days.first).day
    #expect(try client.call(API.GetGrids(day: day)).grids == grids)
    #expect(try client.call(API.GetGrids(day: "2001-02-03")).grids.isEmpty)
  }

  @Test func `Grids list their masks, live and later`() throws {
    let daemon = try RunningDaemon(Keypad.display, playing: taps(3000, every: 50_000))
    var client = try daemon.client()
    let keypad = API.Rectangle(x: 500, y: 700, width: 2000, height: 20)
    _ = try client.call(API.AddMask(mask: API.Mask(screen: "default", rectangle: keypad)))
    let clipped = API.Rectangle(x: 500, y: 700, width: 524, height: 20)
    try daemon.pass(seconds: 1)
    #expect(try client.call(API.GetGrids(live: true)).grids.first?.masks == [clipped])
    try daemon.stop()
    let summaries = try Store(reading: daemon.store).grids(
      screen: nil, layer: .taps, in: .always)
    #expect(summaries.first?.masks.map { API.Rectangle($0) } == [clipped])
  }

  @Test func `A list without elements is one reply with an empty array`() throws {
    let daemon = try RunningDaemon()
    var client = try daemon.client()
    let past = API.Span(since: nil, until: WallTime(milliseconds: 0))
    #expect(try client.call(API.ListSessions(span: past)).sessions.isEmpty)
    #expect(try client.replies(to: API.ListSessions(span: past)).map(\.sessions) == [[]])
    #expect(try client.replies(to: API.GetGrids(span: past)).map(\.grids) == [[]])
    #expect(try client.replies(to: API.ListScreens(span: past)).map(\.screens) == [[]])
    #expect(try client.replies(to: API.ListDays(span: past)).map(\.days) == [[]])
  }

  @Test func `A display is turned while touches are down`() throws {
    let daemon = try RunningDaemon(Keypad.display, playing: taps(3000, every: 50_000))
    var client = try daemon.client()
    let name = try #require(try client.call(API.GetDisplays()).displays.first?.name)
    let turned = try client.call(API.SetDisplay(name: name, rotation: 90)).display
    #expect(turned.geometry.width == 768 && turned.geometrySource == .client)
    #expect(try client.call(API.SetDisplay(name: name, scale: 2)).display.geometry.height == 512)
    let reset = try client.call(API.SetDisplay(name: name)).display
    #expect(reset.geometry.width == 1024 && reset.geometrySource != .client)
    _ = try client.call(API.SetDisplay(name: name, scale: 2, rotation: 90))
    try daemon.pass(seconds: 1)
    #expect(
      try client.call(API.GetGrids(live: true)).grids.contains {
        $0.geometry == turned.geometry || $0.geometry.columns == 24 && $0.touches > 0
      })
  }

  @Test func `A compositor's mode gives a display its size, within limits`() throws {
    let daemon = try RunningDaemon(playing: taps(3000))
    var client = try daemon.client()
    let name = try #require(try client.call(API.GetDisplays()).displays.first?.name)
    _ = try client.call(API.SetDisplayMode(name: name, pixelWidth: 640, pixelHeight: 400))
    let display = try #require(try client.call(API.GetDisplays()).displays.first)
    #expect(display.geometry.pixelWidth == 640 && display.geometrySource == .client)
    for (width, height, parameter) in [(0, 9, "pixelWidth"), (9, 16_385, "pixelHeight")] {
      let error = client.fails(
        API.InvalidValue.self,
        API.SetDisplayMode(name: name, pixelWidth: width, pixelHeight: height))
      #expect(error?.parameter == parameter)
    }
    for number in 1..<16 {
      _ = try client.call(
        API.SetDisplayMode(name: "HDMI-A-\(number)", pixelWidth: 9, pixelHeight: 9))
    }
    client.fails(
      API.LimitReached.self, API.SetDisplayMode(name: "DP-1", pixelWidth: 9, pixelHeight: 9))
    // The limit does not affect other clients.
    var other = try daemon.client()
    _ = try other.call(API.SetDisplayMode(name: name, pixelWidth: 800, pixelHeight: 600))
    let shown = try client.call(API.GetDisplays()).displays.first?.geometry.pixelWidth
    #expect(shown == 800)
    _ = try client.call(API.SetDisplayMode(name: "HDMI-A-1"))
    _ = try client.call(API.SetDisplayMode(name: "DP-1", pixelWidth: 9, pixelHeight: 9))
  }

  @Test func `A display with a masked rectangle in the configuration cannot be turned`() throws {
    let rectangle = "screen = 'pin'\nx = 512\ny = 0\nwidth = 512\nheight = 768\n"
    let daemon = try RunningDaemon("[[mask]]\n\(rectangle)", playing: taps(3000))
    var client = try daemon.client()
    let name = try #require(try client.call(API.GetDisplays()).displays.first?.name)
    for change in [
      API.SetDisplay(name: name, scale: 2), API.SetDisplay(name: name, rotation: 90),
      API.SetDisplay(name: name, pixelWidth: 99, pixelHeight: 99),
    ] {
      let error = client.fails(API.InvalidValue.self, change)
      #expect(error?.parameter == "name" && error?.value == name)
    }
    #expect(try client.call(API.SetDisplay(name: name)).display.geometry.width == 1024)
    // A rectangle on another display, and an entirely masked screen, do not prevent the change.
    let other = try RunningDaemon(
      "[[mask]]\ndisplay = 'DSI-1'\n\(rectangle)[[mask]]\nscreen = 'code'\n", playing: taps(3000))
    client = try other.client()
    #expect(try client.call(API.SetDisplay(name: name, scale: 2)).display.geometry.width == 512)
  }

  @Test func `Impossible values are refused with typed errors that name the parameter`() throws {
    let daemon = try RunningDaemon(playing: taps(3000))
    var client = try daemon.client()
    let name = try #require(try client.call(API.GetDisplays()).displays.first?.name)
    for screen in ["", String(repeating: "x", count: 129), "a\u{1b}[2J", "a\nb"] {
      let error = client.fails(API.InvalidValue.self, API.SetScreen(name: screen))
      #expect(error?.parameter == "name")
    }
    client.fails(API.NoSuchDisplay.self, API.SetScreen(name: "a", display: "elsewhere"))
    client.fails(API.InvalidValue.self, API.SetScreen(name: "a", display: "a\u{7}"))
    let late = client.fails(API.TooLate.self, API.SetScreen(name: "a", changedAtUs: 1))
    #expect(late?.limitUs == 250_000)
    client.fails(
      API.InvalidValue.self, API.SetScreen(name: "a", changedAtUs: 1_795_000_000_000_000))
    for (change, parameter) in [
      (API.SetDisplay(name: name, rotation: 45), "rotation"),
      (API.SetDisplay(name: name, scale: 0), "scale"),
      (API.SetDisplay(name: name, pixelWidth: 0, pixelHeight: 1), "pixelWidth"),
      (API.SetDisplay(name: name, pixelWidth: 5), "pixelHeight"),
    ] {
      let error = client.fails(API.InvalidValue.self, change)
      #expect(error?.parameter == parameter)
    }
    let many = Dictionary(uniqueKeysWithValues: (0..<33).map { ("\($0)", "") })
    // Refused calls use up nothing: 60 a minute may begin a session.
    for _ in 0..<60 { client.fails(API.LimitReached.self, API.BeginSession(tags: many)) }
    #expect(throws: Never.self) { try client.call(API.BeginSession()) }
    let mask = API.Mask(screen: "pin", rectangle: API.Rectangle(x: 0, y: 0, width: -1, height: 9))
    client.fails(API.InvalidValue.self, API.AddMask(mask: mask))
    client.fails(API.NoSuchMask.self, API.RemoveMask(mask: API.Mask(screen: "pin")))
    client.fails(API.InvalidValue.self, API.Pause(durationMs: 0))
    for (query, parameter) in [
      (API.GetGrids(session: 1, span: API.Span()), "span"),
      (API.GetGrids(session: 1, tags: ["a": "b"]), "tags"),
      (API.GetGrids(session: 1, day: "2026-11-21"), "day"),
      (API.GetGrids(span: API.Span(), day: "2026-11-21"), "span"),
      (API.GetGrids(tags: ["a": "b"], day: "2026-11-21"), "tags"),
      (API.GetGrids(session: 1, live: true), "live"),
      (API.GetGrids(span: API.Span(), live: true), "live"),
      (API.GetGrids(tags: [:], live: true), "live"),
      (API.GetGrids(day: "2026-11-21", live: true), "live"),
      (API.GetGrids(live: true, sessionCountsBelow: 2), "sessionCountsBelow"),
      (API.GetGrids(sessionCountsBelow: 1), "sessionCountsBelow"),
      (API.GetGrids(sessionCountsBelow: 11), "sessionCountsBelow"),
      (API.GetGrids(sessionCountsBelow: -5), "sessionCountsBelow"),
      (API.GetGrids(day: "2026-02-30"), "day"), (API.GetGrids(day: "yesterday"), "day"),
      (API.GetGrids(tags: ["": "b"]), "tags"),
      (API.GetGrids(weekdays: []), "weekdays"), (API.GetGrids(weekdays: [1, 0]), "weekdays"),
      (API.GetGrids(weekdays: [8]), "weekdays"), (API.GetGrids(weekdays: [.min]), "weekdays"),
      (API.GetGrids(weekdays: [1], day: "2026-11-21"), "weekdays"),
      (API.GetGrids(weekdays: [1], live: true), "live"),
      (API.GetGrids(session: 1, hours: API.HourRange(from: 8, until: 12)), "hours"),
      (API.GetGrids(hours: API.HourRange(from: 8, until: 8)), "hours"),
      (API.GetGrids(hours: API.HourRange(from: 0, until: 24)), "hours"),
      (API.GetGrids(hours: API.HourRange(from: 24, until: 4)), "hours"),
      (API.GetGrids(hours: API.HourRange(from: -1, until: .max)), "hours"),
    ] {
      let error = client.fails(API.InvalidValue.self, query)
      #expect(error?.parameter == parameter)
    }
    client.fails(API.InvalidValue.self, API.ListSessions(tags: ["a": "b\u{1b}"]))
    client.fails(API.InvalidValue.self, API.ListSessions(weekdays: []))
    client.fails(API.InvalidValue.self, API.ListDays(weekdays: [0]))
    client.fails(API.InvalidValue.self, API.GetCounts(kind: "flow", weekdays: [9]))
    client.fails(API.InvalidValue.self, API.GetCounts(kind: "flow", session: 1))
    client.fails(API.InvalidValue.self, API.GetCounts(kind: "flow", tags: ["build": "1"]))
    client.fails(API.InvalidValue.self, API.GetCounts(kind: "flow\0"))
    // The refused calls had no effect.
    #expect(try client.call(API.GetScreen()).screen == "default")
  }
}

extension TouchgridClient {
  /// Expects that a call fails with the error `fault`.
  /// - Returns: The error.
  @discardableResult
  mutating func fails<F: Fault>(
    _ fault: F.Type, _ call: some TouchgridAPI.Method,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> F? {
    expect(fault, sourceLocation: sourceLocation) { () throws(TouchgridError) in
      _ = try self.call(call)
    }
  }
}

/// Expects that the call in `body` fails with the error `fault`.
/// - Returns: The error.
@discardableResult
func expect<F: Fault>(
  _ fault: F.Type, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws(TouchgridError) -> Void
) -> F? {
  do throws(TouchgridError) {
    try body()
    Issue.record("no error", sourceLocation: sourceLocation)
  } catch {
    if let fault = error.as(F.self) { return fault }
    Issue.record("\(error)", sourceLocation: sourceLocation)
  }
  return nil
}
