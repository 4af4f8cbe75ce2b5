import Testing

@testable import TouchModel

@Suite struct SessionRecorderTests {
  private var kiosk = Kiosk()
  private let panel: Int

  init() throws { panel = try kiosk.add(.test()) }

  @Test mutating func `Without touches and sessions, the recorder has no deadline`() throws {
    #expect(kiosk.recorder.nextDeadline == nil)
    try kiosk.show("menu")
    #expect(kiosk.recorder.nextDeadline == nil)
    kiosk.tap(panel)
    #expect(kiosk.recorder.nextDeadline != nil)
    kiosk.pass(61_000)
    #expect(kiosk.finals.count == 1)
    #expect(kiosk.recorder.nextDeadline == nil)
  }

  @Test mutating func `A session begins with its first touch, even if that was read late`() throws {
    kiosk.down(panel, lag: 30_000)
    #expect(
      kiosk.recorder.sessions.first?.began.wall.milliseconds == kiosk.now.wall.milliseconds - 30)
    #expect(kiosk.recorder.sessions.first?.began.monotonic == kiosk.now.monotonic + -30_000)
  }

  @Test mutating func `A checkpoint comes five seconds after a change, with only what changed`()
    throws
  {
    kiosk.tap(panel)
    kiosk.pass(4900)
    #expect(kiosk.records.isEmpty)
    kiosk.pass(100)
    #expect(kiosk.records.count == 1)
    #expect(kiosk.records.first?.changedGrids.count == 3)
    #expect(kiosk.records.first?.end == nil)
    kiosk.pass(10_000)
    // Without changes there is no checkpoint.
    #expect(kiosk.records.count == 1)
    try kiosk.show("pay")
    kiosk.tap(panel)
    kiosk.pass(5000)
    #expect(kiosk.records.count == 2)
    #expect(kiosk.records.last?.changedGrids.map(\.key.screen) == ["pay", "pay", "pay"])
    #expect(kiosk.records.last?.end == nil)
    // A palm changes only the totals.
    kiosk.down(panel, isPalm: true)
    kiosk.pass(5000)
    #expect(kiosk.records.count == 3)
    #expect(kiosk.records.last?.totals.palms == 1)
    #expect(kiosk.records.last?.changedGrids.isEmpty == true)
    kiosk.pass(49_000)
    #expect(kiosk.records.count == 3)
    kiosk.pass(10_000)
    #expect(kiosk.records.count == 4)
    let end = try #require(kiosk.records.last)
    #expect(end.end == .idle)
    #expect(Set(end.changedViews.map(\.key.screen)) == ["default", "pay"])
    #expect(end.changedGrids.count == 6)
    #expect(end.changedGrids.filter { $0.layer == .taps }.allSatisfy { $0.counters.sum == 1 })
  }
}
