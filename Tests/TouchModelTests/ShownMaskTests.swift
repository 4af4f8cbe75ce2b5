import Testing

@testable import TouchModel

/// Checks that the record of a screen contains the masks that it had while it was shown.
@Suite struct ShownMaskTests {
  private var kiosk = Kiosk(SessionRules(mode: .manual))
  private let panel: Int

  init() throws { panel = try kiosk.add(.test()) }

  private var display: Rectangle? {
    Rectangle.whole(kiosk.recorder.placement(of: panel).geometry)
  }

  /// Returns the masks of a screen in the running session.
  private func masks(_ screen: String) throws -> [Rectangle]? {
    let record = kiosk.recorder.runningSession(withGrids: true, at: kiosk.now)
    let live = try #require(record).changedViews.first { $0.key.screen == screen }?.masks
    return live
  }

  @Test mutating func `A screen's record has its own masks, clipped to the display`() throws {
    let whole = try #require(display)
    try kiosk.mask(
      Mask(screen: "pin"), Mask(screen: "pin", rectangle: rectangle(1, 1)),
      Mask(screen: "pay", rectangle: rectangle(20, 5)),
      Mask(screen: "pay", rectangle: rectangle(whole.width - 4, -3)),
      Mask(screen: "pay", rectangle: rectangle(whole.width, 9)),
      Mask(screen: "pay", display: "elsewhere", rectangle: rectangle(40, 40)))
    let session = kiosk.beginSession()
    for screen in ["menu", "pay", "pin"] {
      try kiosk.show(screen)
      kiosk.pass(1000)
    }
    #expect(try masks("menu") == [])
    #expect(try masks("pin") == [whole])
    #expect(try masks("pay") == [rectangle(whole.width - 4, 0, 4, 7), rectangle(20, 5)])
    kiosk.endSession()
    kiosk.pass(10_000)
    let views = try #require(kiosk.views[session])
    #expect(views.first { $0.key.screen == "pin" }?.value.masks == [whole])
    #expect(views.first { $0.key.screen == "pay" }?.value.masks.count == 2)
  }

  @Test mutating func `All masks that a screen has while it is shown are recorded`() throws {
    let (one, two, three) = try (rectangle(0, 0), rectangle(0, 20), rectangle(0, 40))
    _ = kiosk.beginSession()
    try kiosk.show("pay")
    kiosk.pass(10_000)
    #expect(try masks("pay") == [])
    try kiosk.mask(Mask(screen: "pay", rectangle: two))
    kiosk.pass(500)
    try kiosk.mask(Mask(screen: "pay", rectangle: one))
    kiosk.pass(500)
    #expect(try masks("pay") == [one, two])
    try kiosk.mask(Mask(screen: "menu", rectangle: three))
    kiosk.pass(20_000)
    #expect(try masks("pay") == [one, two])
  }

  @Test mutating func `A mask that was not present while the screen was shown is not recorded`()
    throws
  {
    _ = kiosk.beginSession()
    try kiosk.show("menu")
    try kiosk.mask(Mask(screen: "pay"))
    kiosk.pass(400)
    try kiosk.mask()
    kiosk.pass(400)
    try kiosk.show("pay")
    kiosk.pass(400)
    #expect(try masks("pay") == [])
    // The mask is added after the screen was shown.
    try kiosk.show("menu")
    kiosk.pass(400)
    try kiosk.mask(Mask(screen: "pay"))
    kiosk.pass(20_000)
    #expect(try masks("pay") == [])
  }

  /// In an automatic session what was shown counts up to a person's last activity.
  @Test(arguments: [[], [1200], [1200, 3000, 4000], [4300]])
  func `What a checkpoint shows does not tell when a mask was touched`(times: [Int64]) throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    let place = try rectangle(0, 0)
    kiosk.recorder.masks = try #require(
      Masks(["pin", "pay"].map { Mask(screen: $0, rectangle: place) } + [Mask(screen: "code")]))
    try kiosk.show("menu")
    kiosk.tap(panel)
    let start = kiosk.now.boottime
    func wait(_ kiosk: inout Kiosk, until time: Int64) {
      kiosk.pass((start + time * 1000 - kiosk.now.boottime) / 1000)
    }
    wait(&kiosk, until: 500)
    try kiosk.show("pin")
    wait(&kiosk, until: 1000)
    try kiosk.show("code")
    for time in times {
      wait(&kiosk, until: time)
      kiosk.tap(panel, milliseconds: 300)
    }
    wait(&kiosk, until: 4800)
    // One finger is still in the mask at the time of the checkpoint.
    if !times.isEmpty { kiosk.down(panel) }
    wait(&kiosk, until: 6000)
    let record = try #require(kiosk.records.first)
    #expect(record.end == nil && record.changedViews.map(\.key.screen) == ["menu"])
    #expect(record.changedViews.first?.shownMilliseconds == 80)
    #expect(record.lastUnmasked == WallTime(milliseconds: record.began.milliseconds + 80))
  }

  @Test mutating func `A session that is no longer manual was active until the rules changed`()
    throws
  {
    _ = kiosk.beginSession()
    kiosk.tap(panel)
    kiosk.pass(3000)
    kiosk.recorder.setRules(SessionRules(), at: kiosk.now)
    let record = kiosk.recorder.runningSession(withGrids: true, at: kiosk.now)
    let last = try #require(record?.lastActive)
    #expect(record?.lastUnmasked == last)
  }

  @Test func `A history with too many masks of a screen reports the whole screen`() throws {
    let geometry = try #require(DisplayGeometry(pixelWidth: 800, pixelHeight: 480))
    func area(_ screen: String) -> GridKey {
      GridKey(display: "HDMI-A-1", screen: screen, geometry: geometry)
    }
    let whole = try #require(Rectangle.whole(geometry))
    func history(_ changes: Int, screens: Int) throws -> MaskHistory {
      var history = MaskHistory()
      for number in 0...changes {
        let part = try rectangle(Double(number % 700), 1)
        let mask = Mask(screen: "screen \(number % screens)", rectangle: part)
        history.replace(
          with: try #require(Masks([mask])), at: Timestamp(microseconds: Int64(number)), lead: 0)
      }
      return history
    }
    func told(_ history: MaskHistory, _ screen: String, from start: Int64 = 0) -> Set<Rectangle> {
      let (start, end) = (Timestamp(microseconds: start), Timestamp(microseconds: 1 << 40))
      return history.rectangles(of: area(screen), from: start, to: end)
    }
    let few = try history(Masks.limit, screens: 2)
    #expect(!told(few, "screen 0").contains(whole) && told(few, "screen 0").count > 200)
    let many = try history(Masks.limit + 1, screens: 2)
    #expect(told(many, "screen 0").contains(whole) && told(many, "screen 1").contains(whole))
    #expect(told(many, "other").isEmpty)
    // For a later span, only the mask that still applies is reported.
    #expect(
      told(many, "screen 0", from: 2000).isEmpty && told(many, "screen 1", from: 2000).count == 1)
    let tooMany = try history(Masks.limit + 1, screens: 600)
    #expect(told(tooMany, "other") == [whole])
  }
}
