internal import TouchModel

extension Inspection {
  /// Checks the counts of controls of every session and day: they can be read, none is missing,
  /// and they hold no more touches than their screen.
  func controls(_ report: Report) throws(StoreError) -> String {
    let looked = try begin("control", "control rows")
    try inspect(
      """
      SELECT control.display, control.screen, control.geometry, control_set, 1, bytes_per_cell,
        cells, 'session ' || control.session, touches, session
      FROM control LEFT JOIN screen_view USING (session, display, screen, geometry)
      """, report
    ) { row throws(StoreError) in .session(row.integer(9)) }
    try inspect(
      """
      SELECT daily_control.display, daily_control.screen, daily_control.geometry, control_set,
        daily_control.sessions, bytes_per_cell, cells, day, touches, day
      FROM daily_control LEFT JOIN daily_view USING (day, display, screen, geometry)
      """, report
    ) { row throws(StoreError) in .day(try row.text(9)) }
    try count(in: "control", of: "screen_view", by: "session", report) { row throws(StoreError) in
      .session(row.integer(0))
    }
    try count(in: "daily_control", of: "daily_view", by: "day", report) { row throws(StoreError) in
      .day(try row.text(0))
    }
    return looked
  }

  private func inspect(
    _ sql: String, _ report: Report,
    owner: (borrowing Statement) throws(StoreError) -> Fault.Owner
  ) throws(StoreError) {
    var sums = ScreenSums()
    try database.each(sql) { row throws(StoreError) in
      progress(.advances)
      let owner = try owner(row)
      let read = try reading(owner, report) { () throws(StoreError) in
        let key = try sums.lookup.key(row, 0, in: database)
        let set = try sums.lookup.controlSet(row.integer(3), in: database)
        return ControlCounts(
          key: key, set: set, numbers: try sums.controlNumbers(row, 5, set, in: database))
      }
      guard let counts = read else { return }
      let name =
        "controls of \(try row.text(7)), display \(counts.key.display), screen \(counts.key.screen)"
      func check(_ holds: Bool, _ text: String) {
        if !holds { report(Fault(owner: owner, text: "\(name): \(text)")) }
      }
      check(counts.isPlausible, "the numbers contradict each other")
      guard !row.isNull(8) else { return check(false, "they have no view of their screen") }
      check(
        counts.touches <= row.integer(8),
        "their touches, \(counts.touches), exceed those of the screen, \(row.integer(8))")
    }
  }

  /// Checks that every view has as many rows of counts as it says.
  private func count(
    in table: String, of views: String, by period: String, _ report: Report,
    owner: (borrowing Statement) throws(StoreError) -> Fault.Owner
  ) throws(StoreError) {
    try database.each(
      """
      SELECT \(period), screen, control_sets, found FROM (
        SELECT \(period), screen, control_sets, (
          SELECT count(*) FROM \(table) AS own
          WHERE own.\(period) = \(views).\(period) AND own.display = \(views).display
            AND own.screen = \(views).screen AND own.geometry = \(views).geometry) AS found
        FROM \(views))
      WHERE control_sets <> found
      """
    ) { row throws(StoreError) in
      report(
        Fault(
          owner: try owner(row),
          text: "\(period) \(try row.text(0)): the screen \(try row.text(1)) has counts of "
            + "\(row.integer(3)) sets of controls, not \(row.integer(2))"))
    }
  }
}
