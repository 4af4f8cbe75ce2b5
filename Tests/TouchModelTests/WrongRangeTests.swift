import Testing

@testable import TouchModel

/// Axes whose driver declares a smaller range than it sends.
@Suite struct WrongRangeTests {
  @Test func `A wrong range is named with the values sent, and a finger at the bezel is none`()
    throws
  {
    let range = Placement.Range(minimum: 0, maximum: 271)
    for sent in [3...276, -5...271, 0...0] as [ClosedRange<Int32>] {
      #expect(WrongRange(.y, range, isConfigured: false, sent: sent) == nil)
    }
    let wrong = try #require(WrongRange(.y, range, isConfigured: false, sent: 5...470))
    #expect(
      wrong.text.hasPrefix("its y axis sends values up to 470, but its driver says 0 to 271:"))
    #expect(wrong.remedy.contains("y = [0, 470]") && wrong.remedy.contains("EVDEV_ABS_"))
    let both = try #require(WrongRange(.x, range, isConfigured: true, sent: (-90)...900))
    #expect(both.text.contains("down to -90 and up to 900, but the configuration says"))
    #expect(WrongRange(.x, range, isConfigured: false, sent: .min ... .max) != nil)
  }

  @Test func `A recorder knows how far counted touches were clamped, and no masked ones`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    try kiosk.mask(Mask(screen: "pin"))
    try kiosk.show("pin")
    kiosk.tap(panel, 100, 9000)
    kiosk.pass(1000)
    try kiosk.show("menu")
    kiosk.tap(panel, 4095, 4095)
    kiosk.pass(1000)
    #expect(kiosk.recorder.tally(of: panel).clampedExtent == nil)
    kiosk.down(panel, 0, 50, 4000)
    kiosk.move(panel, 0, 60, 7000)
    kiosk.move(panel, 0, 60, 6000)
    kiosk.move(panel, 0, 70, 8000)
    kiosk.up(panel)
    kiosk.tap(panel, -8, 100)
    kiosk.pass(1000)
    let extent = try #require(kiosk.recorder.tally(of: panel).clampedExtent)
    #expect(extent.x == -8...70 && extent.y == 100...8000)
    #expect(kiosk.recorder.totals?.clamped == 4)
  }
}
