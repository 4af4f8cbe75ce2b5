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
    last.flow = FlowCounts(sessions: 1)
    try store.write(last)
    try store.rollUp(today: #require(Day("2024-06-02")))
    try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return try contents(folder.file())
  }

  /// For each rule, an SQL change to one or more rows that breaks the rule.
  private static let damages: [String: String] = [
    "run: id > 0": "id = 0",
    "geometry: rotation IN (0, 90, 180, 270)": "rotation = 45",
    "geometry: columns > 0": "columns = 0",
    "geometry: rows > 0": "rows = 0",
    "session: id > 0": "id = -1 WHERE id = 20",
    "session: \(isDay)": "day = 'Monday' WHERE id = 20",
    "session: end_reason IN ('idle', 'max_duration', 'client', 'stopped', 'recovered')":
      "end_reason = 'bored' WHERE id = 20",
    "session: begun >= 0": "begun = -1 WHERE id = 20",
    "session: counted >= 0": "counted = -1 WHERE id = 20",
    "session: masked >= 0": "masked = -1 WHERE id = 20",
    "session: palms >= 0": "palms = -1 WHERE id = 20",
    "session: ghosts >= 0": "ghosts = -1 WHERE id = 20",
    "session: still_down >= 0": "still_down = -1 WHERE id = 20",
    "session: preexisting >= 0": "preexisting = -1 WHERE id = 20",
    "session: cancelled >= 0": "cancelled = -1 WHERE id = 20",
    "session: clamped >= 0": "clamped = -1 WHERE id = 20",
    "session: drops >= 0": "drops = -1 WHERE id = 20",
    "session: rolled_up IN (0, 1)": "rolled_up = 7 WHERE id = 20",
    "session: (ended IS NULL) = (end_reason IS NULL)": "end_reason = NULL WHERE id = 20",
    "session: rolled_up = 0 OR ended IS NOT NULL": "ended = NULL WHERE id = 20",
    "session: begun = counted + masked + palms + ghosts + still_down":
      "masked = masked + 1 WHERE id = 20",
    "screen_view: shown_ms >= 0": "shown_ms = -1 WHERE session = 20",
    "screen_view: touches >= 0": "touches = -1 WHERE session = 20",
    "grid: layer IN ('taps', 'trail', 'dwell')": "layer = 'tops' WHERE layer = 'taps'",
    "grid: bytes_per_cell IN (1, 2, 4, 8)": "bytes_per_cell = 3 WHERE session = 20",
    "screen_view: control_sets >= 0": "control_sets = -1 WHERE session = 20",
    "control: bytes_per_cell IN (1, 2, 4, 8)": "bytes_per_cell = 3",
    "daily_view: control_sets >= 0": "control_sets = -1",
    "daily_control: sessions > 0": "sessions = 0",
    "daily_control: bytes_per_cell IN (1, 2, 4, 8)": "bytes_per_cell = 16",
    "day: sessions > 0": "sessions = 0",
    "day: last_began >= first_began": "last_began = first_began - 1",
    "day: begun >= 0": "begun = -1",
    "day: counted >= 0": "counted = -1",
    "day: masked >= 0": "masked = -1",
    "day: palms >= 0": "palms = -1",
    "day: ghosts >= 0": "ghosts = -1",
    "day: still_down >= 0": "still_down = -1",
    "day: preexisting >= 0": "preexisting = -1",
    "day: cancelled >= 0": "cancelled = -1",
    "day: clamped >= 0": "clamped = -1",
    "day: drops >= 0": "drops = -1",
    "day: begun = counted + masked + palms + ghosts + still_down": "masked = masked + 1",
    "day: \(totalsAreComplete)": "drops = NULL",
    "daily_view: sessions > 0": "sessions = 0",
    "daily_view: shown_ms >= 0": "shown_ms = -1",
    "daily_view: touches >= 0": "touches = -1",
    "daily: layer IN ('taps', 'trail', 'dwell')": "layer = 'tops' WHERE layer = 'taps'",
    "daily: sum_bytes IN (1, 2, 4, 8)": "sum_bytes = 16",
    "daily: square_bytes IN (1, 2, 4, 8, 16)": "square_bytes = 0",
    "daily: touched_bytes IN (1, 2, 4, 8)": "touched_bytes = 5",
    "daily_panel: sessions > 0": "sessions = 0",
    "daily_panel: bytes > 0": "bytes = 0",
    "panel: bytes > 0": "bytes = 0 WHERE session = 20",
    "flow: sessions > 0": "sessions = 0",
    "flow: bytes > 0": "bytes = 0",
    "ghost: \(isDay)": "day = 'Monday'",
    "ghost: touches >= 0": "touches = -1",
    "month: month GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]'": "month = 'May'",
    "month: days > 0": "days = 0",
    "monthly: layer IN ('taps', 'trail', 'dwell')": "layer = 'tops' WHERE layer = 'taps'",
    "monthly: sum_bytes IN (1, 2, 4, 8)": "sum_bytes = 16",
    "monthly: square_bytes IN (1, 2, 4, 8, 16)": "square_bytes = 0",
    "monthly: touched_bytes IN (1, 2, 4, 8)": "touched_bytes = 5",
  ]
  private static let isDay = "day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'"
  private static let totalsAreComplete =
    [
      "begun", "counted", "masked", "palms", "ghosts", "still_down", "preexisting", "cancelled",
      "clamped", "drops", "hours",
    ].map { "(\($0) IS NULL)" }.joined(separator: " + ") + " IN (0, 11)"

  private static func name(_ rule: Rule) -> String { "\(rule.table): \(rule.condition)" }

  @Test func `This test has a damage for every CHECK of the schema`() {
    let rules = Schema.statements.flatMap(Rule.all(in:))
    #expect(Set(rules.map(Self.name)) == Set(Self.damages.keys))
    // The parser finds every CHECK in the schema.
    let count = Schema.statements.reduce(0) { $0 + $1.split(separator: "CHECK").count - 1 }
    #expect(rules.count == count)
  }

  @Test(arguments: Schema.statements.flatMap(Rule.all(in:)))
  func `The check finds each violated CHECK of the schema`(
    _ rule: Rule
  ) throws {
    let change = try #require(Self.damages[Self.name(rule)])
    let folder = try TemporaryFolder()
    try write(Self.bytes.get(), to: folder.file())
    #expect(try faults(folder.file()) == [])
    do {
      let store = try Store(path: folder.file(), options: options())
      try store.database.execute(
        """
        PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;
        UPDATE \(rule.table) SET \(change)
        """)
      #expect(store.database.changes > 0)
    }
    let found = try faults(folder.file())
    let expected = "rules: \(rule.table), \(rule.owner) "
    #expect(
      found.contains {
        $0.hasPrefix(expected) && $0.hasSuffix(": violates the rule " + rule.condition)
      },
      "\(found)")
    // A backup of the damaged store fails too.
    let store = try Store(reading: folder.file(), options: options())
    #expect(
      try failure { () throws(StoreError) in try store.backUp(to: folder.file("copy.db")) }.code
        == .damaged)
  }
}
