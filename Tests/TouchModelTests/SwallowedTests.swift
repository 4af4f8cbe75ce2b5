import TestSupport
import Testing

@testable import TouchModel

/// Touches that the app does not get: in a cover, or taken by a client.
@Suite struct SwallowedTests {
  private var kiosk = Kiosk()
  private let panel: Int

  /// The lower right quarter of the display is covered: from 2048, 2048 in raw units.
  init() throws {
    panel = try kiosk.add(.test())
    kiosk.recorder.covers = [Cover(display: "DSI-1", rectangle: try rectangle(512, 384, 512, 384))]
  }

  private func use(until: Timestamp? = nil, isUse: Bool = true) -> SwallowedSpan {
    SwallowedSpan(client: ClientID(1), from: kiosk.now.monotonic, until: until, isUse: isUse)
  }

  @Test mutating func `Covered touches begin no session and are no activity`() {
    for _ in 0..<50 {
      kiosk.tap(panel, 3000, 3000, milliseconds: 80)
      kiosk.pass(777)
    }
    #expect(kiosk.records.isEmpty && kiosk.recorder.current == nil)
    #expect(kiosk.recorder.activity.lastSpanEnd == nil && kiosk.recorder.lastTouchDown == nil)
    #expect(kiosk.recorder.tally(of: panel).unrecorded == 50)
  }

  @Test mutating func `In a session they are in the totals alone, and do not prolong it`() throws {
    kiosk.tap(panel)
    var plain = kiosk
    // A ghost that never rests for as long as a name may be late.
    for _ in 0..<1000 {
      kiosk.tap(panel, 3000, 3000, slot: 1, milliseconds: 90)
      kiosk.pass(60)
    }
    let record = try #require(kiosk.finals.first)
    #expect(kiosk.finals.count == 1 && kiosk.recorder.current == nil)
    #expect(record.lastActive.milliseconds - record.began.milliseconds == 80)
    #expect(record.totals.counted == 1 && record.totals.swallowed > 350)
    // The session does not wait for the ghost's last touch.
    #expect(record.totals.stillDown <= 1 && record.totals.isBalanced)
    #expect(kiosk.sum(1, "default") == 1 && kiosk.sum(1, "default", .dwell) == 80)
    #expect(kiosk.views[1]?.values.map(\.touches) == [1])
    // The panel's own counts have them, so that it is known to be faulty.
    #expect(record.panels.first?.counts.contacts == Int64(record.totals.swallowed) + 1)
    plain.pass(70_000)
    let same = try #require(plain.finals.first)
    func others(_ record: SessionRecord) -> [SubjectCounts] {
      record.changedCounts.filter { $0.subject.kind != PanelKind().name } + record.dayCounts
    }
    #expect(others(record) == others(same) && !others(same).isEmpty)
  }

  @Test mutating func `A covered ghost that is held lets the session end`() {
    kiosk.tap(panel)
    kiosk.down(panel, 1, 3000, 3000)
    kiosk.pass(70_000)
    #expect(kiosk.recorder.current == nil && kiosk.finals.map(\.totals.stillDown) == [1])
    kiosk.up(panel, 1)
    kiosk.pass(1000)
    #expect(kiosk.finals.count == 1)
  }

  @Test mutating func `Only where a touch begins decides`() throws {
    kiosk.draw(panel, (100, 100), (3000, 3000))
    kiosk.draw(panel, (3000, 3000), (100, 100))
    kiosk.stop()
    let totals = try #require(kiosk.finals.first?.totals)
    #expect((totals.counted, totals.swallowed) == (1, 1))
  }

  @Test mutating func `The left and upper edges belong to a cover, as to a window`() throws {
    for place in [(2048, 2048), (2047, 2048), (2048, 2047), (4095, 4095)] as [(Int32, Int32)] {
      kiosk.tap(panel, place.0, place.1)
    }
    kiosk.recorder.covers = [Cover(rectangle: try rectangle(0, 0, 512, 384))]
    kiosk.tap(panel, 2048, 0)
    kiosk.tap(panel, 2047, 2047)
    kiosk.stop()
    let totals = try #require(kiosk.finals.first?.totals)
    #expect((totals.counted, totals.swallowed) == (3, 2))
    #expect(kiosk.recorder.tally(of: panel).unrecorded == 1)
  }

  @Test mutating func `A mask wins over a cover, also if it is named late`() throws {
    try kiosk.mask(Mask(screen: "pin"))
    kiosk.tap(panel, 3000, 3000)
    kiosk.down(panel, 1, 3100, 3100)
    #expect(kiosk.recorder.current == nil)
    try kiosk.show("pin", ago: 200)
    kiosk.up(panel, 1)
    kiosk.tap(panel, 3000, 3000)
    kiosk.stop()
    let record = try #require(kiosk.finals.first)
    #expect(record.totals.masked == 3 && record.totals.begun == 3)
    #expect(kiosk.recorder.tally(of: panel).unrecorded == 0)
    #expect(kiosk.recorder.activity.lastSpanEnd != nil)
  }

