import Testing

@testable import TouchModel

/// Ghosts and echoes in sessions.
@Suite struct SuspectTests {
  private var kiosk = Kiosk()
  private let panel: Int

  init() throws { panel = try kiosk.add(.test()) }

  @Test mutating func `Ghosts counted before their recognition are removed from the grids`() throws
  {
    kiosk.tap(panel)
    kiosk.haunt(panel, 3)
    #expect(kiosk.recorder.totals?.counted == 4)
    kiosk.haunt(panel, 1)
    #expect(kiosk.recorder.totals?.counted == 1)
    #expect(kiosk.recorder.totals?.ghosts == 4)
    kiosk.stop()
    #expect(kiosk.sum(1, "default") == 1)
    #expect(kiosk.sum(1, "default", .trail) == 1)
    #expect(kiosk.sum(1, "default", .dwell) == 80)
    #expect(kiosk.views[1]?.values.map(\.touches) == [1])
    #expect(kiosk.recorder.tally(of: panel).ghosts == 4)
  }

  @Test mutating func `Ghosts do not prolong a session`() throws {
    kiosk.tap(panel)
    kiosk.pass(12_856)
    kiosk.haunt(panel)
    let record = try #require(kiosk.finals.first)
    #expect(record.lastActive.milliseconds - record.began.milliseconds == 80)
    #expect(kiosk.finals.count == 1)
  }

  @Test mutating func `Ghosts are stored once an hour, and an hour after they have stopped`() throws
  {
    kiosk.haunt(panel, 2000)
    // Seven hours and nine minutes have passed.
    #expect(kiosk.ghosts.count == 7)
    #expect(kiosk.ghosts.allSatisfy { $0.count == 1 })
    let deadline = try #require(kiosk.recorder.nextDeadline)
    #expect(deadline - kiosk.now.boottime <= 3_600_000_000)
    kiosk.pass(3_600_000)
    #expect(kiosk.ghosts.count == 8)
    #expect(kiosk.recorder.nextDeadline == nil)
    let inSession = try #require(kiosk.finals.first?.totals.ghosts)
    #expect(kiosk.ghosts.joined().reduce(0) { $0 + $1.touches } == 2000 - inSession)
    #expect(kiosk.ghosts.joined().allSatisfy { $0.periodMilliseconds == 12_864 })
    #expect(kiosk.finals.map(\.totals.counted) == [0], "they open no session")
  }

  @Test(arguments: [true, false])
  mutating func `The end of a session or of the daemon stores gathered ghosts`(sessionEnds: Bool)
    throws
  {
    kiosk.haunt(panel)
    #expect(kiosk.recorder.current == nil && kiosk.ghosts.isEmpty)
    if sessionEnds {
      kiosk.tap(panel)
      kiosk.pass(60_000)
    } else {
      kiosk.stop()
    }
    let inSession = try #require(kiosk.finals.first?.totals.ghosts)
    #expect(kiosk.ghosts.count == 1)
    #expect(kiosk.ghosts.first?.first?.touches == 20 - inSession)
  }

  @Test
  mutating func `A finger that rests on the ghost's place belongs to the screen of its touch-down`()
    throws
  {
    kiosk.haunt(panel)
    try kiosk.show("menu")
    kiosk.down(panel, 0, 3000, 2000)
    for number in 0..<20 {
      kiosk.pass(1000)
      try kiosk.show("advert \(number)")
    }
    kiosk.up(panel)
    kiosk.stop()
    #expect(kiosk.sum(2, "menu") == 1)
  }

  @Test(arguments: [true, false])
  mutating func `A finger in the ghost's place and rhythm is a finger once it moves or lasts`(
    moves: Bool
  )
    throws
  {
    kiosk.haunt(panel)
    #expect(kiosk.finals.count == 1 && kiosk.recorder.current == nil)
    let began = kiosk.now.wall.milliseconds
    kiosk.down(panel, 0, 3000, 2000)
    #expect(kiosk.recorder.current == nil)
    kiosk.pass(moves ? 20 : 100)
    if moves { kiosk.move(panel, 0, 3100, 2000) }
    kiosk.pass(20)
    kiosk.up(panel)
    #expect(kiosk.recorder.current == 2)
    #expect(kiosk.recorder.sessions.last?.began.wall.milliseconds == began)
    kiosk.stop()
    #expect(kiosk.sum(2, "default") == 1)
    #expect(kiosk.finals.last?.totals.begun == 1)
  }

