import Testing

@testable import TouchModel

/// The screen that is shown after the client that named it has disconnected.
@Suite struct ForgottenNamesTests {
  private let one = ClientID(1)
  private let other = ClientID(2)
  private let keypad = Mask(screen: "pin", rectangle: Rectangle(x: 0, y: 0, width: 64, height: 64))

  private func say(
    _ name: String, by namer: ClientID?, ago milliseconds: Int64 = 0, display: String? = nil,
    _ kiosk: inout Kiosk
  ) throws {
    try kiosk.recorder.setScreen(
      name, display: display, changed: kiosk.now.monotonic + -milliseconds * 1000, by: namer,
      at: kiosk.now)
  }

  @Test
  func `Displays with the client's name become default, those of other clients stay`() throws {
    var kiosk = Kiosk()
    _ = try kiosk.add(.test())
    _ = try kiosk.add(.test(display: "B"))
    try say("menu", by: one, &kiosk)
    try say("game", by: other, display: "B", &kiosk)
    kiosk.pass(1000)
    let gone = kiosk.recorder.forgetNames(of: one, at: kiosk.now)
    #expect(gone.displays.count == 1 && gone.isForgotten)
    #expect(kiosk.recorder.screen(of: gone.displays[0]) == "default")
    #expect(kiosk.recorder.screen(of: "B") == "game")
    _ = try kiosk.add(.test(display: "C"))
    #expect(kiosk.recorder.screen(of: "C") == "default")
    #expect(kiosk.recorder.forgetNames(of: one, at: kiosk.now).displays == [])
  }

  @Test
  func `The shown name belongs to the client with the latest change, not the latest call`() throws {
    var kiosk = Kiosk()
    _ = try kiosk.add(.test())
    kiosk.pass(1000)
    try say("game", by: other, &kiosk)
    try say("menu", by: one, ago: 100, &kiosk)
    #expect(kiosk.recorder.forgetNames(of: one, at: kiosk.now).displays == [])
    #expect(kiosk.recorder.screen(of: nil) == "game")
  }

  @Test func `A late name replaces the default, and its mask applies`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    try kiosk.mask(Mask(screen: "pay"))
    try say("menu", by: one, &kiosk)
    kiosk.pass(2000)
    let reset = kiosk.now
    kiosk.pass(20)
    kiosk.land(panel)
    _ = kiosk.recorder.forgetNames(of: one, at: reset)
    kiosk.pass(30)
    kiosk.finish(panel)
    try say("pay", by: other, ago: 80, &kiosk)
    #expect(kiosk.recorder.screen(of: nil) == "pay")
    kiosk.pass(1000)
    kiosk.stop()
    #expect(kiosk.finals.first?.totals.masked == 1)
  }

  @Test func `A screen with a mask stays shown until it has none`() throws {
    var kiosk = Kiosk()
    _ = try kiosk.add(.test())
    try kiosk.mask(keypad)
    try say("pin", by: one, &kiosk)
    let gone = kiosk.recorder.forgetNames(of: one, at: kiosk.now)
    #expect(gone.displays == [] && !gone.isForgotten)
    #expect(kiosk.recorder.screen(of: nil) == "pin")
    try kiosk.mask()
    #expect(kiosk.recorder.forgetNames(of: one, at: kiosk.now).isForgotten)
    #expect(kiosk.recorder.screen(of: nil) == "default")
  }

  @Test func `The screen default has room even in a session with all its screens`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    try say("screen 0", by: one, &kiosk)
    kiosk.tap(panel)
    kiosk.pass(1000)
    for number in 1..<OpenSession.screenLimit { try say("screen \(number)", by: one, &kiosk) }
    #expect(throws: SessionRecorder.ScreenError.tooManyScreens(limit: OpenSession.screenLimit)) {
      try say("one more", by: one, &kiosk)
    }
    #expect(kiosk.recorder.forgetNames(of: one, at: kiosk.now).isForgotten)
    kiosk.tap(panel)
    kiosk.pass(1000)
    kiosk.stop()
    #expect(kiosk.sum(1, "default") == 1)
  }
}
