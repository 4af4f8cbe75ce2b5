import Testing

@testable import TouchModel

/// Checks that memory stays bounded and no count is lost if clients name screens endlessly.
@Suite struct ScreenFloodTests {
  private var kiosk = Kiosk()
  private let panel: Int
  private static let names = 10_000

  init() throws { panel = try kiosk.add(.test()) }

  private var changes: Int {
    kiosk.recorder.displays.values.reduce(kiosk.recorder.screens.count) {
      $0 + $1.timeline.count
    }
  }

  /// Returns the maximum number of changes that the timelines of one display and of all displays
  /// together may keep while `touches` touches are pending.
  private func most(touches: Int = 0) -> Int { 2 * (1024 + 2 * touches + 1) }

  /// Sends one of seven names each millisecond.
  private mutating func flood() throws {
    for number in 0..<Self.names {
      try kiosk.show("advert \(number % 7)")
      kiosk.pass(1)
      guard changes <= most(touches: 1) else {
        Issue.record("\(changes) changes are kept")
        return
      }
    }
  }

  /// Returns the time each screen was shown, in ms.
  private func shown() -> [String: UInt64] {
    Dictionary(
      (kiosk.views[1] ?? [:]).map { ($0.key.screen, $0.value.shownMilliseconds) },
      uniquingKeysWith: +
    ).filter { $0.value > 0 }
  }

  /// Returns the expected time of each of the seven names, in ms. The last name is shown for
  /// longer.
  private func floodShown(lastFor rest: UInt64) -> [String: UInt64] {
    var shown: [String: UInt64] = [:]
    for number in 0..<Self.names { shown["advert \(number % 7)", default: 0] += 1 }
    shown["advert \((Self.names - 1) % 7)", default: 0] += rest
    return shown
  }

  @Test
  mutating func `A resting finger stays on its screen, and all screens keep their times`() throws {
    try kiosk.show("menu")
    kiosk.down(panel)
    kiosk.pass(10)
    try flood()
    kiosk.up(panel)
    kiosk.pass(1000)
    kiosk.stop()
    #expect(kiosk.sum(1, "menu") == 1)
    #expect(kiosk.sum(1, "menu", .dwell) == UInt64(Self.names) + 10)
    #expect(shown() == floodShown(lastFor: 1000).merging(["menu": 10]) { $1 })
  }

  @Test mutating func `Screens count as shown if a touch follows in the same session`() throws {
    kiosk.tap(panel)
    try flood()
    kiosk.tap(panel)
    kiosk.stop()
    #expect(shown() == floodShown(lastFor: 80).merging(["default": 80]) { $1 })
    #expect(kiosk.finals.first?.totals.counted == 2)
  }

  @Test mutating func `Screens do not count as shown if no touch follows in the session`() throws {
    kiosk.tap(panel)
    try flood()
    kiosk.pass(120_000)
    #expect(kiosk.finals.map(\.end) == [.idle])
    #expect(shown() == ["default": 80])
  }

  @Test mutating func `Without a session, only the names for late touches are kept`() throws {
    try flood()
    kiosk.tap(panel)
    kiosk.stop()
    #expect(kiosk.sum(1, "advert \((Self.names - 1) % 7)") == 1)
    #expect(shown() == ["advert \((Self.names - 1) % 7)": 80])
  }

  private mutating func wait(microseconds: Int64) {
    kiosk.now.monotonic = kiosk.now.monotonic + microseconds
    kiosk.now.boottime = kiosk.now.boottime + microseconds
  }

  /// Sends 5,000 names within 100 ms, with three touch-downs among them.
  /// - Returns: The time of the second touch-down.
  private mutating func burst() throws -> Timestamp {
    let touchDowns = [1017, 2542, 4063]
    var second = kiosk.now.monotonic
    for number in 0..<5000 {
      wait(microseconds: 20)
      try kiosk.show("n\(number % 100)")
      if let slot = touchDowns.firstIndex(of: number) {
        kiosk.down(panel, slot)
        if slot == 1 { second = kiosk.now.monotonic }
      }
    }
    #expect(changes <= most(touches: 3))
    return second
  }

  private mutating func liftAll() {
    kiosk.pass(10)
    for slot in 0..<3 { kiosk.up(panel, slot) }
    kiosk.pass(1000)
    kiosk.stop()
  }

  @Test(arguments: [false, true])
  mutating func `Touches amid many names keep their screens, and a late name finds its touch`(
    isMasked: Bool
  ) throws {
    if isMasked { try kiosk.mask(Mask(screen: "late")) }
    let second = try burst()
    try kiosk.recorder.setScreen("late", changed: second, at: kiosk.now)
    liftAll()
    let counted = (kiosk.views[1] ?? [:]).filter { $0.value.touches > 0 }.map { $0.key.screen }
    #expect(counted.sorted() == (isMasked ? [] : ["late"]) + ["n17", "n63"])
    let sums = counted.map { kiosk.sum(1, $0) }
    #expect(sums.allSatisfy { $0 == 1 })
    #expect(kiosk.finals.first?.totals.masked == (isMasked ? 1 : 0))
  }

  @Test mutating func `A mask that held while many names came is shown on its screen`() throws {
    let keypad = try #require(Rectangle(x: 0, y: 0, width: 64, height: 64))
    kiosk.tap(panel)
    try kiosk.mask(Mask(screen: "advert 3", rectangle: keypad))
    try flood()
    try kiosk.mask()
    kiosk.tap(panel)
    kiosk.stop()
    let masks = (kiosk.views[1] ?? [:]).filter { !$0.value.masks.isEmpty }
    #expect(masks.map(\.key.screen) == ["advert 3"])
    #expect(masks.values.map(\.masks) == [[keypad]])
  }
}
