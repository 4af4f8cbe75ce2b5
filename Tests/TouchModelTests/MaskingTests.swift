import Testing

@testable import TouchModel

@Suite struct MaskingTests {
  private var kiosk = Kiosk()
  private let panel: Int

  init() throws { panel = try kiosk.add(.test()) }

  @Test func `The recorder remembers that there were masks or pauses`() throws {
    var masked = Kiosk()
    #expect(!masked.recorder.hasHadMasksOrPauses)
    try masked.mask()
    #expect(!masked.recorder.hasHadMasksOrPauses)
    try masked.mask(Mask(screen: "pin"))
    try masked.mask()
    #expect(masked.recorder.hasHadMasksOrPauses)

    var paused = Kiosk()
    paused.pause()
    paused.resume()
    #expect(paused.recorder.hasHadMasksOrPauses)
  }

  @Test mutating func `A touch on a masked screen is counted in the total and nowhere else`() throws
  {
    try kiosk.mask(Mask(screen: "pin"))
    try kiosk.show("pin")
    kiosk.tap(panel)
    kiosk.down(panel, 0, 9999, 50, preexisting: true)
    kiosk.pass(30)
    kiosk.up(panel, 0, .cancelled, .lost)
    kiosk.down(panel, isPalm: true)
    kiosk.stop()
    var totals = SessionTotals()
    (totals.begun, totals.masked) = (3, 3)
    #expect(kiosk.finals.first?.totals == totals)
    #expect(kiosk.grids.isEmpty)
    #expect(kiosk.views[1]?.values.map(\.touches) == [0])
    #expect(kiosk.views[1]?.values.map(\.placements) == [[]])
  }

  @Test mutating func `Ghosts in a mask count as masked touches and are never recognised`() throws {
    try kiosk.mask(Mask(screen: "pin"))
    try kiosk.show("pin")
    kiosk.haunt(panel)
    #expect(kiosk.recorder.totals?.masked == 20)
    #expect(kiosk.recorder.tally(of: panel).ghosts == 0)
    try kiosk.show("menu")
    kiosk.haunt(panel, 3)
    #expect(kiosk.recorder.totals?.counted == 3)
    kiosk.stop()
    #expect(kiosk.ghosts.isEmpty && kiosk.finals.first?.totals.ghosts == 0)
  }

  @Test mutating func `Touches of a known ghost in a mask count as masked`() throws {
    kiosk.haunt(panel)
    let before = kiosk.recorder.tally(of: panel)
    #expect(kiosk.recorder.current == nil && before.ghosts > 0)
    try kiosk.mask(Mask(screen: "default"))
    kiosk.tap(panel, 3000, 2000, milliseconds: 8)
    #expect(kiosk.recorder.current == 2)
    kiosk.stop()
    #expect(kiosk.recorder.tally(of: panel).ghosts == before.ghosts)
    #expect(kiosk.finals.last?.totals.masked == 1)
  }

  @Test mutating func `A suspected ghost that a late mask covers is counted as unrecorded`() throws
  {
    kiosk.haunt(panel)
    let before = kiosk.recorder.tally(of: panel)
    kiosk.tap(panel, 3000, 2000, milliseconds: 8)
    try kiosk.mask(Mask(screen: "default"))
    kiosk.pass(1000)
    #expect(kiosk.recorder.tally(of: panel).ghosts == before.ghosts)
    #expect(kiosk.recorder.tally(of: panel).unrecorded == before.unrecorded + 1)
    #expect(kiosk.recorder.current == nil)
  }

  @Test mutating func `Masked touches alone do not cause a checkpoint`() throws {
    try kiosk.mask(Mask(screen: "pin"))
    kiosk.tap(panel)
    try kiosk.show("pin")
    kiosk.pass(10_000)
    let before = kiosk.records.count
    for _ in 0..<10 {
      kiosk.tap(panel)
      kiosk.pass(2000)
    }
    #expect(kiosk.records.count == before)
    try kiosk.show("menu")
    kiosk.tap(panel)
    kiosk.pass(6000)
    #expect(kiosk.records.count == before + 1)
    #expect(kiosk.records.last?.totals.masked == 10)
  }

  @Test mutating func `An echo in a mask does not cause a checkpoint`() throws {
    let duplicate = try kiosk.add(.test(), isVirtual: true)
    try kiosk.mask(Mask(screen: "default"))
    kiosk.tap(panel)
    kiosk.pass(10_000)
    let before = kiosk.records.count
    kiosk.tapDuplicated(panel, duplicate)
    kiosk.pass(10_000)
    #expect(kiosk.recorder.tally(of: duplicate).echoes == 1)
    #expect(kiosk.records.count == before)
    #expect(kiosk.recorder.totals?.masked == 2)
  }

  @Test mutating func `The time of the last touch-down does not reveal masked touches`() throws {
    try kiosk.mask(Mask(screen: "pin"))
    let landed = kiosk.now.wall
    kiosk.tap(panel)
    try kiosk.show("pin")
    kiosk.pass(5000)
    #expect(kiosk.recorder.lastTouchDown?.wall == landed)
    kiosk.tap(panel)
    kiosk.pass(5000)
    #expect(kiosk.recorder.lastTouchDown?.wall == landed)
    try kiosk.mask()
    kiosk.down(panel)
    #expect(kiosk.recorder.lastTouchDown?.wall == kiosk.now.wall)
  }
}
