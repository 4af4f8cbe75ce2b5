internal import TouchModel

/// Sums of months. Each is the sum of its days, so that a query for a year need not read every day.
/// They are deleted whenever one of their days changes, and can always be computed again.
extension Store {
  /// Adds up every month that has ended, has no sums yet, and whose sessions are all rolled up.
  /// Uses one transaction per month, and adds up one key and layer at a time.
  ///
  /// - Throws: the first error, after all other months were tried. If the file is damaged, no other
  ///   month is tried.
  ///   Does not throw `.damaged` for a row, nor `.overflow`: queries then read the days of the
  ///   month, and report the error themselves.
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
      // An unreadable row is reported by the queries that need it, not here.
      if Day(month + "-01") != nil { months.append(month) }
    }
    var failure: StoreError?
    for month in months {
      do throws(StoreError) {
        try transaction(.write, "adding up \(month)") { () throws(StoreError) in
          try addUp(month: month)
        }
      } catch {
        if error.isDamagedFile { throw error }
        if error.code != .damaged && error.code != .overflow { failure = failure ?? error }
      }
    }
    if let failure { throw failure }
  }

  /// Deletes the sums of a month. Call whenever the sums of one of its days change.
  func dropSums(ofMonth month: String) throws(StoreError) {
    try database.run("DELETE FROM monthly WHERE month = ?1", [.text(month)])
    try database.run("DELETE FROM month WHERE month = ?1", [.text(month)])
  }

  /// Returns an SQL condition: the column holds a day of the month.
  private static func days(of month: String, _ column: String = "day") -> String {
    "\(column) BETWEEN \(month) || '-01' AND \(month) || '-31'"
  }

  private func addUp(month: String) throws(StoreError) {
    // Another process may have added up the month meanwhile.
    try database.run(
      """
      INSERT INTO month (month, days) SELECT ?1, count(*) FROM day WHERE \(Self.days(of: "?1"))
      ON CONFLICT DO NOTHING
      """, [.text(month)])
    guard database.changes > 0 else { return }
    // These are rows, not `GridKey`s: SQLite compares names byte by byte, and Swift does not.
    let ofMonth = Self.days(of: "?1")
    let keys = try database.all(
      "SELECT DISTINCT ?1, display, screen, geometry, layer FROM daily WHERE \(ofMonth)",
      [.text(month)]
    ) { row throws(StoreError) in try row.layerKey }
    for key in keys {
      var sums = ScreenSums()
      // With IN, SQLite finds each day's row by its whole key. With BETWEEN, it would scan all rows
      // of the month.
      try sums.addGrids(
        of: .day,
        where: """
          day IN (SELECT day FROM day WHERE \(Self.days(of: "?1")))
            AND display = ?2 AND screen = ?3 AND geometry = ?4 AND layer = ?5
          """, key, in: database)
      for case let sum? in sums.byKey.values.map(\.sum) {
        try sum.write(.month, key, in: database)
      }
    }
  }
}
