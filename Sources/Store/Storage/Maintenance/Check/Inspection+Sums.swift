internal import Text
internal import TouchModel

/// Checks sums by computing them again from their parts.
extension Inspection {
  /// Checks the days whose sessions are all still stored.
  func wholeDays(_ report: Report) throws(StoreError) -> String {
    let days = try database.all(
      """
      SELECT day FROM day WHERE sessions = (
        SELECT count(*) FROM session WHERE session.day = day.day AND rolled_up = 1)
      """
    ) { row throws(StoreError) in try row.text(0) }
    progress(.begins(days.count, "days"))
    for day in days {
      let text = try reading(.day(day), report) { () throws(StoreError) in try fault(ofDay: day) }
      if let text = text ?? nil { report(.day(day), "day \(day): \(text)") }
      progress(.advances)
    }
    return counted(days.count, "day")
  }

  private static let ofSessions = "session.day = ?1 AND session.rolled_up = 1"

  private func fault(ofDay day: String) throws(StoreError) -> String? {
    let sums =
      [("first_began", "min(began)"), ("last_began", "max(began)")]
      + SessionTotals.fields.map { ($0.column, "sum(\($0.column))") }
    let wrong = sums.map { "\($0) <> (SELECT \($1) FROM session WHERE \(Self.ofSessions))" }
      .joined(separator: " OR ")
    if try database.integer(
      "SELECT count(*) FROM day WHERE day = ?1 AND (\(wrong))", [.text(day)]) > 0
    {
      return "its totals differ from the sum of its sessions"
    }
    var (made, kept) = (ScreenSums(), ScreenSums())
    try made.addViews(of: .session, where: Self.ofSessions, [.text(day)], in: database)
    try kept.addViews(of: .day, where: "day = ?1", [.text(day)], in: database)
    guard Set(made.byKey.keys) == Set(kept.byKey.keys) else {
      return "its screens differ from those of its sessions"
    }
    if try countsDiffer(on: day, sessions: Self.ofSessions) {
      return "its counts differ from those of its sessions"
    }
    for (key, tally) in made.byKey {
      guard let other = kept.byKey[key], tally.sessions == other.sessions,
        tally.touches == other.touches, tally.shownMilliseconds == other.shownMilliseconds,
        Placement.text(tally.allPlacements).hasSameBytes(as: Placement.text(other.allPlacements)),
        Rectangle.union([tally.masks], on: key.geometry)
          == Rectangle.union([other.masks], on: key.geometry)
      else { return "the totals of the screen \(key.screen) differ from the sum of its sessions" }
      for layer in Layer.allCases {
        let values = [SQLValue.text(day)] + (try place(key)) + [.text(layer.rawValue)]
        let condition = "display = ?2 AND screen = ?3 AND geometry = ?4 AND layer = ?5"
        var (made, kept) = (ScreenSums(), ScreenSums())
        try made.addGrids(
          of: .session, where: Self.ofSessions + " AND " + condition, values, in: database)
        try kept.addGrids(of: .day, where: "day = ?1 AND " + condition, values, in: database)
        guard Self.isSame(made, kept) else {
          return
            "the sums of the screen \(key.screen), layer \(layer), differ from those of its sessions"
        }
      }
    }
    return nil
  }

  /// Returns the columns `display`, `screen` and `geometry` of a key. Unlike `values(of:)`, it does
  /// not add a missing geometry to the store.
  func place(_ key: GridKey) throws(StoreError) -> [SQLValue] {
    [
      .text(key.display), .text(key.screen),
      .integer(try database.knownNumber(of: key.geometry) ?? 0),
    ]
  }

  /// Whether two sums, each of at most one key and layer, are equal.
  private static func isSame(_ one: ScreenSums, _ other: ScreenSums) -> Bool {
    let (one, other) = (one.byKey.values.first?.sum, other.byKey.values.first?.sum)
    guard let one, let other else { return one == nil && other == nil }
    return one.sum == other.sum && one.sumOfSquares == other.sumOfSquares
      && one.touched == other.touched
  }

  func months(_ report: Report) throws(StoreError) -> String {
    let looked = try begin("month", "months")
    try database.each(
      """
      SELECT month, days, (SELECT count(*) FROM day WHERE substr(day, 1, 7) = month) FROM month
      """
    ) { row throws(StoreError) in
      progress(.advances)
      let month = try row.text(0)
      func fault(_ text: String) { report(.store, "month \(month): \(text)") }
      guard row.integer(1) == row.integer(2) else {
        return fault(
          "its sums were added up from \(row.integer(1)) days, but the store has \(row.integer(2)) "
            + "days of this month")
      }
      let different = try reading(.store, report) { () throws(StoreError) in
        try differs(month: month)
      }
      if different == true { fault("its sums differ from those of its days") }
    }
    return looked
  }

  /// Whether the sums of a month differ from the sums of its days. Compares one key and layer at a
  /// time.
  private func differs(month: String) throws(StoreError) -> Bool {
    let ofMonth = "day IN (SELECT day FROM day WHERE substr(day, 1, 7) = ?1)"
    let keys = try database.all(
      """
      SELECT DISTINCT ?1, display, screen, geometry, layer FROM daily WHERE \(ofMonth)
      UNION SELECT month, display, screen, geometry, layer FROM monthly WHERE month = ?1
      """, [.text(month)]
    ) { row throws(StoreError) in try row.layerKey }
    for key in keys {
      let condition = " AND display = ?2 AND screen = ?3 AND geometry = ?4 AND layer = ?5"
      var (made, kept) = (ScreenSums(), ScreenSums())
      try made.addGrids(of: .day, where: ofMonth + condition, key, in: database)
      try kept.addGrids(of: .month, where: "month = ?1" + condition, key, in: database)
      guard Self.isSame(made, kept) else { return true }
    }
    return false
  }
}
