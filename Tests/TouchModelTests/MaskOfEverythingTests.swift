import Testing

@testable import TouchModel

/// The mask of everything, which holds until a machine is set up.
@Suite struct MaskOfEverythingTests {
  private var kiosk = Kiosk()
  private let panel: Int

  init() throws { panel = try kiosk.add(.test()) }

  private func everything(_ masks: Mask...) throws -> Masks {
    try #require(Masks(masks, coverEverything: true))
  }

  @Test func `It covers every screen on every display`() throws {
    let masks = try everything()
    #expect(!masks.isEmpty && masks.list.isEmpty && masks != Masks())
    #expect(masks.covers(screen: "any", display: "B") && masks.concern("any"))
    #expect(masks.contain(Masks()) && !Masks().contain(masks))
    let pin = try #require(Masks([Mask(screen: "pin")]))
    #expect(!masks.contain(pin) && !pin.contain(masks))
    #expect(try everything(Mask(screen: "pin")).contain(pin))
  }

  @Test mutating func `Touches are only counted, also those that are down when it ends`() throws {
    kiosk.recorder.masks = try everything()
    try kiosk.show("menu")
    for _ in 0..<3 { kiosk.tap(panel) }
    kiosk.down(panel, 0, 500, 500)
    kiosk.pass(1000)
    kiosk.recorder.setMasks(Masks(), at: kiosk.now)
    kiosk.move(panel, 0, 900, 900)
    kiosk.up(panel)
    kiosk.pass(1000)
    kiosk.tap(panel)
    kiosk.stop()
    var totals = SessionTotals()
    (totals.begun, totals.masked, totals.counted) = (5, 4, 1)
    #expect(kiosk.finals.first?.totals == totals)
    #expect(kiosk.sum(1, "menu") == 1)
  }

  @Test func `The record of a screen says that it was masked as a whole until then`() throws {
    var kiosk = Kiosk(SessionRules(mode: .manual))
    let panel = try kiosk.add(.test())
    kiosk.recorder.masks = try everything()
    let session = kiosk.beginSession()
    try kiosk.show("menu")
    kiosk.pass(1000)
    kiosk.recorder.setMasks(Masks(), at: kiosk.now)
    kiosk.pass(1000)
    try kiosk.show("help")
    kiosk.pass(1000)
    kiosk.endSession()
    kiosk.pass(10_000)
    let whole = try #require(Rectangle.whole(kiosk.recorder.placement(of: panel).geometry))
    let views = try #require(kiosk.views[session])
    #expect(views.first { $0.key.screen == "menu" }?.value.masks == [whole])
    #expect(views.first { $0.key.screen == "help" }?.value.masks == [])
  }
}
