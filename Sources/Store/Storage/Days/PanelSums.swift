internal import TouchModel

/// The sum of the counts of one panel.
struct PanelSum: Equatable {
  /// The sessions that touched the panel.
  var sessions: UInt64 = 0
  var counts = PanelCounts()

  /// - Throws: `.overflow` if a sum exceeds what is believed.
  mutating func add(_ other: PanelSum) throws(StoreError) {
    try sessions.add(other.sessions, "sessions")
    // No number of two plausible counts is large enough to overflow.
    counts += other.counts
    guard counts.isPlausible else {
      throw StoreError(.overflow, message: "a sum of the counts of a panel is too large")
    }
  }

  /// - Returns: nil if the other sum is no part of this one.
  func without(_ other: PanelSum) -> PanelSum? {
    guard sessions >= other.sessions else { return nil }
    let numbers = zip(counts.numbers, other.counts.numbers).map { $0 - $1 }
    let rest = PanelSum(
      sessions: sessions - other.sessions, counts: PanelCounts(numbers: numbers))
    let isPart = rest.sessions == 0 ? numbers.allSatisfy { $0 == 0 } : rest.counts.isPlausible
    return isPart ? rest : nil
  }

  /// Writes the sum of a day, or removes it if no session is left in it.
  func write(
    _ key: PanelKey, on day: Day, in database: borrowing Database
  ) throws(StoreError) {
    let values = [.text(day.text)] + PanelRow.values(key)
    guard sessions > 0 else {
      return try database.run(
        """
        DELETE FROM daily_panel
        WHERE day = ?1 AND (\(PanelRow.key)) = (?2, ?3, ?4, ?5, ?6, ?7, ?8)
        """, values)
    }
    try database.run(
      """
      INSERT OR REPLACE INTO daily_panel (day, \(PanelRow.key), sessions, bytes, counts)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
      """, values + [try .count(sessions, "sessions")] + PanelRow.values(counts))
  }
}

/// The sums of all panels.
struct PanelSums {
  private(set) var byKey: [PanelKey: PanelSum] = [:]

  var sorted: [(key: PanelKey, sum: PanelSum)] {
    byKey.sorted { PanelKey.isBefore($0.key, $1.key) }.map { (key: $0.key, sum: $0.value) }
  }

  func summed(_ day: Day) -> [SummedPanel] {
    sorted.map {
      SummedPanel(
        day: day.text, key: $0.key, sessions: $0.sum.sessions, counts: $0.sum.counts)
    }
  }

  mutating func add(_ sum: PanelSum, to key: PanelKey) throws(StoreError) {
    try byKey[key, default: PanelSum()].add(sum)
  }

  /// Adds the counts of sessions.
  /// - Parameter condition: an SQL condition on `session` and `panel`.
  mutating func addSessions(
    where condition: String, _ values: [SQLValue], in database: borrowing Database
  ) throws(StoreError) {
    try database.each(
      """
      SELECT \(Self.columns(sessions: "1", owner: "'session ' || session"))
      FROM session CROSS JOIN panel ON panel.session = session.id WHERE \(condition)
      """, values
    ) { row throws(StoreError) in
      let (key, sum) = try Self.read(row, in: database)
      try add(sum, to: key)
    }
  }

  /// Adds the sums of days.
  /// - Parameter condition: an SQL condition on `daily_panel`.
  mutating func addDays(
    where condition: String, _ values: [SQLValue], in database: borrowing Database
  ) throws(StoreError) {
    try database.each(
      """
      SELECT \(Self.columns(sessions: "sessions", owner: "day")) FROM daily_panel
      WHERE \(condition)
      """, values
    ) { row throws(StoreError) in
      let (key, sum) = try Self.read(row, in: database)
      try add(sum, to: key)
    }
  }

  /// The columns that `read` needs.
  static func columns(sessions: String, owner: String) -> String {
    "\(PanelRow.key), \(sessions), bytes, counts, \(owner)"
  }

  /// - Throws: `.damaged` if the row cannot be read.
  static func read(
    _ row: borrowing Statement, in database: borrowing Database
  ) throws(StoreError) -> (key: PanelKey, sum: PanelSum) {
    let key = try PanelRow.key(row, 0, in: database)
    guard let counts = PanelRow.counts(row, 8) else {
      throw database.damaged(
        "the counts of the panel \(key.device), \(try row.text(10)), cannot be read")
    }
    return (key, PanelSum(sessions: try row.count(7), counts: counts))
  }
}
