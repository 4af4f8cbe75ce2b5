import Testing

@testable import TouchModel

/// The numbers by which a client notices that a screen or the masks changed for a moment.
@Suite struct RevisionTests {
  private var kiosk = Kiosk()

  private mutating func name(
    _ screen: String, on display: String? = nil, ago milliseconds: Int64 = 0
  ) throws -> Int64 {
    kiosk.pass(10)
    try kiosk.recorder.setScreen(
      screen, display: display, changed: kiosk.now.monotonic + -milliseconds * 1000,
      by: ClientID(1), at: kiosk.now)
    return kiosk.recorder.screenRevision(of: "DSI-1")
  }

  @Test mutating func `Each change of a screen counts, also one that was shown before`() throws {
    _ = try kiosk.add(.test())
    _ = try kiosk.add(.test(display: "B"))
    let menu = try name("menu")
    // The same again changes nothing, and neither does another display.
    #expect(try name("menu") == menu)
    #expect(try name("pay", on: "B") == menu)
    let pay = try name("pay")
    #expect(pay > menu)
    let again = try name("menu")
    #expect(again > pay)
    // The screen is the same as before, but another was shown meanwhile.
    _ = try name("menu", ago: 2)
    let late = try name("pay", ago: 15)
    #expect(late > again && kiosk.recorder.screen(of: "DSI-1") == "menu")
  }

  @Test mutating func `A forgotten name counts, and so does a display that comes again`() throws {
    let panel = try kiosk.add(.test())
    let menu = try name("menu")
    _ = kiosk.recorder.forgetNames(of: ClientID(1), at: kiosk.now)
    let forgotten = kiosk.recorder.screenRevision()
    #expect(forgotten > menu && kiosk.recorder.screen() == "default")
    _ = kiosk.recorder.forgetNames(of: ClientID(1), at: kiosk.now)
    #expect(kiosk.recorder.screenRevision() == forgotten)
    kiosk.recorder.removeDevice(panel, at: kiosk.now)
    _ = try kiosk.add(.test())
    #expect(kiosk.recorder.screenRevision() > forgotten)
  }

  @Test mutating func `A mask that is removed again counts`() throws {
    _ = try kiosk.add(.test())
    let before = kiosk.recorder.maskRevision
    try kiosk.mask(Mask(screen: "menu"))
    let masked = kiosk.recorder.maskRevision
    #expect(masked > before)
    try kiosk.mask(Mask(screen: "menu"))
    #expect(kiosk.recorder.maskRevision == masked)
    try kiosk.mask()
    #expect(kiosk.recorder.maskRevision > masked)
  }
}
