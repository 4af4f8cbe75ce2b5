import Testing

@testable import TouchModel

/// The beginning, the end and the dates of sessions.
@Suite struct SessionRecorderTests {
  @Test func `The first touch opens a session, and a minute without touches ends it`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    let began = kiosk.now.wall.milliseconds
    kiosk.tap(panel)
    kiosk.pass(10_000)
    kiosk.tap(panel)
    kiosk.pass(59_000)
    #expect(kiosk.recorder.current == 1)
    kiosk.pass(1000)
    #expect(kiosk.recorder.current == nil)
    let record = try #require(kiosk.finals.first)
    #expect(record.end == .idle)
    #expect(record.began.milliseconds == began)
    #expect(record.lastActive.milliseconds == began + 10_160)
    #expect(record.totals.begun == 2 && record.totals.counted == 2)
  }

  @Test func `A session is not idle while a finger rests`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    kiosk.land(panel)
    kiosk.pass(600_000)
    #expect(kiosk.recorder.current == 1)
    kiosk.finish(panel)
    kiosk.pass(60_000)
    #expect(kiosk.finals.map(\.end) == [.idle])
  }

  @Test func `Without touches and sessions, the recorder has no deadline`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    #expect(kiosk.recorder.nextDeadline == nil)
    try kiosk.show("menu")
    #expect(kiosk.recorder.nextDeadline == nil)
    kiosk.tap(panel)
    #expect(kiosk.recorder.nextDeadline != nil)
    kiosk.pass(61_000)
    #expect(kiosk.finals.count == 1)
    #expect(kiosk.recorder.nextDeadline == nil)
  }

  @Test(arguments: [false, true], [80, 20] as [Int64])
  func `A night's suspend ends the session, dated by its last touch`(
    touchFirst: Bool, tapMilliseconds: Int64
  ) throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    let began = kiosk.now.wall.milliseconds
    // The tap is not committed when the machine is suspended, because a late name may still arrive.
    // A short tap may also prove to be a ghost.
    kiosk.tap(panel, milliseconds: tapMilliseconds)
    kiosk.suspend(8 * 3_600_000)
    let morning = kiosk.now.wall.milliseconds
    if !touchFirst { kiosk.advance() }
    kiosk.tap(panel)
    kiosk.pass(100_000)
    let records = kiosk.finals
    #expect(records.map(\.id) == [1, 2])
    #expect(records.map(\.totals.counted) == [1, 1])
    #expect(records.first?.lastActive.milliseconds == began + (tapMilliseconds == 80 ? 80 : 20))
    #expect(records.last?.began.milliseconds == morning)
  }

  @Test func `A clock that is set back never ends a session before its start`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    let began = kiosk.now.wall.milliseconds
    kiosk.tap(panel)
    kiosk.setWallClock(by: -3_600_000)
    kiosk.tap(panel, milliseconds: 5000)
    kiosk.pass(60_000)
    let record = try #require(kiosk.finals.first)
    #expect(record.began.milliseconds == began)
    #expect(record.lastActive.milliseconds == began + 5080)
  }

  @Test func `A session begins with its first touch, even if that was read late`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    kiosk.land(panel, lag: 30_000)
    #expect(
      kiosk.recorder.sessions.first?.began.wall.milliseconds == kiosk.now.wall.milliseconds - 30)
    #expect(kiosk.recorder.sessions.first?.began.monotonic == kiosk.now.monotonic + -30_000)
  }

  @Test func `A session ends at its maximum duration, and its fingers still count for it`() throws {
    var kiosk = Kiosk(SessionRules(maxDuration: 10_000_000))
    let panel = try kiosk.add(.test())
    kiosk.land(panel, 0)
    kiosk.pass(10_000)
    #expect(kiosk.recorder.current == nil)
    kiosk.land(panel, 1)
    #expect(kiosk.recorder.current == 2)
    kiosk.pass(1000)
    kiosk.finish(panel, 0)
    kiosk.finish(panel, 1)
    kiosk.pass(1000)
    #expect(kiosk.finals.map(\.id) == [1])
    #expect(kiosk.finals.first?.end == .maxDuration)
    #expect(kiosk.finals.first?.totals.counted == 1)
    #expect(kiosk.finals.first.map { $0.lastActive.milliseconds - $0.began.milliseconds } == 10_000)
  }

  @Test
  func `Fingers down when a client ends the session count as still down after a while`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    kiosk.land(panel, 0)
    kiosk.land(panel, 1)
    kiosk.pass(100)
    kiosk.endSession()
    #expect(kiosk.finals.isEmpty)
    kiosk.pass(1000)
    kiosk.finish(panel, 0)
    kiosk.pass(4249)
    #expect(kiosk.finals.isEmpty)
    kiosk.pass(1)
    let record = try #require(kiosk.finals.first)
    #expect(record.end == .client)
    #expect(record.totals.counted == 1 && record.totals.stillDown == 1)
    #expect(record.lastActive.milliseconds - record.began.milliseconds == 100)
    kiosk.finish(panel, 1)
    kiosk.pass(100_000)
    #expect(kiosk.finals.count == 1)
  }

  @Test(arguments: [0, 250, 5000, 20_000] as [Int64])
  func `A touch that has ended is settled before its session is closed`(lateNames: Int64) throws {
    var kiosk = Kiosk(SessionRules(lateNames: lateNames * 1000))
    let panel = try kiosk.add(.test())
    kiosk.land(panel)
    kiosk.endSession()
    kiosk.pass(10)
    kiosk.finish(panel)
    kiosk.pass(lateNames + 5000)
    let record = try #require(kiosk.finals.first)
    #expect(record.totals.counted == 1 && record.totals.stillDown == 0)
    #expect(kiosk.sum(1, "default") == 1)
  }

  @Test func `Only the last record of a session has an end reason`() throws {
    var kiosk = Kiosk(SessionRules(checkpoint: 1_000_000))
    let panel = try kiosk.add(.test())
    kiosk.land(panel)
    kiosk.pass(500)
    kiosk.endSession()
    kiosk.pass(3000)
    #expect(kiosk.records.count > 0 && kiosk.finals.isEmpty)
    kiosk.finish(panel)
    kiosk.pass(1000)
    #expect(kiosk.finals.count == 1)
    #expect(kiosk.records.last?.end == .client)
  }

  @Test func `In manual mode only clients begin and end sessions`() throws {
    var kiosk = Kiosk(SessionRules(mode: .manual, maxDuration: 10_000_000))
    let panel = try kiosk.add(.test())
    kiosk.tap(panel)
    #expect(kiosk.recorder.current == nil)
    #expect(kiosk.recorder.tally(of: panel).unrecorded == 1)
    #expect(kiosk.beginSession() == 1)
    kiosk.tap(panel)
    kiosk.pass(7_200_000)
    #expect(kiosk.recorder.current == 1)
    #expect(kiosk.beginSession() == 2)
    kiosk.endSession()
    kiosk.tap(panel)
    #expect(kiosk.finals.map(\.end) == [.client, .client])
    #expect(kiosk.finals.map(\.totals.counted) == [1, 0])
    #expect(kiosk.finals.first?.tags == ["build": "1.4"])
    #expect(kiosk.recorder.tally(of: panel).unrecorded == 2)
  }

  @Test
  func `A palm neither opens nor prolongs a session, and is counted in a running one`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    kiosk.land(panel, isPalm: true)
    #expect(kiosk.recorder.current == nil)
    kiosk.tap(panel)
    kiosk.pass(30_000)
    kiosk.land(panel, isPalm: true)
    kiosk.land(panel, 1)
    kiosk.pass(100)
    kiosk.finish(panel, 1, .cancelled, .palm)
    kiosk.pass(29_900)
    let record = try #require(kiosk.finals.first)
    #expect(record.totals.palms == 2 && record.totals.counted == 1 && record.totals.begun == 3)
    #expect(record.lastActive.milliseconds - record.began.milliseconds == 80)
    #expect(kiosk.sum(1, "default", .trail) == 1)
    #expect(kiosk.sum(1, "default", .dwell) == 80)
  }

  @Test func `A cancelled touch counts until its end`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    kiosk.land(panel)
    kiosk.pass(500)
    kiosk.remove(panel)
    kiosk.stop()
    let record = try #require(kiosk.finals.first)
    #expect(record.totals.cancelled == 1 && record.totals.counted == 1)
    #expect(kiosk.sum(1, "default", .dwell) == 500)
    #expect(record.end == .stopped)
  }

  @Test func `Ten fingers on a panel that is unplugged are all counted`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    for slot in 0..<10 { kiosk.land(panel, slot, Int32(slot) * 400) }
    kiosk.remove(panel)
    kiosk.pass(100_000)
    #expect(kiosk.finals.first?.totals.counted == 10)
    #expect(kiosk.sum(1, "default") == 10)
  }

  @Test func `A checkpoint comes five seconds after a change, with only what changed`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
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
    kiosk.land(panel, isPalm: true)
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

  @Test func `Drops are counted in the running session and for the device`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    kiosk.recorder.recordLoss(panel, at: kiosk.now)
    kiosk.tap(panel)
    kiosk.recorder.recordLoss(panel, at: kiosk.now)
    kiosk.stop()
    #expect(kiosk.finals.first?.totals.drops == 1)
    #expect(kiosk.recorder.tally(of: panel).drops == 2)
  }

  @Test func `A touch outside the range is counted once as clamped`() throws {
    var kiosk = Kiosk()
    let panel = try kiosk.add(.test())
    kiosk.land(panel, 0, 9999, 5)
    kiosk.pass(80)
    kiosk.finish(panel)
    kiosk.stop()
    #expect(kiosk.finals.first?.totals.clamped == 1)
    #expect(kiosk.counters(1, "default")[63] == 1)
  }
}
