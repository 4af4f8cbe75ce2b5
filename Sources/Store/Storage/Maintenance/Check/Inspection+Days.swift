internal import TouchModel

extension Inspection {
  /// Checks every day: it can be read, its totals add up, its hours add up to its sessions, and its
  /// stored sessions are no more than these and began between `first_began` and `last_began`.
  func days(_ report: Report) throws(StoreError) -> String {
    let looked = try begin("day", "days")
    try database.each(
      "SELECT day, sessions, first_began, last_began, \(DayTotals.columns) FROM day"
    ) { row throws(StoreError) in
      progress(.advances)
      let name = try row.text(0)
      func check(_ holds: Bool, _ text: String) {
        if !holds { report(.day(name), "day \(name): \(text)") }
      }
      guard let day = Day(name) else { return check(false, "is not a date") }
      check(row.integer(2) <= row.integer(3), "its first session began after its last one")
      let read = try reading(.day(name), report) { () throws(StoreError) in
        try DayTotals(row, 4, day: day, in: database)
      }
      guard case .some(.some(let totals)) = read else { return }
      check(totals.totals.isBalanced, "the totals do not add up")
      let hours = totals.hours.reduce(UInt64(0)) { $0.addingReportingOverflow($1).partialValue }
      check(
        hours == UInt64(clamping: row.integer(1)),
        "it has \(row.integer(1)) sessions, but the sum of its hours is \(hours)")
    }
    try database.each(
      """
      SELECT day, count(*), (SELECT sessions FROM day WHERE day.day = session.day) AS known
      FROM session WHERE rolled_up = 1 GROUP BY day
      """
    ) { row throws(StoreError) in
      let name = try row.text(0)
      guard row.isNull(2) || row.integer(1) > row.integer(2) else { return }
      let text =
        row.isNull(2)
        ? "its sessions are marked as rolled up, but it has no sums"
        : "\(row.integer(1)) sessions are marked as rolled up, but the sums include only "
          + "\(row.integer(2))"
      report(.day(name), "day \(name): \(text)")
    }
    try database.each(
      """
      SELECT id, day.day FROM session JOIN day USING (day)
      WHERE rolled_up = 1 AND began NOT BETWEEN first_began AND last_began
      """
    ) { row throws(StoreError) in
      report(
        .session(row.integer(0)),
        "session \(row.integer(0)): it is rolled up, but began outside the range of day "
          + "\(try row.text(1))")
    }
    return looked
  }

  /// Checks the views of the days as those of sessions, and that no screen was shown by more
  /// sessions than the day has. Then checks the sums of their grids.
  func sums(_ report: Report) throws(StoreError) -> String {
    _ = try views(of: .day, report)
    try database.each(
      """
      SELECT day, daily_view.sessions, day.sessions FROM daily_view LEFT JOIN day USING (day)
      WHERE day.sessions IS NULL OR daily_view.sessions > day.sessions
      """
    ) { row throws(StoreError) in
      let day = try row.text(0)
      report(
        .day(day),
        "day \(day): sessions that showed a screen, \(row.integer(1)), exceed its sessions, "
          + "\(row.integer(2))")
    }
    return try grids(of: .day, report)
  }
}
