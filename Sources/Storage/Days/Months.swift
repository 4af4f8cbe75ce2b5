internal import TouchModel

/// Sums of months: what the sums of their days add up to, so that a year is not read day by day. Nothing is lost
/// with them, and they are made anew after every change of a day.
extension Store {
  /// Adds up every month that is over, has no session that is not rolled up, and has no sums: one transaction a
  /// month, one key and layer at a time.
  ///
  /// - Throws: the first error, after all other months have been tried; not what questions about the days
  ///   would throw too, which are then asked without the month. At once where the file is damaged.
  func addUpMonths(before today: Day) throws(StoreError) {
    var months: [String] = []
    try database.each(
      """
      SELECT DISTINCT substr(day, 1, 7) AS month FROM day
      WHERE day < ?1 AND month NOT IN (SELECT month FROM month)
        AND NOT EXISTS (
          SELECT 1 FROM session WHERE rolled_up = 0 AND \(Self.days(of: "month", "session.day")))
      ORDER BY month
      """, [.text(today.month)]
    ) { row throws(StoreError) in
      let month = try row.text(0)
      // What cannot be read stays for those who ask for it.
      if Day(month + "-01") != nil { months.append(month) }
    }
    var failure: StoreError?
    for month in months {
      do throws(StoreError) {
        try doing("adding up \(month)") { () throws(StoreError) in
          try database.transaction(.write) { () throws(StoreError) in try addUp(month: month) }
        }
      } catch {
        if error.isDamagedFile { throw error }
        if error.code != .damaged && error.code != .overflow { failure = failure ?? error }
      }
    }
    if let failure { throw failure }
  }

  /// To be called whenever the sums of a day of it change.
  func dropSums(ofMonth month: String) throws(StoreError) {
    try database.run("DELETE FROM monthly WHERE month = ?1", [.text(month)])
    try database.run("DELETE FROM month WHERE month = ?1", [.text(month)])
  }

  /// A condition on a column that holds days.
  private static func days(of month: String, _ column: String = "day") -> String {
    "\(column) BETWEEN \(month) || '-01' AND \(month) || '-31'"
  }

  private func addUp(month: String) throws(StoreError) {
    // Another process may have been faster.
    try database.run(
      """
      INSERT INTO month (month, days) SELECT ?1, count(*) FROM day WHERE \(Self.days(of: "?1"))
      ON CONFLICT DO NOTHING
      """, [.text(month)])
    guard database.changes > 0 else { return }
    for key in try sumKeys(month) {
      var sums = Tallies()
      // With IN, SQLite finds each day's row by its whole key; with BETWEEN it would go through all rows
      // of the month.
      try sums.addSums(
        of: .daily,
        where: """
          day IN (SELECT day FROM day WHERE \(Self.days(of: "?1")))
            AND display = ?2 AND screen = ?3 AND geometry = ?4 AND layer = ?5
          """, key, in: database)
      for case let sum? in sums.byKey.values.map(\.sum) {
        try sum.write(to: .monthly, key, in: database)
      }
    }
  }

  /// The columns of `monthly` that name what is to be added up: rows, as in `RollingUp`.
  private func sumKeys(_ month: String) throws(StoreError) -> [[SQLValue]] {
    var keys: [[SQLValue]] = []
    try database.each(
      """
      SELECT DISTINCT display, screen, geometry, layer FROM daily WHERE \(Self.days(of: "?1"))
      """, [.text(month)]
    ) { row throws(StoreError) in
      keys.append([
        .text(month), .text(try row.text(0)), .text(try row.text(1)), .integer(row.integer(2)),
        .text(try row.text(3)),
      ])
    }
    return keys
  }
}
