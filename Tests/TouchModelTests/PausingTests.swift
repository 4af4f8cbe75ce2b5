import Testing

@testable import TouchModel

@Suite struct PausingTests {
  private var kiosk = Kiosk()
  private let panel: Int

  init() throws { panel = try kiosk.add(.test()) }

  @Test(arguments: [true, false])
  mutating func `A touch in a pause and its virtual duplicate are tallied once, in either order`(
    virtualFirst: Bool
  ) throws {
    let duplicate = try kiosk.add(.test(), isVirtual: true)
    kiosk.pause()
    if virtualFirst { kiosk.down(duplicate) }
    // The panel's event came during the pause, but is read after it.
    if virtualFirst { kiosk.resume() }
    kiosk.down(panel, lag: 2000)
    if !virtualFirst { kiosk.down(duplicate) }
    let tally = kiosk.recorder.tally(of: duplicate)
    #expect(tally.touches == 0 && tally.echoes == 1 && tally.unrecorded == 0)
    #expect(kiosk.recorder.tally(of: panel).touches == 1)
    #expect(kiosk.recorder.tally.unrecorded == (virtualFirst ? 0 : 1))
  }

  @Test mutating func `A touch that a pause cancels may be a ghost`() throws {
    kiosk.haunt(panel, 10)
    let ghosts = kiosk.recorder.tally(of: panel).ghosts
    kiosk.down(panel, 0, 3000, 2000)
    kiosk.pass(8)
    kiosk.pause()
    kiosk.pass(1000)
    #expect(kiosk.recorder.tally(of: panel).ghosts == ghosts + 1)
  }

  // MARK: Rules

  @Test func `Removing earlier ghosts does not underflow a layer that was added since`() throws {
    var kiosk = Kiosk(SessionRules(layers: [.taps]))
    let panel = try kiosk.add(.test())
    for number in 0..<4 {
      kiosk.tap(panel, 3000, 2000, milliseconds: 8)
      kiosk.pass(12_856)
      if number == 1 { kiosk.recorder.setRules(SessionRules(), at: kiosk.now) }
    }
    #expect(kiosk.recorder.totals?.ghosts == 4)
    kiosk.stop()
    for layer in Layer.allCases { #expect(kiosk.sum(1, "default", layer) == 0) }
  }

  // MARK: Placements

  @Test
  mutating func `After a display turns, new touches get other grids and old ones keep theirs`()
    throws
  {
    try kiosk.show("game")
    kiosk.down(panel, 0, 0, 0)
    kiosk.pass(1000)
    let turned = try #require(Placement.test(rotation: .quarter))
    kiosk.recorder.setPlacement(turned, of: panel, at: kiosk.now)
    kiosk.check()
    #expect(kiosk.recorder.screen(of: "DSI-1") == "game")
    kiosk.down(panel, 1, 0, 0)
    kiosk.move(panel, 0, 4095, 0)
    kiosk.pass(3000)
    kiosk.up(panel, 0)
    kiosk.up(panel, 1)
    kiosk.pass(70_000)
    let views = try #require(kiosk.views[1])
    let before = try #require(views.first { $0.key.geometry.rotation == .none })
    let after = try #require(views.first { $0.key.geometry.rotation == .quarter })
    #expect(views.count == 2)
    #expect(before.value.shownMilliseconds == 1000 && after.value.shownMilliseconds == 3000)
    #expect(before.value.touches == 1 && after.value.touches == 1)
    #expect(before.value.placements.map(\.geometry.rotation) == [.none])
    let taps = try #require(kiosk.grids[1]?[after.key]?[.taps])
    // The top left of the panel is at the top right of the visible picture.
    #expect(taps[after.key.geometry.index(of: turned.block(0, 0))] == 1)
    #expect(kiosk.grids[1]?[before.key]?[.trail]?.sum == 64)
  }

  @Test
  mutating func `A device that moves to another display keeps the former for fingers still down`()
    throws
  {
    try kiosk.show("all")
    try kiosk.show("left", display: "DSI-1")
    kiosk.down(panel)
    kiosk.recorder.setPlacement(
      try #require(Placement.test(display: "HDMI-1")), of: panel, at: kiosk.now)
    kiosk.check()
    #expect(kiosk.recorder.screen(of: "HDMI-1") == "all")
    kiosk.tap(panel, slot: 1)
    #expect(kiosk.recorder.screen(of: "DSI-1") == "left")
    kiosk.up(panel)
    kiosk.pass(1000)
    #expect(kiosk.recorder.screen(of: "DSI-1") == nil && kiosk.recorder.screen() == "all")
    kiosk.stop()
    #expect(kiosk.sum(1, "left") == 1)
    #expect(kiosk.counters(1, "all", display: "HDMI-1").reduce(0, +) == 1)
  }
}
