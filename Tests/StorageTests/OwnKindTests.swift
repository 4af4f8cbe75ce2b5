import TestSupport
import Testing
import TouchModel

@testable import Storage

/// A kind of counts that no other part of the project knows: touches by the eighth of the display, and
/// one of days only. What this suite proves holds for every kind.
private struct OctantKind: CountKind {
  let name: String
  let isOnlyOfDays: Bool
  let isOfFleets = true
  let disclosure = CountDisclosure.nothing(reason: "they are of a test")

  func shape(of key: String) -> CountShape? {
    guard key.hasPrefix("{\"display\":") else { return nil }
    return CountShape(count: 8) { numbers, sessions in
      numbers.allSatisfy { $0 >= 0 } && numbers.reduce(0, +) >= sessions
    }
  }

  func isHidden(_ counts: SummedCounts) -> Bool { isOnlyOfDays && counts.sessions < 3 }

  func key(_ key: String, at kiosk: String) -> String {
    key.replacing(":\"", with: ":\"\(kiosk)/", maxReplacements: 1)
  }
}

@Suite final class OwnKindTests {
  private static let kinds = [
    OctantKind(name: "octants", isOnlyOfDays: false), OctantKind(name: "walks", isOnlyOfDays: true),
  ]
  private static var options: StoreOptions {
    var options = StorageTests.options()
    options.kinds = CountKinds(kinds)
    return options
  }

  private let folder: TemporaryFolder
  private let store: Store
  private let day: Day
  private let rollUpDay: Day

  init() throws {
    folder = try TemporaryFolder()
    store = try Store(path: folder.file(), options: Self.options)
    day = try #require(Day("2024-05-01"))
    rollUpDay = try #require(Day("2024-06-01"))
  }

  private func counts(_ kind: String, _ number: Int64, _ display: String = "a") -> SubjectCounts {
    SubjectCounts(
      CountSubject(kind: kind, key: "{\"display\":\"\(display)\"}"),
      [number, 0, 1, 0, 0, 0, 0, 1 << 40])
  }

  private func session(_ id: Int64) throws -> SessionRecord {
    var session = try record(id, began: mayFirst + id * 1000)
    session.changedCounts = [counts("octants", id), counts("octants", 5, "b")]
    session.dayCounts = [counts("walks", id)]
    return session
  }

  /// The counts of the day, as `octants a`, with the number of sessions and the first number.
  private func sums(_ store: Store) throws -> [String: [Int64]] {
    let content = try #require(try store.content(of: day))
    return Dictionary(
      uniqueKeysWithValues: content.counts.map {
        (
          "\($0.subject.kind) \($0.subject.key.dropFirst(12).dropLast(2))",
          [Int64($0.sessions), $0.numbers[0]]
        )
      })
  }

  @Test func `Its sums are made, forgotten in part, and imported`() throws {
    for id in Int64(1)...3 { try store.write(session(id)) }
    let all =
      ["octants a": [3, 6], "octants b": [3, 15], "walks a": [3, 6]] as [String: [Int64]]
    #expect(try sums(store) == all)
    try store.rollUp(today: rollUpDay)
    #expect(try sums(store) == all && store.check().flatMap(\.faults) == [])

    var imported = ImportedDay(day, kinds: CountKinds(Self.kinds))
    let content = try #require(try store.content(of: day))
    for kiosk in ["x", "y"] { try imported.add(content, of: kiosk) }
    let other = try Store(path: folder.path("sum.db"), options: Self.options)
    try other.write(imported)
    #expect(try sums(other)["octants x/a"] == [3, 6] && sums(other)["walks y/a"] == [3, 6])
    #expect(try other.check().flatMap(\.faults) == [])

    // The sums of a day that has lost a session to its age cannot be made anew.
    try store.retain(through: 1, maxSize: nil)
    #expect(try sums(store) == all)
    _ = try store.forget(.session(2))
    #expect(try sums(store) == ["octants a": [2, 4], "octants b": [2, 10]])
    _ = try store.forget(.span(.always))
    #expect(try store.completeDays(before: rollUpDay).isEmpty)
    #expect(try store.database.integer("SELECT count(*) FROM subject") == 0)
  }

