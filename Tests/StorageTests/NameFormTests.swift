import TestSupport
import Testing
import TouchModel

@testable import Storage

/// Stores written before names were normalised may contain one name in two Unicode forms. For the
/// store, these are two names.
@Suite struct NameFormTests {
  /// "Café" with é as one scalar and as two.
  private static let forms = ["Caf\u{e9}", "Cafe\u{301}"]
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try #require(Self.forms[0] == Self.forms[1], "Swift considers the two forms equal")
  }

  /// Returns a session with a screen for each form: 3 taps on the first and 4 on the second.
  private func session(_ id: Int64, end: SessionEnd? = .idle) throws -> SessionRecord {
    var session = try record(id, end: end, taps: [0: 3], key(Self.forms[0]))
    session.add(try record(id, taps: [1: 4], key(Self.forms[1])))
    return session
  }

  private func names(_ summaries: [SummedGrid]) -> [[UInt8]] {
    summaries.map { Array($0.key.screen.utf8) }
  }

  private static let both = ["Cafe\u{301}", "Caf\u{e9}"].map { Array($0.utf8) }

  @Test func `Screens whose names differ only in Unicode form are listed separately`() throws {
    let store = try Store(path: folder.file(), options: options())
    for id in 1...3 as ClosedRange<Int64> { try store.write(session(id)) }
    func expectBoth() throws {
      #expect(try faults(folder.file()) == [])
      let sums = try store.grids(screen: nil, layer: .taps, in: .always)
      #expect(names(sums) == Self.both)
      #expect(sums.map(\.touches) == [12, 9] && sums.map(\.sum.sum) == [12, 9])
      #expect(sums.map(\.sessions) == [3, 3])
      #expect(try store.screens(in: .always).map(\.touches) == [12, 9])
      for (form, touches) in zip(Self.forms, [9, 12] as [UInt64]) {
        let one = try store.grids(screen: form, layer: .taps, in: .always)
        #expect(one.map(\.touches) == [touches])
      }
    }
    try expectBoth()
    // The names stay separate in the sums of the day and of the month.
    try store.rollUp(today: #require(Day("2024-05-02")))
    try expectBoth()
    try store.rollUp(today: #require(Day("2024-06-02")))
    try expectBoth()
    #expect(try store.session(2)?.record == ordered(session(2)))
    _ = try store.forget(.session(2))
    let left = try store.grids(screen: nil, layer: .taps, in: .always)
    #expect(left.map(\.touches) == [8, 6])
    #expect(try faults(folder.file()) == [])
  }

  @Test func `Displays whose names differ only in Unicode form are separate`() throws {
    let store = try Store(path: folder.file(), options: options())
    var session = try record(1, taps: [0: 3], key("menu", display: Self.forms[0]))
    session.add(try record(1, taps: [1: 4], key("menu", display: Self.forms[1])))
    try store.write(session)
    try store.rollUp(today: #require(Day("2024-05-02")))
    #expect(try faults(folder.file()) == [])
    for (form, touches) in zip(Self.forms, [3, 4] as [UInt64]) {
      var found: [UInt64] = []
      try store.forEachGrid(
        of: GridQuery(.span(.always), layer: .taps, display: form)
      ) {
        found.append($0.touches)
        return true
      }
      #expect(found == [touches])
    }
    let kept = try store.screens(in: .always).flatMap(\.placements).map { Array($0.display.utf8) }
    #expect(kept == Self.both)
  }

  @Test func `Devices whose names differ only in Unicode form are separate`() throws {
    let store = try Store(path: folder.file(), options: options())
    var session = try record(1)
    let key = session.changedViews[0].key
    session.changedViews[0].placements = try Self.forms.map { try placement(key, device: $0) }
    try store.write(session)
    try store.rollUp(today: #require(Day("2024-05-02")))
    let kept = try store.screens(in: .always).flatMap(\.placements).map { Array($0.device.utf8) }
    #expect(kept == Self.both)
    let ghosts = Self.forms.map {
      GhostTally(device: $0, x: 1, y: 2, periodMilliseconds: 3, touches: 5)
    }
    var backlog = Backlog()
    let day = utc(WallTime(milliseconds: mayFirst))
    backlog.add([ghosts[0]], day: day)
    backlog.add([ghosts[1], ghosts[1]], day: day)
    try store.addGhosts(backlog.ghosts[0].tallies, day: day)
    #expect(try store.ghosts(on: day).map(\.touches) == [10, 5])
    #expect(try faults(folder.file()) == [])
  }

  @Test func `Checkpoints keep names in two Unicode forms apart`() throws {
    let store = try Store(path: folder.file(), options: options())
    var whole = try session(1, end: nil)
    try store.checkpoint(whole)
    for round in 1...4 as ClosedRange<UInt64> {
      for place in 0...1 {
        whole.changedGrids[place].counters.add(round, at: 2)
        whole.changedViews[place].touches += round
        whole.totals.counted += round
        whole.totals.begun += round
      }
      try store.checkpoint(whole)
    }
    #expect(try store.database.integer("SELECT count(*) FROM checkpoint") == 4)
    #expect(try faults(folder.file()) == [])
    let other = try TemporaryFolder()
    for suffix in ["", "-wal"] {
      try write(contents(folder.file() + suffix), to: other.file() + suffix)
    }
    let next = try Store(path: other.file(), options: options())
    #expect(try next.closeUnfinished() == Store.Closed(sessions: 1))
    whole.end = .recovered
    #expect(try next.session(1)?.record == ordered(whole))
    #expect(try next.session(1)?.record.totals.counted == 27)
    #expect(try faults(other.file()) == [])
  }

  @Test func `Recovery keeps names in two Unicode forms apart`() throws {
    do {
      let store = try Store(path: folder.file(), options: options())
      for id in 1...3 as ClosedRange<Int64> { try store.write(session(id)) }
      try store.rollUp(today: #require(Day("2024-05-02")))
    }
    let new = folder.file("new.db")
    let report = try Recovery.run(folder.file(), into: new, options: options())
    #expect(report.sessions == 3 && report.lost == [] && report.days == 1)
    let store = try Store(reading: new, options: options())
    #expect(try store.session(2)?.record == ordered(session(2)))
    #expect(names(try store.grids(screen: nil, layer: .taps, in: .always)) == Self.both)
    #expect(try faults(new) == [])
  }

  @Test func `Grid keys are sorted as SQLite sorts their names`() throws {
    let screens = [
      "z", "Z", "é", "e\u{301}", "e", "ê", "\u{1f600}", "\u{ffef}", "ｅ", "Å", "\u{212b}",
    ]
    let sorted = try screens.map { try key($0) }.sorted { GridKey.isBefore($0, $1) }.map(\.screen)
    let store = try Store(path: folder.file(), options: options())
    try store.database.execute("CREATE TEMP TABLE name (name TEXT)")
    for screen in screens {
      try store.database.run("INSERT INTO name VALUES (?1)", [.text(screen)])
    }
    var expected: [[UInt8]] = []
    try store.database.each("SELECT name FROM name ORDER BY name") { row throws(StoreError) in
      expected.append(Array(try row.text(0).utf8))
    }
    #expect(sorted.map { Array($0.utf8) } == expected)
    #expect(Set(try screens.map { try key($0) }).count == screens.count)
  }
}

extension SessionRecord {
  /// Adds the counts of another record of the same session.
  fileprivate mutating func add(_ other: SessionRecord) {
    changedViews += other.changedViews
    changedGrids += other.changedGrids
    totals.counted += other.totals.counted
    totals.begun += other.totals.counted
  }
}
