import Testing

@testable import TouchModel

/// Masked touches in the totals and grids.
@Suite struct MaskingTests {
  /// Returns a mask, in points of the test display: 1,024 x 768, with four raw units per point
  /// horizontally.
  private func keypad(
    _ screen: String = "pin", display: String? = nil, x: Double = 256, y: Double = 192
  ) -> Mask {
    Mask(
      screen: screen, display: display,
      rectangle: Rectangle(x: x, y: y, width: 256, height: 192))
  }

  /// Raw positions on a panel of 4,096 x 4,096 units.
  private let inside: (Int32, Int32) = (1500, 1500)
  private let left: (Int32, Int32) = (500, 1500)
  private let right: (Int32, Int32) = (3000, 1500)

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

  @Test func `A touch on a masked screen is counted in the total and nowhere else`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    try kiosk.mask(Mask(screen: "pin"))
    try kiosk.show("pin")
    kiosk.tap(panel)
    kiosk.land(panel, 0, 9999, 50, preexisting: true)
    kiosk.pass(30)
    kiosk.finish(panel, 0, .cancelled, .lost)
    kiosk.land(panel, isPalm: true)
    kiosk.stop()
    var totals = SessionTotals()
    (totals.begun, totals.masked) = (3, 3)
    #expect(kiosk.finals.first?.totals == totals)
    #expect(kiosk.grids.isEmpty)
    #expect(kiosk.views[1]?.values.map(\.touches) == [0])
    #expect(kiosk.views[1]?.values.map(\.placements) == [[]])
  }

  @Test(
    arguments: [
      [(1500, 1500)], [(500, 1500), (1500, 1500)], [(1500, 1500), (500, 1500)],
      [(500, 1500), (3000, 1500)],
    ] as [[(Int32, Int32)]])
  func `A touch that begins in, enters, leaves or crosses a masked rectangle is masked`(
    path: [(Int32, Int32)]
  ) throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    try kiosk.mask(keypad())
    try kiosk.show("pin")
    kiosk.land(panel, 0, path[0].0, path[0].1)
    for (x, y) in path.dropFirst() {
      kiosk.pass(20)
      kiosk.move(panel, 0, x, y)
    }
    kiosk.pass(20)
    kiosk.finish(panel)
    kiosk.tap(panel, left.0, left.1)
    kiosk.stop()
    #expect(kiosk.finals.first?.totals.masked == 1)
    #expect(kiosk.sum(1, "pin") == 1 && kiosk.sum(1, "pin", .trail) == 1)
    #expect(kiosk.sum(1, "pin", .dwell) == 80)
  }

  @Test func `A masked rectangle applies only to its screen and display`() throws {
    var kiosk = Kiosk()
    let one = try kiosk.add(.test())
    let other = try kiosk.add(.test(display: "HDMI-1"))
    try kiosk.mask(keypad("pin", display: "DSI-1"))
    kiosk.tap(one, inside.0, inside.1)
    try kiosk.show("pin")
    kiosk.tap(one, inside.0, inside.1)
    kiosk.tap(other, inside.0, inside.1)
    kiosk.stop()
    #expect(kiosk.finals.first?.totals.masked == 1)
    #expect(kiosk.sum(1, "default") == 1)
    #expect(kiosk.counters(1, "pin", display: "HDMI-1").reduce(0, +) == 1)
  }

  @Test func `Masks lie on the picture as the person sees it, at any rotation`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test(rotation: .quarter))
    // The top left of the picture of 768 x 1,024 points lies at the panel's top right.
    try kiosk.mask(
      Mask(screen: "default", rectangle: Rectangle(x: 0, y: 0, width: 100, height: 100)))
    kiosk.tap(panel, 4095, 0)
    kiosk.tap(panel, 0, 0)
    kiosk.stop()
    #expect(kiosk.finals.first?.totals.masked == 1 && kiosk.sum(1, "default") == 1)
  }

  @Test
  func `A late name applies its mask to past touches, and removes the former screen's`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    try kiosk.mask(Mask(screen: "pin"))
    kiosk.tap(panel, milliseconds: 50)
    kiosk.pass(100)
    try kiosk.show("pin", ago: 120)
    kiosk.pass(1000)
    #expect(kiosk.recorder.totals?.masked == 0)
    kiosk.tap(panel, milliseconds: 50)
    kiosk.pass(100)
    try kiosk.show("menu", ago: 120)
    kiosk.pass(10)
    kiosk.tap(panel, milliseconds: 50)
    kiosk.pass(100)
    try kiosk.show("pin", ago: 200)
    kiosk.stop()
    #expect(kiosk.finals.first?.totals.begun == 3 && kiosk.finals.first?.totals.masked == 2)
    #expect(kiosk.sum(1, "default") == 1 && kiosk.grids[1]?.count == 1)
  }

  @Test
  func `A mask added before a touch is settled applies, and a removed one still does`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    try kiosk.show("pin")
    kiosk.tap(panel, left.0, left.1, milliseconds: 50)
    kiosk.tap(panel, inside.0, inside.1, milliseconds: 50)
    try kiosk.mask(keypad())
    kiosk.pass(1000)
    #expect(kiosk.recorder.totals?.masked == 1 && kiosk.recorder.totals?.counted == 1)
    kiosk.tap(panel, inside.0, inside.1, milliseconds: 50)
    try kiosk.mask()
    kiosk.pass(1000)
    #expect(kiosk.recorder.totals?.masked == 2)
    kiosk.tap(panel, inside.0, inside.1)
    kiosk.stop()
    #expect(kiosk.finals.first?.totals.masked == 2 && kiosk.finals.first?.totals.counted == 2)
  }

  @Test func `A mask added while a finger draws applies wherever the finger has been`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    kiosk.land(panel, 0, 0, 0)
    for number in 0..<20_000 {
      kiosk.pass(8)
      kiosk.move(panel, 0, Int32(number * 37 % 1000), Int32(number * 91 % 1000))
    }
    try kiosk.mask(
      Mask(screen: "default", rectangle: Rectangle(x: 100, y: 100, width: 1, height: 1)),
      Mask(screen: "pin"))
    kiosk.stop()
    #expect(kiosk.finals.first?.totals.masked == 1 && kiosk.grids.isEmpty)
  }

  @Test func `Ghosts in a mask count as masked touches and are never recognised`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    try kiosk.mask(Mask(screen: "pin"))
    try kiosk.show("pin")
    for _ in 0..<20 {
      kiosk.tap(panel, 3000, 2000, milliseconds: 8)
      kiosk.pass(12_856)
    }
    #expect(kiosk.recorder.totals?.masked == 20)
    #expect(kiosk.recorder.tally(of: panel).ghosts == 0)
    try kiosk.show("menu")
    for _ in 0..<3 {
      kiosk.tap(panel, 3000, 2000, milliseconds: 8)
      kiosk.pass(12_856)
    }
    #expect(kiosk.recorder.totals?.counted == 3)
    kiosk.stop()
    #expect(kiosk.ghosts.isEmpty && kiosk.finals.first?.totals.ghosts == 0)
  }

  @Test func `Touches of a known ghost in a mask count as masked`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    for _ in 0..<20 {
      kiosk.tap(panel, 3000, 2000, milliseconds: 8)
      kiosk.pass(12_856)
    }
    let before = kiosk.recorder.tally(of: panel)
    #expect(kiosk.recorder.current == nil && before.ghosts > 0)
    try kiosk.mask(Mask(screen: "default"))
    kiosk.tap(panel, 3000, 2000, milliseconds: 8)
    #expect(kiosk.recorder.current == 2)
    kiosk.stop()
    #expect(kiosk.recorder.tally(of: panel).ghosts == before.ghosts)
    #expect(kiosk.finals.last?.totals.masked == 1)
  }

  @Test func `A suspected ghost that a late mask covers is counted as unrecorded`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    for _ in 0..<20 {
      kiosk.tap(panel, 3000, 2000, milliseconds: 8)
      kiosk.pass(12_856)
    }
    let before = kiosk.recorder.tally(of: panel)
    kiosk.tap(panel, 3000, 2000, milliseconds: 8)
    try kiosk.mask(Mask(screen: "default"))
    kiosk.pass(1000)
    #expect(kiosk.recorder.tally(of: panel).ghosts == before.ghosts)
    #expect(kiosk.recorder.tally(of: panel).unrecorded == before.unrecorded + 1)
    #expect(kiosk.recorder.current == nil)
  }

  @Test func `A masked finger prolongs its session`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    try kiosk.mask(Mask(screen: "default"))
    kiosk.land(panel)
    kiosk.pass(100_000)
    #expect(kiosk.recorder.current == 1)
    kiosk.finish(panel)
    kiosk.pass(59_000)
    kiosk.tap(panel, milliseconds: 10)
    kiosk.pass(59_000)
    #expect(kiosk.recorder.current == 1)
    kiosk.pass(2000)
    let record = try #require(kiosk.finals.first)
    #expect(record.end == .idle)
    #expect(record.lastActive.milliseconds - record.began.milliseconds == 159_010)
  }

  @Test func `A masked finger that outlasts its session is masked and not still down`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    try kiosk.mask(keypad())
    try kiosk.show("pin")
    kiosk.land(panel, 0, inside.0, inside.1, preexisting: true)
    kiosk.land(panel, 1, left.0, left.1)
    kiosk.pass(5000)
    #expect(kiosk.records.first?.totals.masked == 1)
    #expect(kiosk.records.first?.totals.stillDown == 1)
    #expect(kiosk.recorder.touchesDown == 1)
    kiosk.endSession()
    kiosk.pass(6000)
    let totals = try #require(kiosk.finals.first).totals
    #expect(totals.masked == 1 && totals.stillDown == 1 && totals.preexisting == 0)
    kiosk.finish(panel, 0)
    kiosk.finish(panel, 1)
    kiosk.pass(1000)
    #expect(kiosk.finals.count == 1 && kiosk.grids.isEmpty)
  }

  @Test func `Masked touches alone do not cause a checkpoint`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
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

  @Test func `An echo in a mask does not cause a checkpoint`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    let duplicate = try kiosk.add(.test(), isVirtual: true)
    try kiosk.mask(Mask(screen: "default"))
    kiosk.tap(panel)
    kiosk.pass(10_000)
    let before = kiosk.records.count
    kiosk.land(duplicate)
    kiosk.land(panel, lag: 2000)
    kiosk.pass(80)
    kiosk.finish(panel)
    kiosk.finish(duplicate)
    kiosk.pass(10_000)
    #expect(kiosk.recorder.tally(of: duplicate).echoes == 1)
    #expect(kiosk.records.count == before)
    #expect(kiosk.recorder.totals?.masked == 2)
  }

  @Test func `The time of the last touch-down does not reveal masked touches`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
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
    kiosk.land(panel)
    #expect(kiosk.recorder.lastTouchDown?.wall == kiosk.now.wall)
  }
}