  @Test mutating func `Of two taps on the ghost's place in one period, none is lost`() throws {
    kiosk.haunt(panel)
    kiosk.tap(panel, 3000, 2000, slot: 0, milliseconds: 8)
    kiosk.tap(panel, 3000, 2000, slot: 0, milliseconds: 8)
    kiosk.pass(100_000)
    let tally = kiosk.recorder.tally(of: panel)
    let begun = kiosk.finals.reduce(0) { $0 + $1.totals.begun }
    kiosk.stop()
    let ghosts = kiosk.ghosts.joined().reduce(0) { $0 + $1.touches }
    #expect(tally.touches == 22)
    #expect(begun + ghosts + tally.unrecorded == 22)
  }

  @Test func `If ghosts are not separated, they are counted as touches`() throws {
    var kiosk = Kiosk(SessionRules(separatesGhosts: false))
    let panel = try kiosk.add(.test())
    kiosk.haunt(panel, 10)
    kiosk.stop()
    #expect(kiosk.sum(1, "default") == 10)
  }

  @Test(arguments: [true, false], [0, 250_000] as [Int64])
  func `A panel and its virtual duplicate are counted once, in either order`(
    virtualFirst: Bool, lateNames: Int64
  ) throws {
    var kiosk = Kiosk(SessionRules(lateNames: lateNames))
    let panel = try kiosk.add(.test())
    let duplicate = try kiosk.add(.test(), isVirtual: true)
    for _ in 0..<10 {
      kiosk.pass(2)
      kiosk.tapDuplicated(panel, duplicate, virtualFirst: virtualFirst)
      kiosk.pass(300)
    }
    kiosk.stop()
    #expect(kiosk.sum(1, "default") == 10)
    #expect(kiosk.finals.first?.totals.begun == 10)
    #expect(kiosk.recorder.tally(of: duplicate).echoes == 10)
    #expect(kiosk.recorder.tally(of: duplicate).touches == 0)
    #expect(kiosk.recorder.tally(of: panel).touches == 10)
  }

  @Test(arguments: [0, 250_000] as [Int64])
  func `A virtual tap that ends before its original is read is counted once`(lateNames: Int64)
    throws
  {
    var kiosk = Kiosk(SessionRules(lateNames: lateNames))
    let panel = try kiosk.add(.test())
    let duplicate = try kiosk.add(.test(), isVirtual: true)
    kiosk.down(duplicate)
    kiosk.pass(20)
    kiosk.up(duplicate)
    kiosk.pass(10)
    kiosk.down(panel, lag: 32_000)
    kiosk.pass(100)
    kiosk.up(panel)
    kiosk.stop()
    #expect(kiosk.sum(1, "default") == 1)
    #expect(kiosk.finals.first?.totals.begun == 1)
  }

  @Test mutating func `An echo cancelled before its original is read leaves no counts`() throws {
    let duplicate = try kiosk.add(.test(), isVirtual: true)
    kiosk.down(duplicate)
    kiosk.pass(20)
    kiosk.up(duplicate, 0, .cancelled, .lost)
    kiosk.down(panel, lag: 22_000)
    kiosk.pass(100)
    kiosk.up(panel)
    kiosk.stop()
    let totals = try #require(kiosk.finals.first).totals
    #expect(totals.begun == 1 && totals.counted == 1 && totals.cancelled == 0)
  }

  @Test mutating func `A removed virtual device has no echoes, even if its number is used again`()
    throws
  {
    let duplicate = try kiosk.add(.test(), slots: 10, isVirtual: true)
    kiosk.down(duplicate, 9)
    kiosk.up(duplicate, 9)
    kiosk.remove(duplicate)
    kiosk.pass(300)
    let small = try kiosk.add(.test(), slots: 1)
    #expect(small == duplicate)
    kiosk.down(panel, 0, lag: 301_000)
    kiosk.stop()
    #expect(kiosk.finals.first?.totals.counted == 2)
  }
}