  @Test func `Queries add it up for all days or for each, and hide what few sessions have`() throws
  {
    for id in Int64(1)...3 { try store.write(session(id)) }
    var next = try session(4)
    next.began = WallTime(milliseconds: next.began.milliseconds + dayLength)
    next.lastActive = next.began
    try store.write(next)
    /// The day, the sessions and the first number of each subject, and how many are hidden.
    func answer(
      _ kind: String, _ sessions: GridQuery.Sessions = .span(.always), isByDay: Bool = false,
      screen: String? = nil
    ) throws -> [String] {
      let answer = try store.counts(
        of: CountQuery(kind, sessions, screen: screen, isByDay: isByDay))
      return answer.counts.map {
        "\($0.day?.suffix(2) ?? "") \($0.counts.sessions) \($0.counts.numbers[0])"
      } + ["hidden \(answer.hidden)"]
    }
    for isRolledUp in [false, true] {
      if isRolledUp { try store.rollUp(today: rollUpDay) }
      #expect(try answer("octants") == [" 4 10", " 4 20", "hidden 0"])
      #expect(try answer("octants", .one(2)) == [" 1 2", " 1 5", "hidden 0"])
      #expect(
        try answer("octants", isByDay: true)
          == ["01 3 6", "01 3 15", "02 1 4", "02 1 5", "hidden 0"])
      let noon = WallTime(milliseconds: mayFirst + dayLength / 2)
      let since = GridQuery.Sessions.span(TimeSpan(since: noon))
      #expect(try answer("octants", since, isByDay: true) == ["02 1 4", "02 1 5", "hidden 0"])
      // The span cuts the first day.
      let cut = TimeSpan(since: WallTime(milliseconds: mayFirst + 1500), until: noon)
      #expect(
        try answer("octants", .span(cut), isByDay: true) == ["01 2 5", "01 2 10", "hidden 0"])
      #expect(try answer("walks") == [" 4 10", "hidden 0"])
      #expect(try answer("walks", .day(day)) == [" 3 6", "hidden 0"])
      #expect(try answer("walks", isByDay: true) == ["01 3 6", "hidden 1"])
      let wednesday = SessionFilter(weekdays: [.wednesday])
      #expect(try answer("walks", .span(.always, wednesday)) == [" 3 6", "hidden 0"])
      // Its subjects belong to no screen.
      for kind in ["octants", "walks"] {
        #expect(try answer(kind, screen: "default") == ["hidden 0"])
      }
    }
    // A session that comes late, because the clock was set back.
    try store.write(session(5))
    for _ in 0..<2 {
      #expect(try answer("octants", .day(day)) == [" 4 11", " 4 20", "hidden 0"])
      #expect(try store.check().flatMap(\.faults) == [])
      try store.rollUp(today: rollUpDay)
    }
    let tagged = SessionFilter(tags: ["build": "1"])
    for (kind, sessions) in [
      ("none", .span(.always)), ("walks", .one(1)), ("walks", .span(.always, tagged)),
    ] as [(String, GridQuery.Sessions)] {
      #expect(throws: StoreError.self) { try answer(kind, sessions) }
    }
  }

  @Test(arguments: [
    "DELETE FROM session_count WHERE subject = (SELECT min(subject) FROM session_count)",
    "UPDATE day_count SET bytes = 3", "DELETE FROM subject", "UPDATE subject SET key = 'a' || key",
  ])
  func `Damage of its rows is found, and costs no session`(damage: String) throws {
    for id in Int64(1)...3 { try store.write(session(id)) }
    try store.rollUp(today: rollUpDay)
    try store.database.execute("PRAGMA foreign_keys = OFF; \(damage)")
    #expect(try !store.check().flatMap(\.faults).isEmpty)
    let report = try Recovery.run(
      folder.file(), into: folder.path("new.db"), options: Self.options)
    #expect(report.sessions == 3 && report.lost == [])
    let recovered = try Store(path: folder.path("new.db"), options: Self.options)
    #expect(try recovered.check().flatMap(\.faults) == [])
  }
}
