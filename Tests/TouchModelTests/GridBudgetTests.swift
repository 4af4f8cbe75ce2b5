import Testing

@testable import TouchModel

/// Displays so large, or screens so many, that their grids exceed the memory budget.
@Suite struct GridBudgetTests {
  private var kiosk = Kiosk()
  private var panels: [Int] = []
  /// The number of screens, each with three grids of one-byte counters on the largest display, that
  /// fit the memory budget of named screens (`GridMemory.namedLimit`).
  private static let screens = GridMemory.namedLimit / (3 * DisplayGeometry.blockLimit)
  /// The number of touches so far.
  private var touches = 0

  init() throws { panels = [try addPanel("DSI-1")] }

  private mutating func addPanel(_ display: String) throws -> Int {
    try kiosk.add(.test(display: display, width: 16_384, height: 16_384))
  }

  private mutating func tap(
    _ screen: String, on panel: Int? = nil, milliseconds: Int64 = 80
  ) throws {
    try kiosk.show(screen)
    kiosk.tap(panel ?? panels[0], milliseconds: milliseconds)
    kiosk.pass(300)
    touches += 1
    #expect(kiosk.recorder.counterBytes <= 32 << 20)
  }

  /// Uses up the memory budget of named screens.
  private mutating func fill() throws {
    for number in 0..<Self.screens { try tap("screen \(number)") }
    #expect(kiosk.recorder.counterBytes == Self.screens * 3 * DisplayGeometry.blockLimit)
    #expect(!kiosk.recorder.isOverflowing)
  }

  private func view(_ screen: String, _ display: String = "DSI-1") -> ScreenView? {
    kiosk.views[1]?.first { $0.key.screen == screen && $0.key.display == display }?.value
  }

  private func grids(_ screen: String, _ display: String = "DSI-1") -> [Layer: Counters] {
    kiosk.grids[1]?.first { $0.key.screen == screen && $0.key.display == display }?.value ?? [:]
  }

  /// Ends the session, and checks that each touch is counted on one screen and in the totals.
  private mutating func finish() throws {
    kiosk.stop()
    let totals = try #require(kiosk.finals.last?.totals)
    let views = (kiosk.views[1] ?? [:]).values
    #expect(totals.isBalanced && totals.counted == UInt64(touches) - totals.masked)
    #expect(views.reduce(0) { $0 + $1.touches } == totals.counted)
  }

  @Test
  mutating func `Touches on screens beyond the budget are counted on the screen other`() throws {
    try fill()
    for number in 0..<30 { try tap("more \(number)") }
    #expect(kiosk.recorder.isOverflowing)
    let reports = [kiosk.recorder.takeOverflow(), kiosk.recorder.takeOverflow()]
    #expect(reports == [1, nil])
    try finish()
    #expect(view("other")?.touches == 30)
    let sums: [Layer: UInt64] = [.taps: 30, .trail: 30, .dwell: 30 * 80]
    #expect(grids("other").mapValues(\.sum) == sums)
    #expect(view("more 7")?.touches == 0 && grids("more 7").isEmpty)
    #expect(view("more 7")?.shownMilliseconds == 380)
    #expect(grids("screen 3").mapValues(\.sum) == [.taps: 1, .trail: 1, .dwell: 80])
  }

  @Test
  mutating func `A touch for which a grid cannot widen its counters is counted on other`() throws {
    try fill()
    // With 400 ms more, the dwell time of the block no longer fits in one byte.
    try tap("screen 0", milliseconds: 400)
    try tap("screen 1")
    try finish()
    #expect(grids("screen 0").mapValues(\.sum) == [.taps: 1, .trail: 1, .dwell: 80])
    #expect(grids("other").mapValues(\.sum) == [.taps: 1, .trail: 1, .dwell: 400])
    #expect(grids("screen 1").mapValues(\.sum) == [.taps: 2, .trail: 2, .dwell: 160])
  }

  @Test
  mutating func `If the screen other has no room either, touches are counted without grids`() throws
  {
    try fill()
    for number in 2...4 {
      let panel = try addPanel("HDMI-\(number)")
      try tap("more", on: panel)
      try tap("more", on: panel)
    }
    try finish()
    #expect([2, 3].map { view("other", "HDMI-\($0)")?.touches } == [2, 2])
    #expect(view("other", "HDMI-4") == nil)
    #expect(view("more", "HDMI-4")?.touches == 2 && grids("more", "HDMI-4").isEmpty)
  }

  @Test mutating func `Masks hold for touches that are counted on the screen other`() throws {
    let keypad = try #require(Rectangle(x: 8000, y: 8000, width: 640, height: 640))
    try kiosk.mask(
      Mask(screen: "pay", rectangle: keypad), Mask(screen: "pin"))
    try fill()
    try tap("pay")
    try tap("pin")
    try kiosk.show("pay")
    // On the display, this is the point (8,200, 8,200).
    kiosk.down(panels[0], 0, 2050, 2050)
    kiosk.pass(80)
    kiosk.up(panels[0])
    touches += 1
    kiosk.pass(300)
    try finish()
    #expect(kiosk.finals.first?.totals.masked == 2)
    #expect(view("other")?.touches == 1 && view("other")?.masks == [keypad])
    #expect(grids("other")[.taps]?.sum == 1)
    #expect(view("pay")?.touches == 0 && view("pin")?.touches == 0)
  }

  @Test mutating func `If the screen other is masked, no touch is counted on it`() throws {
    try kiosk.mask(Mask(screen: "other"))
    try fill()
    try tap("more")
    try finish()
    #expect(view("other") == nil && grids("other").isEmpty)
    #expect(view("more")?.touches == 1 && grids("more").isEmpty)
  }

  @Test
  mutating func `A session that waits for its last fingers shares the budget with the next`() throws
  {
    try fill()
    kiosk.down(panels[0], 1)
    _ = kiosk.beginSession()
    #expect(!kiosk.recorder.isOverflowing)
    kiosk.tap(panels[0])
    kiosk.pass(300)
    #expect(kiosk.recorder.isOverflowing)
    #expect(kiosk.recorder.counterBytes <= GridMemory.limit)
    kiosk.up(panels[0], 1)
    kiosk.pass(10_000)
    // The first session has ended, so its part of the memory budget is free again.
    kiosk.tap(panels[0])
    kiosk.pass(300)
    kiosk.stop()
    #expect(kiosk.finals.map(\.totals.counted) == [UInt64(touches) + 1, 2])
    let screens = (kiosk.views[2] ?? [:]).filter { $0.value.touches > 0 }.map(\.key.screen)
    #expect(screens.sorted() == ["other", "screen \(Self.screens - 1)"])
  }

  @Test mutating func `All screens of a usual display fit the budget`() throws {
    let panel = try kiosk.add(.test(display: "HDMI-1", width: 3840, height: 2160))
    // `default` is the first screen of the session.
    for number in 1..<OpenSession.screenLimit { try tap("screen \(number)", on: panel) }
    #expect(!kiosk.recorder.isOverflowing)
    try finish()
    #expect(view("screen 255", "HDMI-1")?.touches == 1)
  }
}
