import TestSupport
import Testing
import TouchModel

@testable import Storage

@Suite final class WritingTests: StoreSuite {
  @Test func `Every end reason, layer and source is stored`() throws {
    for (index, end) in SessionEnd.allCases.enumerated() {
      var session = try record(Int64(index + 1), end: end)
      let view = try key()
      session.changedGrids = Layer.allCases.map {
        Grid(key: view, layer: $0, counters: counters(view, [1: 5]))
      }
      session.changedViews[0].placements = try Source.allCases.map { source in
        var each = try placement(view, matrix: "0.1 -1e-300 0.30000000000000004 1e17 -0.0 1")
        each.rangeSource = source
        each.matrixSource = source
        each.displaySource = source
        each.geometrySource = source
        return each
      }
      try store.write(session)
      #expect(try store.session(Int64(index + 1))?.record == ordered(session))
    }
  }

  @Test func `Writing the same record twice leaves the same rows`() throws {
    let session = try record(1)
    try store.write(session)
    let once = try Contents(store)
    try store.write(session)
    #expect(try Contents(store) == once)
    #expect(once.rows["session"]?.count == 1)
  }

  @Test(arguments: [SessionEnd?.none, .idle])
  func `Totals that do not add up are refused`(end: SessionEnd?) throws {
    var session = try record(1, end: end)
    session.totals.begun += 1
    let error = try failure { () throws(StoreError) in try store.write(session) }
    #expect(error.code == .refused)
    #expect(error.message.contains("books_balance"))
    #expect(error.activity == "writing session 1")
    #expect(try store.session(1) == nil)
  }

  @Test func `Totals that add up only by overflow are refused`() throws {
    var session = try record(1)
    session.totals.begun = 0
    session.totals.counted = UInt64(Int64.max)
    session.totals.masked = UInt64(Int64.max)
    session.totals.palms = 2
    #expect(try failure { () throws(StoreError) in try store.write(session) }.code == .refused)
    session.totals.counted = .max
    #expect(try failure { () throws(StoreError) in try store.write(session) }.code == .refused)
  }

  @Test func `Every total is stored in its own column`() throws {
    var session = try record(1)
    session.totals.counted = 1
    session.totals.masked = 2
    session.totals.palms = 4
    session.totals.ghosts = 8
    session.totals.stillDown = 16
    session.totals.swallowed = 512
    session.totals.begun = 31 + 512
    session.totals.preexisting = 32
    session.totals.cancelled = 64
    session.totals.clamped = 128
    session.totals.drops = 256
    try store.write(session)
    #expect(try store.session(1)?.record.totals == session.totals)
  }

  @Test(arguments: [0, -1, Int64.min])
  func `A session number that is not positive is refused`(id: Int64) throws {
    let session = try record(id)
    #expect(try failure { () throws(StoreError) in try store.write(session) }.code == .refused)
  }

  @Test func `Another session with the same number is refused`() throws {
    try store.write(record(1))
    let other = try record(1, began: mayFirst + 1)
    #expect(try failure { () throws(StoreError) in try store.write(other) }.code == .refused)
    let running = try record(1, end: nil)
    #expect(try failure { () throws(StoreError) in try store.write(running) }.code == .refused)
  }

  @Test func `A record with a grid of a wrong size or without a view is refused`() throws {
    var session = try record(1)
    session.changedGrids[0].counters = Counters(count: 3)
    #expect(try failure { () throws(StoreError) in try store.write(session) }.code == .refused)
    session = try record(1)
    session.changedViews = []
    #expect(try failure { () throws(StoreError) in try store.write(session) }.code == .refused)
    #expect(try store.session(1) == nil)
  }

  @Test func `The number of a dropped session is never used again`() throws {
    for id in 1...5 { try store.write(record(Int64(id))) }
    try store.rollUp(today: utc(WallTime(milliseconds: mayFirst + dayLength)))
    try store.retain(
      now: WallTime(milliseconds: mayFirst + 9 * dayLength), keepSessions: .seconds(60),
      maxSize: nil)
    #expect(try store.sessions(in: .always).isEmpty)
    #expect(try store.nextSessionID == 6)
  }

  @Test(arguments: [
    "menu\"; DROP TABLE session; --", "späti/支払い", "a\u{0}b\u{1}\n\u{7f}\u{2028}", "", "🤌🏽",
    "x with 10,000 more",
  ])
  func `Names of any text are stored unchanged`(name: String) throws {
    let text = name.hasPrefix("x ") ? String(repeating: "x", count: 10_000) : name
    var session = try record(1, key(text, display: text))
    session.tags = [text: text]
    session.changedViews[0].placements = [try placement(key(text, display: text), device: text)]
    try store.write(session)
    #expect(try store.session(1)?.record == ordered(session))
    let found = try store.grids(screen: text, layer: .taps, in: .always)
    #expect(found.map(\.touches) == [1])
    try store.addGhosts(
      [GhostTally(device: text, x: 1, y: 2, periodMilliseconds: 3, touches: 4)],
      day: utc(session.began))
    #expect(try store.ghosts(on: utc(session.began)).map(\.device) == [text])
  }

  @Test func `Equal geometries and placements are stored once`() throws {
    for id in 1...4 {
      let view = try key("s\(id)", geometry(64, 48, scale: id % 2 == 0 ? 1.1 : 1.3))
      try store.write(record(Int64(id), view))
    }
    #expect(try store.database.integer("SELECT count(*) FROM geometry") == 2)
    #expect(try store.database.integer("SELECT count(*) FROM placement") == 2)
  }

  @Test func `Ghosts are added up by day and place`() throws {
    let (first, second) = (utc(WallTime(milliseconds: mayFirst)), try #require(Day("2024-05-02")))
    let beat = GhostTally(device: "a", x: -5, y: 9, periodMilliseconds: 12_864, touches: 7)
    var other = beat
    other.x = .max
    try store.addGhosts([beat, other, beat], day: first)
    try store.addGhosts([beat], day: first)
    try store.addGhosts([beat], day: second)
    var sum = beat
    sum.touches = 21
    #expect(try store.ghosts(on: first) == [sum, other])
    #expect(try store.ghosts(on: second) == [beat])
    var huge = beat
    huge.touches = UInt64(Int64.max)
    #expect(
      try failure { () throws(StoreError) in try store.addGhosts([huge], day: first) }.code
        == .refused)
    #expect(try store.ghosts(on: first) == [sum, other])
  }
}
