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

  /// Checks every view and every sum of a day. A sum must inflate to the size of its geometry, its
  /// cells must be as narrow as possible, and its three grids must agree on which blocks were
  /// touched.
  func sums(_ report: Report) throws(StoreError) -> String {
    try dayViews(report)
    let looked = try begin("daily", "sums")
    try database.each(
      """
      SELECT daily.day, daily.display, daily.screen, daily.geometry, layer, \(GridSum.columns), sessions, touches
      FROM daily LEFT JOIN daily_view USING (day, display, screen, geometry)
      """
    ) { row throws(StoreError) in
      progress(.advances)
      let day = try row.text(0)
      let text = try reading(.day(day), report) { () throws(StoreError) in try fault(ofSum: row) }
      guard let text = text ?? nil else { return }
      report(
        .day(day),
        "sums of \(day), display \(try row.text(1)), screen \(try row.text(2)), "
          + "layer \(try row.text(4)): \(text)")
    }
    return looked
  }

  private func fault(ofSum row: borrowing Statement) throws(StoreError) -> String? {
    let key = try lookup.key(row, 1, in: database)
    let layer = try row.text(4)
    let count = key.geometry.columns * key.geometry.rows
    guard !row.isNull(11) else { return "it has no view of its screen" }
    var touched: [Bool]?
    for part in GridSum.Part.allCases {
      let widest = part == .squares ? 16 : 8
      guard
        let width = try inflater.inflate(
          row, 5 + 2 * part.rawValue, count: count, widest: widest)
      else { throw database.damagedSum(.daily, try row.text(0), key, layer) }
      guard inflater.isNarrowest(width: width, count: count) else {
        return "its cells are not stored in the narrowest width"
      }
      let now = (0..<count).map { cell in
        inflater.cells[(cell * width)..<(cell * width + width)].contains { $0 != 0 }
      }
      guard now == touched ?? now else {
        return "its three grids disagree on which blocks were touched"
      }
      touched = now
      if part == .touched {
        let most = (0..<count).map { inflater.value($0, width: width) }.max() ?? 0
        if most > UInt64(clamping: row.integer(11)) {
          return "\(most) sessions touched a block, but only \(row.integer(11)) showed the screen"
        }
      }
      if part == .sum, layer == Layer.taps.rawValue {
        let taps = inflater.sum(width: width, count: count)
        guard let taps, taps <= UInt64(clamping: row.integer(12)) else {
          return "the taps exceed the touches of the screen, \(row.integer(12))"
        }
      }
    }
    return nil
  }

  private func dayViews(_ report: Report) throws(StoreError) {
    try database.each(
      """
      SELECT day, display, screen, geometry, placement, mask, daily_view.sessions, day.sessions
      FROM daily_view LEFT JOIN day USING (day)
      """
    ) { row throws(StoreError) in
      let day = try row.text(0)
      _ = try reading(.day(day), report) { () throws(StoreError) in
        _ = try lookup.key(row, 1, in: database)
        _ = try lookup.placements(row.integer(4), in: database)
        _ = try lookup.masks(row, 5, in: database)
      }
      if row.isNull(7) || row.integer(6) > row.integer(7) {
        report(
          .day(day),
          "day \(day): sessions that showed a screen, \(row.integer(6)), exceed its sessions, "
            + "\(row.integer(7))")
      }
    }
    try database.each(
      """
      SELECT day, counted, printf('%.0f', shown) FROM (
        SELECT day, counted, (SELECT total(touches) FROM daily_view WHERE day = day.day) AS shown
        FROM day)
      WHERE counted IS NOT NULL AND counted <> shown
      """
    ) { row throws(StoreError) in
      let day = try row.text(0)
      report(
        .day(day),
        "day \(day): the counted touches, \(row.integer(1)), differ from those of its screens, "
          + "\(try row.text(2))")
    }
  }
}
