import Testing

@testable import TouchModel

/// Masked touches in the totals and grids.
@Suite struct MaskingTests {
  /// In points of the test panel: 1,024 x 768, with four raw units per point horizontally.
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

  @Test("Once there has been a mask or a pause there have been secrets, for good")
  func secrets() throws {
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

  @Test("A touch of a masked screen is in the total, and nowhere else")
  func wholeScreen() throws {
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
    "A touch that begins in a masked rectangle, goes into it, out of it, or straight across is masked whole",
    arguments: [
      [(1500, 1500)], [(500, 1500), (1500, 1500)], [(1500, 1500), (500, 1500)],
      [(500, 1500), (3000, 1500)],
    ] as [[(Int32, Int32)]])
  func rectangle(path: [(Int32, Int32)]) throws {
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

  @Test("A rectangle is of its screen and display: the same place elsewhere is counted")
  func elsewhere() throws {
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

  @Test("Masks lie on what the person sees, however the display is turned")
  func turned() throws {
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

  @Test(
    "A late name brings its mask to touches that are long over, and takes that of the former screen away"
  )
  func lateNames() throws {
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

  @Test("A mask that is added before a touch settles takes it, one that is removed keeps it")
  func changed() throws {
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

  @Test("A mask that comes while a finger draws for an hour takes it wherever it has been")
  func drawing() throws {
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

  @Test("Ghosts in a mask are masked: no beat becomes known, and they open sessions like any touch")
  func ghosts() throws {
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

  @Test("A beat that was known before comes to nothing in a mask")
  func knownBeat() throws {
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

  @Test("A suspect without a session that a late mask takes is tallied, and no ghost")
  func lateMaskOfSuspect() throws {
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

  @Test("A masked finger keeps its session from being idle, and prolongs it")
  func prolongs() throws {
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

  @Test(
    "A masked finger that outlasts its session is masked, not still down; a record meanwhile says so too"
  )
  func outlasts() throws {
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

  @Test("A masked touch is no reason to write the session: the time of writing would tell its own")
  func checkpoints() throws {
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

  @Test("An echo in a mask is no reason to write the session, though it is taken back")
  func maskedEcho() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    let twin = try kiosk.add(.test(), isVirtual: true)
    try kiosk.mask(Mask(screen: "default"))
    kiosk.tap(panel)
    kiosk.pass(10_000)
    let before = kiosk.records.count
    kiosk.land(twin)
    kiosk.land(panel, lag: 2000)
    kiosk.pass(80)
    kiosk.finish(panel)
    kiosk.finish(twin)
    kiosk.pass(10_000)
    #expect(kiosk.recorder.tally(of: twin).echoes == 1)
    #expect(kiosk.records.count == before)
    #expect(kiosk.recorder.totals?.masked == 2)
  }

  @Test("The last landing tells of no masked touch")
  func lastLanding() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    try kiosk.mask(Mask(screen: "pin"))
    let landed = kiosk.now.wall
    kiosk.tap(panel)
    try kiosk.show("pin")
    kiosk.pass(5000)
    #expect(kiosk.recorder.lastLanding?.wall == landed)
    kiosk.tap(panel)
    kiosk.pass(5000)
    #expect(kiosk.recorder.lastLanding?.wall == landed)
    try kiosk.mask()
    kiosk.land(panel)
    #expect(kiosk.recorder.lastLanding?.wall == kiosk.now.wall)
  }
}
