import TestSupport
import Testing
import TouchModel

@testable import Storage

/// A check tests every CHECK of the schema, even if the file can only be read.
@Suite struct RulesTests {
  /// The bytes of a store with rows in every table.
  private static let bytes = Result {
    let folder = try TemporaryFolder()
    try CareStore.make(folder.file(), sessions: 24)
    let store = try Store(path: folder.file(), options: options())
    var last = try record(25, began: mayFirst + 26 * 2 * hour)
    last.dayCounts = FlowCounts(sessions: 1).ofSession
    try store.write(last)
    try store.rollUp(today: #require(Day("2024-06-02")))
    try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return try contents(folder.file())
  }

  /// SQL changes to one or more rows, each of which breaks a rule that `damage` cannot read.
  private static let damages: [String: String] = [
    "session: \(isDay)": "day = 'Monday' WHERE id = 20",
    "session: (ended IS NULL) = (end_reason IS NULL)": "end_reason = NULL WHERE id = 20",
    "session: rolled_up = 0 OR ended IS NOT NULL": "ended = NULL WHERE id = 20",
    "session: begun = counted + masked + palms + ghosts + swallowed + still_down":
      "masked = masked + 1 WHERE id = 20",
    "day: last_began >= first_began": "last_began = first_began - 1",
    "day: begun = counted + masked + palms + ghosts + swallowed + still_down":
      "masked = masked + 1",
    "day: \(totalsAreComplete)": "drops = NULL",
    "ghost: \(isDay)": "day = 'Monday'",
    "day_count: \(isDay)":
      "day = 'Monday' WHERE (day, subject) IN (SELECT day, subject FROM day_count LIMIT 1)",
    "day_only: \(isDay)": "day = 'Monday'",
    "month: month GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]'": "month = 'May'",
  ]
  private static let isDay = "day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'"
  private static let totalsAreComplete =
    [
      "begun", "counted", "masked", "palms", "ghosts", "swallowed", "still_down", "preexisting",
      "cancelled", "clamped", "drops", "hours",
    ].map { "(\($0) IS NULL)" }.joined(separator: " + ") + " IN (0, 12)"

  private static func name(_ rule: Rule) -> String { "\(rule.table): \(rule.condition)" }

  /// Returns an SQL change to one or more rows that breaks the rule.
  private static func damage(_ rule: Rule) -> String? {
    if let change = damages[name(rule)] { return change }
    let words = rule.condition.split(separator: " ", maxSplits: 2).map(String.init)
    guard words.count == 3 else { return nil }
    let row = rule.table == "session" ? " WHERE id = 20" : ""
    switch (words[1], words[2]) {
    case (">=", "0"): return "\(words[0]) = -1\(row)"
    case (">", "0"): return "\(words[0]) = 0\(row)"
    case ("IN", let list) where list.hasPrefix("('"):
      let first = list.dropFirst().prefix { $0 != "," }
      return "\(words[0]) = 'odd' WHERE \(words[0]) = \(first)"
    case ("IN", _): return "\(words[0]) = 99\(row)"
    default: return nil
    }
  }

  @Test func `The parser finds every CHECK of the schema`() {
    let count = Schema.statements.reduce(0) { $0 + $1.split(separator: "CHECK").count - 1 }
    #expect(Schema.statements.flatMap(Rule.all(in:)).count == count)
  }

  /// Returns a store with a damage, open for reading.
  private func damaged(_ rule: Rule, in folder: TemporaryFolder) throws -> Store {
    try write(Self.bytes.get(), to: folder.file())
    let store = try Store(path: folder.file(), options: options())
    try store.database.execute(
      """
      PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;
      UPDATE \(rule.table) SET \(try #require(Self.damage(rule), "\(rule)"))
      """)
    #expect(store.database.changes > 0)
    return try Store(reading: folder.file(), options: options())
  }

  @Test(arguments: Schema.statements.flatMap(Rule.all(in:)))
  func `Each violated CHECK of the schema is found`(_ rule: Rule) throws {
    let folder = try TemporaryFolder()
    var found: [String] = []
    _ = try damaged(rule, in: folder).database.breaches { found.append($0) }
    let expected = "\(rule.table), \(rule.owner) "
    #expect(
      found.contains {
        $0.hasPrefix(expected) && $0.hasSuffix(": violates the rule " + rule.condition)
      },
      "\(found)")
  }

  @Test func `A violated CHECK is a fault of the store, and a backup fails`() throws {
    let folder = try TemporaryFolder()
    try write(Self.bytes.get(), to: folder.file())
    #expect(try faults(folder.file()) == [])
    let rules = Schema.statements.flatMap(Rule.all(in:))
    let rule = try #require(rules.first { $0.table == "session" })
    let store = try damaged(rule, in: folder)
    #expect(try faults(folder.file()).contains { $0.hasPrefix("rules: session, id 0: violates") })
    #expect(
      try failure { () throws(StoreError) in try store.backUp(to: folder.file("copy.db")) }.code
        == .damaged)
  }
}
