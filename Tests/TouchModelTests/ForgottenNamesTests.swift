import Testing

@testable import TouchModel

/// The screen that is shown after the client that named it has disconnected.
@Suite struct ForgottenNamesTests {
  private let one = ClientID(1)
  private let other = ClientID(2)

  private var kiosk = Kiosk()
  private let panel: Int

  init() throws { panel = try kiosk.add(.test()) }

  private mutating func say(
    _ name: String, by namer: ClientID?, ago milliseconds: Int64 = 0, display: String? = nil
  ) throws {
    try kiosk.recorder.setScreen(
      name, display: display, changed: kiosk.now.monotonic + -milliseconds * 1000, by: namer,
      at: kiosk.now)
  }

  @Test
  mutating func `Displays with the client's name become default, those of other clients stay`()
    throws
  {
    _ = try kiosk.add(.test(display: "B"))
    try say("menu", by: one)
    try say("game", by: other, display: "B")
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
  mutating func `The shown name belongs to the client with the latest change, not the latest call`()
    throws
  {
    kiosk.pass(1000)
    try say("game", by: other)
    try say("menu", by: one, ago: 100)
    #expect(kiosk.recorder.forgetNames(of: one, at: kiosk.now).displays == [])
    #expect(kiosk.recorder.screen(of: nil) == "game")
  }

  @Test mutating func `A late name replaces the default, and its mask applies`() throws {
    try kiosk.mask(Mask(screen: "pay"))
    try say("menu", by: one)
    kiosk.pass(2000)
    let reset = kiosk.now
    kiosk.pass(20)
    kiosk.down(panel)
    _ = kiosk.recorder.forgetNames(of: one, at: reset)
    kiosk.pass(30)
    kiosk.up(panel)
    try say("pay", by: other, ago: 80)
    #expect(kiosk.recorder.screen(of: nil) == "pay")
    kiosk.pass(1000)
    kiosk.stop()
    #expect(kiosk.finals.first?.totals.masked == 1)
  }

  @Test mutating func `The screen default has room even in a session with all its screens`() throws
  {
    try say("screen 0", by: one)
    kiosk.tap(panel)
    kiosk.pass(1000)
    for number in 1..<OpenSession.screenLimit { try say("screen \(number)", by: one) }
    #expect(throws: SessionRecorder.ScreenError.tooManyScreens(limit: OpenSession.screenLimit)) {
      try say("one more", by: one)
    }
    #expect(kiosk.recorder.forgetNames(of: one, at: kiosk.now).isForgotten)
    kiosk.tap(panel)
    kiosk.pass(1000)
    kiosk.stop()
    #expect(kiosk.sum(1, "default") == 1)
  }
}