  @Test mutating func `A suspected ghost in a cover is swallowed, and is one for the panel`()
    throws
  {
    kiosk.tap(panel)
    for _ in 0..<4 {
      kiosk.pass(12_856)
      kiosk.tap(panel, 3000, 2100, milliseconds: 8)
    }
    kiosk.stop()
    let record = try #require(kiosk.finals.first)
    let totals = record.totals
    #expect((totals.counted, totals.ghosts, totals.swallowed) == (1, 0, 4))
    let counts = try #require(record.panels.first).counts
    #expect(counts.contacts == 4 && (0..<24).reduce(0) { $0 + counts[ghostsIn: $1] } == 1)
    #expect(kiosk.recorder.tally(of: panel).ghosts == 4)
  }

  @Test mutating func `Short covered touches between sessions are kept as the panel's ghosts`() {
    for x in [3010, 3020, 2100] as [Int32] {
      kiosk.tap(panel, x, 2100, milliseconds: 5)
      kiosk.pass(900)
    }
    kiosk.tap(panel, 3010, 2100, milliseconds: 300)
    kiosk.stop()
    let ghosts = kiosk.ghosts.joined().sorted { $0.touches < $1.touches }
    // The middles of the cells in which they began, not their places.
    #expect(ghosts.map(\.touches) == [1, 2] && ghosts.map(\.x) == [2080, 3040])
    #expect(ghosts.allSatisfy { $0.y == 2090 && $0.periodMilliseconds == 0 })
  }

  @Test mutating func `A waking touch begins a session and is swallowed, the next one counts`()
    throws
  {
    var span = use()
    kiosk.swallow(span)
    kiosk.pass(5000)
    kiosk.down(panel)
    kiosk.pass(100)
    kiosk.down(panel, 1, 500, 500)
    kiosk.pass(50)
    kiosk.up(panel, 0)
    kiosk.up(panel, 1)
    span.until = kiosk.now.monotonic
    kiosk.swallow(span)
    kiosk.pass(1)
    kiosk.tap(panel)
    kiosk.stop()
    let record = try #require(kiosk.finals.first)
    #expect(record.totals.swallowed == 2 && record.totals.counted == 1)
    #expect(kiosk.finals.count == 1 && kiosk.sum(1, "default") == 1)
  }

  @Test mutating func `The touches of a cleaning begin no session`() {
    let span = use(until: kiosk.now.monotonic + 60_000_000, isUse: false)
    kiosk.swallow(span)
    for _ in 0..<10 { kiosk.draw(panel, (0, 0), (4000, 4000)) }
    #expect(kiosk.recorder.current == nil)
    kiosk.pass(60_000)
    kiosk.tap(panel)
    #expect(kiosk.recorder.current == 1)
  }

  /// The client learns of the touch from the compositor, and so tells of it when it has begun.
  @Test mutating func `A span concerns touches that have begun, but not committed ones`() throws {
    kiosk.tap(panel)
    kiosk.pass(1000)
    var span = use(until: kiosk.now.monotonic + 1000)
    kiosk.tap(panel)
    kiosk.swallow(span)
    span.from = span.from + -1_000_000_000
    kiosk.swallow(span)
    kiosk.stop()
    let totals = try #require(kiosk.finals.first?.totals)
    #expect((totals.counted, totals.swallowed) == (1, 1))
  }

  @Test mutating func `A touch after the end of a span begins a session, even if it is told late`()
    throws
  {
    var span = use(isUse: false)
    kiosk.swallow(span)
    kiosk.pass(100)
    span.until = kiosk.now.monotonic
    kiosk.pass(10)
    kiosk.down(panel)
    kiosk.pass(50)
    #expect(kiosk.recorder.current == nil)
    kiosk.swallow(span)
    kiosk.up(panel)
    kiosk.stop()
    #expect(kiosk.finals.map(\.totals.counted) == [1])
  }

  @Test mutating func `Spans end with their client, and are at most 64`() {
    for number in 0..<SwallowedSpan.limit {
      var span = use()
      span.from = span.from + Int64(number)
      kiosk.swallow(span)
    }
    var other = use()
    other.client = ClientID(2)
    let hasRoom = kiosk.recorder.swallow(other, at: kiosk.now)
    #expect(!hasRoom)
    kiosk.recorder.endSpans(of: ClientID(1), at: kiosk.now)
    kiosk.pass(2000)
    kiosk.tap(panel)
    kiosk.pass(1000)
    kiosk.swallow(other)
    #expect(kiosk.recorder.spans == [other])
    kiosk.stop()
    #expect(kiosk.finals.map(\.totals.counted) == [1])
  }
}
