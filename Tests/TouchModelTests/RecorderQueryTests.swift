import Testing

@testable import TouchModel

@Suite struct RecorderQueryTests {
  private var kiosk = Kiosk()
  private let panel: Int

  init() throws { panel = try kiosk.add(.test()) }

  @Test func `Tags are added to earlier ones, and only while a session runs`() throws {
    var kiosk = Kiosk()
    #expect(try kiosk.recorder.tagSession(["a": "1"], at: kiosk.now) == nil)
    _ = kiosk.beginSession()
    #expect(try kiosk.recorder.tagSession(["a": "1", "build": "2"], at: kiosk.now) == 1)
    kiosk.pass(5000)
    #expect(kiosk.records.last?.tags == ["a": "1", "build": "2"])
  }

  @Test(arguments: [
    (["": "x"], TagError.badKey("", limit: 64)),
    (
      [String(repeating: "k", count: 65): ""],
      .badKey(String(repeating: "k", count: 65), limit: 64)
    ),
    (["a\nb": ""], .badKey("a\nb", limit: 64)),
    (["k": String(repeating: "ä", count: 65)], .badValue(key: "k", limit: 128)),
    (["k": "\u{1b}[2J"], .badValue(key: "k", limit: 128)),
    (
      Dictionary(uniqueKeysWithValues: (0..<32).map { ("\($0)", "") }),
      .tooMany(limit: 32)
    ),
  ])
  func `If a tag exceeds a limit, all are refused`(tags: [String: String], error: TagError) throws {
    var kiosk = Kiosk()
    _ = kiosk.beginSession()
    #expect(throws: error) { try kiosk.recorder.tagSession(tags, at: kiosk.now) }
    #expect(kiosk.recorder.sessions.last?.tags == ["build": "1.4"])
    if case .tooMany = error { return }
    #expect(throws: error) { try kiosk.recorder.beginSession(tags: tags, at: kiosk.now) }
    #expect(kiosk.recorder.current == 1)
  }

  @Test func `Tags up to the limits are accepted`() throws {
    var kiosk = Kiosk()
    let tags = Dictionary(
      uniqueKeysWithValues: (0..<32).map {
        (String(repeating: "k", count: 62) + "\($0 + 10)", String(repeating: "v", count: 128))
      })
    #expect(try kiosk.recorder.beginSession(tags: tags, at: kiosk.now) == 1)
    #expect(try kiosk.recorder.tagSession(tags, at: kiosk.now) == 1)
  }

  @Test mutating func `The running session can be read with or without its grids`() throws {
    #expect(kiosk.recorder.runningSession(at: kiosk.now) == nil)
    let began = kiosk.now.wall.milliseconds
    kiosk.tap(panel)
    kiosk.pass(6000)
    kiosk.down(panel, 1, 2000, 2000)
    let before = kiosk.records
    let head = try #require(kiosk.recorder.runningSession(at: kiosk.now))
    #expect(head.id == 1 && head.end == nil && head.began.milliseconds == began)
    #expect(head.lastActive == kiosk.now.wall)
    #expect(head.totals.begun == 2 && head.totals.counted == 1 && head.totals.stillDown == 1)
    #expect(head.changedViews.isEmpty && head.changedGrids.isEmpty)
    kiosk.up(panel, 1)
    kiosk.pass(300)
    let all = try #require(kiosk.recorder.runningSession(withGrids: true, at: kiosk.now))
    #expect(all.changedViews.map(\.touches) == [2])
    #expect(all.changedViews.map(\.shownMilliseconds) == [6380])
    #expect(all.changedGrids.map(\.layer) == Layer.allCases)
    #expect(all.changedGrids.first?.counters.sum == 2)
    #expect(all.lastActive.milliseconds == began + 6080)
    #expect(kiosk.records == before)
    kiosk.stop()
    #expect(kiosk.sum(1, "default") == 2)
    #expect(kiosk.views[1]?.values.map(\.shownMilliseconds) == [6380])
  }

  @Test func `The shown screen is that of a display, of the only display, or of all`() throws {
    var kiosk = Kiosk()
    #expect(kiosk.recorder.screen() == "default" && kiosk.recorder.screen(of: "DSI-1") == nil)
    _ = try kiosk.add(.test())
    try kiosk.show("menu", display: "DSI-1")
    #expect(kiosk.recorder.screen() == "menu")
    _ = try kiosk.add(.test(display: "HDMI-1"))
    #expect(kiosk.recorder.screen() == "default")
    #expect(kiosk.recorder.screen(of: "DSI-1") == "menu")
    try kiosk.show("all")
    #expect(kiosk.recorder.screen(of: "DSI-1") == "all" && kiosk.recorder.screen() == "all")
  }

  @Test func `Tallies include removed devices`() throws {
    var kiosk = Kiosk()
    for _ in 0..<3 {
      let panel = try kiosk.add(.test())
      kiosk.tap(panel)
      kiosk.recorder.recordLoss(panel, at: kiosk.now)
      kiosk.pass(1000)
      kiosk.remove(panel)
    }
    #expect(kiosk.recorder.devices.count == 1)
    #expect(kiosk.recorder.tally.touches == 3 && kiosk.recorder.tally.drops == 3)
  }

  @Test func `The number of touches that are down excludes echoes and pauses`() throws {
    var kiosk = Kiosk(SessionRules(mode: .manual))
    let panel = try kiosk.add(.test())
    let duplicate = try kiosk.add(.test(), isVirtual: true)
    kiosk.down(panel)
    kiosk.down(duplicate)
    #expect(kiosk.recorder.touchesDown == 1 && kiosk.recorder.touchesDown(of: duplicate) == 0)
    #expect(kiosk.recorder.tally.unrecorded == 1)
    kiosk.up(panel)
    kiosk.pass(1000)
    #expect(kiosk.recorder.tally.unrecorded == 1 && kiosk.recorder.touchesDown == 0)
    kiosk.pause()
    kiosk.down(panel)
    #expect(kiosk.recorder.touchesDown == 0)
  }

  @Test func `Names at past times are known for a while, then forgotten`() throws {
    var kiosk = Kiosk()
    _ = try kiosk.add(.test())
    try kiosk.show("menu")
    let first = kiosk.now.monotonic
    kiosk.pass(200)
    try kiosk.show("pay")
    #expect(kiosk.recorder.screen(of: "DSI-1", at: first) == "menu")
    kiosk.pass(10_000)
    try kiosk.show("end")
    #expect(kiosk.recorder.screen(of: "DSI-1", at: kiosk.now.monotonic + -5_000_000) == "pay")
    #expect(kiosk.recorder.screen(of: "DSI-1", at: first) == nil)
    #expect(kiosk.recorder.screen(of: "HDMI-1", at: first) == nil)
  }
}
