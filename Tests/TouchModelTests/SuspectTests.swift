import Testing

@testable import TouchModel

/// Ghosts and echoes in sessions.
@Suite struct SuspectTests {
  private let beat: Int64 = 12_864

  private func ghost(_ kiosk: inout Kiosk, _ panel: Int, slot: Int = 9) {
    kiosk.tap(panel, 3000, 2000, slot: slot, milliseconds: 8)
  }

  @Test(
    "The ghosts that were counted before the beat was known are moved out of the session's grids")
  func movedOut() throws {
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

  @Test("Once the beat is known ghosts do not prolong a session, nor did those before it was")
  func doNotProlong() throws {
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

  @Test("Once the beat is known ghosts open no session; they are kept in a tally of their own")
  func doNotOpen() throws {
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

  @Test("The store gets the ghosts of a beat once an hour, and an hour after the beat has stopped")
  func hourly() throws {
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

  @Test(
    "The end of a session takes gathered ghosts along, and so does the daemon's",
    arguments: [true, false])
  func gathered(sessionEnds: Bool) throws {
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

  @Test("A finger that rests on the ghost's spot belongs to the screen of its landing")
  func restingSuspect() throws {
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

  @Test(
    "A finger that lands on the ghost's spot in its beat is a finger as soon as it moves or lasts",
    arguments: [true, false])
  func acquitted(moves: Bool) throws {
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

  @Test(
    "Two taps on the ghost's spot within one beat: what is no ghost and no session's is still tallied"
  )
  func neverVanishes() throws {
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

  @Test("Where ghosts are not separated they are touches like others")
  func notSeparated() throws {
    var kiosk = Kiosk(SessionRules(separatesGhosts: false))
    let panel = try kiosk.add(.test())
    for _ in 0..<10 {
      ghost(&kiosk, panel)
      kiosk.pass(beat - 8)
    }
    kiosk.stop()
    #expect(kiosk.sum(1, "default") == 10)
  }

  @Test(
    "A panel and its virtual twin are counted once, whichever is read first",
    arguments: [true, false], [0, 250_000] as [Int64])
  func echoes(virtualFirst: Bool, lateNames: Int64) throws {
    var kiosk = Kiosk(SessionRules(lateNames: lateNames))
    let panel = try kiosk.add(.test())
    let twin = try kiosk.add(.test(), isVirtual: true)
    for _ in 0..<10 {
      kiosk.pass(2)
      if virtualFirst {
        // The virtual panel's frame is read first, although it is newer.
        kiosk.land(twin)
        kiosk.land(panel, lag: 2000)
      } else {
        kiosk.land(panel)
        kiosk.pass(2)
        kiosk.land(twin)
      }
      kiosk.pass(80)
      kiosk.finish(panel)
      kiosk.finish(twin)
      kiosk.pass(300)
    }
    kiosk.stop()
    #expect(kiosk.sum(1, "default") == 10)
    #expect(kiosk.finals.first?.totals.begun == 10)
    #expect(kiosk.recorder.tally(of: twin).echoes == 10)
    #expect(kiosk.recorder.tally(of: twin).touches == 0)
    #expect(kiosk.recorder.tally(of: panel).touches == 10)
  }

  @Test(
    "A virtual tap that is over before its original is read is taken back",
    arguments: [0, 250_000] as [Int64])
  func lateOriginal(lateNames: Int64) throws {
    var kiosk = Kiosk(SessionRules(lateNames: lateNames))
    let panel = try kiosk.add(.test())
    let twin = try kiosk.add(.test(), isVirtual: true)
    kiosk.land(twin)
    kiosk.pass(20)
    kiosk.finish(twin)
    kiosk.pass(10)
    kiosk.land(panel, lag: 32_000)
    kiosk.pass(100)
    kiosk.finish(panel)
    kiosk.stop()
    #expect(kiosk.sum(1, "default") == 1)
    #expect(kiosk.finals.first?.totals.begun == 1)
  }

  @Test("An echo that was cancelled before its original is read is taken back whole")
  func cancelledEcho() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    let twin = try kiosk.add(.test(), isVirtual: true)
    kiosk.land(twin)
    kiosk.pass(20)
    kiosk.finish(twin, 0, .cancelled, .lost)
    kiosk.land(panel, lag: 22_000)
    kiosk.pass(100)
    kiosk.finish(panel)
    kiosk.stop()
    let totals = try #require(kiosk.finals.first).totals
    #expect(totals.begun == 1 && totals.counted == 1 && totals.cancelled == 0)
  }

  @Test(
    "A virtual device that is gone is no echo of what comes after, though its number is another's now"
  )
  func goneTwin() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    let twin = try kiosk.add(.test(), slots: 10, isVirtual: true)
    kiosk.land(twin, 9)
    kiosk.finish(twin, 9)
    kiosk.remove(twin)
    kiosk.pass(300)
    let small = try kiosk.add(.test(), slots: 1)
    #expect(small == twin)
    kiosk.land(panel, 0, lag: 301_000)
    kiosk.stop()
    #expect(kiosk.finals.first?.totals.counted == 2)
  }

  @Test("Two real panels touched at one moment are counted twice")
  func twoPanels() throws {
    var kiosk = Kiosk()
    let first = try kiosk.add(.test())
    let second = try kiosk.add(.test(display: "HDMI-1"))
    kiosk.land(first)
    kiosk.land(second)
    kiosk.pass(80)
    kiosk.finish(first)
    kiosk.finish(second)
    kiosk.stop()
    #expect(kiosk.finals.first?.totals.counted == 2)
  }
}
