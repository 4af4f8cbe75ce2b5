import Testing

@testable import TouchModel

/// Pausing the recorder, and changing rules and placements while it runs.
@Suite struct PausingTests {
  @Test func `A touch that begins in a pause is only tallied and opens no session`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    kiosk.pause()
    #expect(kiosk.recorder.isPaused)
    kiosk.tap(panel)
    kiosk.land(panel, isPalm: true)
    kiosk.land(panel)
    kiosk.resume()
    kiosk.move(panel, 0, 3000, 3000)
    kiosk.finish(panel)
    #expect(kiosk.recorder.current == nil && kiosk.records.isEmpty)
    #expect(kiosk.recorder.tally(of: panel).unrecorded == 3)
    #expect(kiosk.recorder.tally(of: panel).touches == 3)
    kiosk.tap(panel)
    #expect(kiosk.recorder.current == 1)
  }

  @Test func `A pause cancels the fingers that are down, and they count until then`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    kiosk.land(panel, 0, 0, 0)
    kiosk.land(panel, 1, 2000, 2000)
    kiosk.pass(100)
    kiosk.pause()
    kiosk.pass(100)
    kiosk.move(panel, 0, 4095, 0)
    kiosk.pass(100)
    kiosk.resume()
    kiosk.pause()
    kiosk.resume()
    kiosk.move(panel, 0, 4095, 4095)
    kiosk.finish(panel, 0)
    kiosk.finish(panel, 1, .cancelled, .palm)
    kiosk.pass(300)
    let totals = try #require(kiosk.recorder.totals)
    #expect(totals.begun == 2 && totals.counted == 2 && totals.cancelled == 2)
    kiosk.stop()
    #expect(kiosk.sum(1, "default", .trail) == 2 && kiosk.sum(1, "default", .dwell) == 200)
    #expect(kiosk.finals.first?.totals.palms == 0)
  }

  @Test(arguments: [true, false])
  func `A touch in a pause and its virtual duplicate are tallied once, in either order`(
    virtualFirst: Bool
  ) throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    let duplicate = try kiosk.add(.test(), isVirtual: true)
    kiosk.pause()
    if virtualFirst { kiosk.land(duplicate) }
    // The panel's event came during the pause, but is read after it.
    if virtualFirst { kiosk.resume() }
    kiosk.land(panel, lag: 2000)
    if !virtualFirst { kiosk.land(duplicate) }
    let tally = kiosk.recorder.tally(of: duplicate)
    #expect(tally.touches == 0 && tally.echoes == 1 && tally.unrecorded == 0)
    #expect(kiosk.recorder.tally(of: panel).touches == 1)
    #expect(kiosk.recorder.tally.unrecorded == (virtualFirst ? 0 : 1))
  }

  @Test func `Sessions become idle during a pause, dated by their last touch before it`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    kiosk.land(panel)
    kiosk.pass(1000)
    kiosk.pause()
    for _ in 0..<8 {
      kiosk.pass(10_000)
      kiosk.tap(panel, slot: 1)
    }
    let record = try #require(kiosk.finals.first)
    #expect(record.end == .idle)
    #expect(record.lastActive.milliseconds - record.began.milliseconds == 1000)
  }

  @Test func `Touches that a pause cancels are masked or ghosts as usual`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    for _ in 0..<10 {
      kiosk.tap(panel, 3000, 2000, milliseconds: 8)
      kiosk.pass(12_856)
    }
    let ghosts = kiosk.recorder.tally(of: panel).ghosts
    kiosk.land(panel, 0, 3000, 2000)
    kiosk.pass(8)
    kiosk.pause()
    kiosk.pass(1000)
    #expect(kiosk.recorder.tally(of: panel).ghosts == ghosts + 1)
    kiosk.resume()
    try kiosk.mask(
      Mask(screen: "default", rectangle: Rectangle(x: 0, y: 0, width: 100, height: 100)))
    kiosk.land(panel, 1, 100, 100)
    kiosk.land(panel, 2, 2000, 2000)
    kiosk.pass(100)
    kiosk.pause()
    kiosk.stop()
    let totals = try #require(kiosk.finals.last).totals
    #expect(totals.masked == 1 && totals.counted == 1 && totals.cancelled == 1)
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

  @Test func `A session goes on when its rules change, and the new rules apply`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    kiosk.tap(panel)
    kiosk.recorder.setRules(SessionRules(mode: .manual), at: kiosk.now)
    kiosk.pass(1_000_000)
    #expect(kiosk.recorder.current == 1)
    let rules = SessionRules(idleTimeout: 10_000_000)
    kiosk.recorder.setRules(rules, at: kiosk.now)
    kiosk.pass(9000)
    #expect(kiosk.recorder.current == 1)
    kiosk.pass(1000)
    #expect(kiosk.finals.map(\.end) == [.idle])
    kiosk.recorder.setRules(SessionRules(mode: .manual), at: kiosk.now)
    kiosk.tap(panel)
    #expect(kiosk.recorder.current == nil)
  }

  @Test(arguments: [0, 1000])
  func `Touches wait for late names as long as the new rules say`(milliseconds: Int64) throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    kiosk.tap(panel, milliseconds: 50)
    kiosk.pass(10)
    kiosk.recorder.setRules(SessionRules(lateNames: milliseconds * 1000), at: kiosk.now)
    kiosk.advance()
    #expect(kiosk.recorder.totals?.stillDown == (milliseconds == 0 ? 0 : 1))
    if milliseconds > 0 {
      kiosk.pass(500)
      try kiosk.show("pay", ago: 600)
    }
    kiosk.stop()
    #expect(kiosk.sum(1, milliseconds == 0 ? "default" : "pay") == 1)
  }

  // MARK: Placements

  @Test
  func `After a display turns, new touches get other grids and old ones keep theirs`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    try kiosk.show("game")
    kiosk.land(panel, 0, 0, 0)
    kiosk.pass(1000)
    let turned = try #require(Placement.test(rotation: .quarter))
    kiosk.recorder.setPlacement(turned, of: panel, at: kiosk.now)
    kiosk.check()
    #expect(kiosk.recorder.screen(of: "DSI-1") == "game")
    kiosk.land(panel, 1, 0, 0)
    kiosk.move(panel, 0, 4095, 0)
    kiosk.pass(3000)
    kiosk.finish(panel, 0)
    kiosk.finish(panel, 1)
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

  @Test func `All devices on one display have the same geometry`() throws {
    var kiosk = Kiosk()
    let one = try kiosk.add(.test())
    let other = try kiosk.add(.test())
    var turned = try #require(Placement.test(rotation: .half))
    turned.geometrySource = .client
    kiosk.recorder.setPlacement(turned, of: other, at: kiosk.now)
    #expect(kiosk.recorder.placement(of: one) == turned)
    kiosk.tap(one)
    kiosk.tap(other)
    kiosk.stop()
    #expect(kiosk.views[1]?.count == 1 && kiosk.views[1]?.values.map(\.touches) == [2])
  }

  @Test
  func `A device that moves to another display keeps the former for fingers still down`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    try kiosk.show("all")
    try kiosk.show("left", display: "DSI-1")
    kiosk.land(panel)
    kiosk.recorder.setPlacement(
      try #require(Placement.test(display: "HDMI-1")), of: panel, at: kiosk.now)
    kiosk.check()
    #expect(kiosk.recorder.screen(of: "HDMI-1") == "all")
    kiosk.tap(panel, slot: 1)
    #expect(kiosk.recorder.screen(of: "DSI-1") == "left")
    kiosk.finish(panel)
    kiosk.pass(1000)
    #expect(kiosk.recorder.screen(of: "DSI-1") == nil && kiosk.recorder.screen() == "all")
    kiosk.stop()
    #expect(kiosk.sum(1, "left") == 1)
    #expect(kiosk.counters(1, "all", display: "HDMI-1").reduce(0, +) == 1)
  }
}
