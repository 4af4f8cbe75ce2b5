import Testing

@testable import TouchModel

/// Ghosts and echoes in sessions.
@Suite struct SuspectTests {
  private let beat: Int64 = 12_864

  private func ghost(_ kiosk: inout Kiosk, _ panel: Int, slot: Int = 9) {
    kiosk.tap(panel, 3000, 2000, slot: slot, milliseconds: 8)
  }

  @Test func `Ghosts counted before their recognition are removed from the grids`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    kiosk.tap(panel)
    for _ in 0..<3 {
      ghost(&kiosk, panel)
      kiosk.pass(beat - 8)
    }
    #expect(kiosk.recorder.totals?.counted == 4)
    ghost(&kiosk, panel)
    kiosk.pass(1000)
    #expect(kiosk.recorder.totals?.counted == 1)
    #expect(kiosk.recorder.totals?.ghosts == 4)
    kiosk.stop()
    #expect(kiosk.sum(1, "default") == 1)
    #expect(kiosk.sum(1, "default", .trail) == 1)
    #expect(kiosk.sum(1, "default", .dwell) == 80)
    #expect(kiosk.views[1]?.values.map(\.touches) == [1])
    #expect(kiosk.recorder.tally(of: panel).ghosts == 4)
  }

  @Test func `Ghosts do not prolong a session`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    kiosk.tap(panel)
    for _ in 0..<20 {
      kiosk.pass(beat - 8)
      ghost(&kiosk, panel)
    }
    let record = try #require(kiosk.finals.first)
    #expect(record.lastActive.milliseconds - record.began.milliseconds == 80)
    #expect(kiosk.finals.count == 1)
  }

  @Test func `Recognised ghosts open no session and are tallied separately`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    for _ in 0..<500 {
      ghost(&kiosk, panel)
      kiosk.pass(beat - 8)
    }
    #expect(kiosk.finals.count == 1)
    #expect(kiosk.finals.first?.totals.counted == 0)
    let inSession = try #require(kiosk.finals.first?.totals.ghosts)
    kiosk.stop()
    let tallies = kiosk.ghosts.flatMap { $0 }
    #expect(tallies.reduce(0) { $0 + $1.touches } == 500 - inSession)
    #expect(tallies.allSatisfy { $0.periodMilliseconds == 12_864 })
  }

  @Test func `Ghosts are stored once an hour, and an hour after they have stopped`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    for _ in 0..<2000 {
      ghost(&kiosk, panel)
      kiosk.pass(beat - 8)
    }
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
  }

  @Test(arguments: [true, false])
  func `The end of a session or of the daemon stores gathered ghosts`(sessionEnds: Bool) throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    for _ in 0..<20 {
      ghost(&kiosk, panel)
      kiosk.pass(beat - 8)
    }
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
  func `A finger that rests on the ghost's place belongs to the screen of its touch-down`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    for _ in 0..<20 {
      ghost(&kiosk, panel)
      kiosk.pass(beat - 8)
    }
    try kiosk.show("menu")
    kiosk.land(panel, 0, 3000, 2000)
    for number in 0..<20 {
      kiosk.pass(1000)
      try kiosk.show("advert \(number)")
    }
    kiosk.finish(panel)
    kiosk.stop()
    #expect(kiosk.sum(2, "menu") == 1)
  }

  @Test(arguments: [true, false])
  func `A finger in the ghost's place and rhythm is a finger once it moves or lasts`(moves: Bool)
    throws
  {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    for _ in 0..<20 {
      ghost(&kiosk, panel)
      kiosk.pass(beat - 8)
    }
    #expect(kiosk.finals.count == 1 && kiosk.recorder.current == nil)
    let began = kiosk.now.wall.milliseconds
    kiosk.land(panel, 0, 3000, 2000)
    #expect(kiosk.recorder.current == nil)
    kiosk.pass(moves ? 20 : 100)
    if moves { kiosk.move(panel, 0, 3100, 2000) }
    kiosk.pass(20)
    kiosk.finish(panel)
    #expect(kiosk.recorder.current == 2)
    #expect(kiosk.recorder.sessions.last?.began.wall.milliseconds == began)
    kiosk.stop()
    #expect(kiosk.sum(2, "default") == 1)
    #expect(kiosk.finals.last?.totals.begun == 1)
  }

  @Test func `Of two taps on the ghost's place in one period, none is lost`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    for _ in 0..<20 {
      ghost(&kiosk, panel)
      kiosk.pass(beat - 8)
    }
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
    for _ in 0..<10 {
      ghost(&kiosk, panel)
      kiosk.pass(beat - 8)
    }
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
      if virtualFirst {
        // The virtual panel's frame is read first, although it is newer.
        kiosk.land(duplicate)
        kiosk.land(panel, lag: 2000)
      } else {
        kiosk.land(panel)
        kiosk.pass(2)
        kiosk.land(duplicate)
      }
      kiosk.pass(80)
      kiosk.finish(panel)
      kiosk.finish(duplicate)
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
    kiosk.land(duplicate)
    kiosk.pass(20)
    kiosk.finish(duplicate)
    kiosk.pass(10)
    kiosk.land(panel, lag: 32_000)
    kiosk.pass(100)
    kiosk.finish(panel)
    kiosk.stop()
    #expect(kiosk.sum(1, "default") == 1)
    #expect(kiosk.finals.first?.totals.begun == 1)
  }

  @Test func `An echo cancelled before its original is read leaves no counts`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    let duplicate = try kiosk.add(.test(), isVirtual: true)
    kiosk.land(duplicate)
    kiosk.pass(20)
    kiosk.finish(duplicate, 0, .cancelled, .lost)
    kiosk.land(panel, lag: 22_000)
    kiosk.pass(100)
    kiosk.finish(panel)
    kiosk.stop()
    let totals = try #require(kiosk.finals.first).totals
    #expect(totals.begun == 1 && totals.counted == 1 && totals.cancelled == 0)
  }

  @Test func `A removed virtual device has no echoes, even if its number is used again`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    let duplicate = try kiosk.add(.test(), slots: 10, isVirtual: true)
    kiosk.land(duplicate, 9)
    kiosk.finish(duplicate, 9)
    kiosk.remove(duplicate)
    kiosk.pass(300)
    let small = try kiosk.add(.test(), slots: 1)
    #expect(small == duplicate)
    kiosk.land(panel, 0, lag: 301_000)
    kiosk.stop()
    #expect(kiosk.finals.first?.totals.counted == 2)
  }
}
