internal import TouchModel

extension Inspection {
  /// Checks that the counts of panels of every session and day can be read, and that no panel of a
  /// day was touched by more sessions than the day has.
  func panels(_ report: Report) throws(StoreError) -> String {
    let looked = try begin("panel", "panel rows")
    try database.each(
      """
      SELECT \(PanelSums.columns(sessions: "1", owner: "'session ' || session")), session
      FROM panel
      """
    ) { row throws(StoreError) in
      progress(.advances)
      _ = try reading(.session(row.integer(11)), report) { () throws(StoreError) in
        try PanelSums.read(row, in: database)
      }
    }
    try database.each(
      """
      SELECT \(PanelSums.columns(sessions: "daily_panel.sessions", owner: "day")), day.sessions
      FROM daily_panel LEFT JOIN day USING (day)
      """
    ) { row throws(StoreError) in
      let day = try row.text(10)
      let read = try reading(.day(day), report) { () throws(StoreError) in
        try PanelSums.read(row, in: database)
      }
      guard let read, row.isNull(11) || read.sum.sessions > UInt64(clamping: row.integer(11)) else {
        return
      }
      report(
        Fault(
          owner: .day(day),
          text: "day \(day): the panel \(read.key.device) was touched by \(read.sum.sessions) "
            + "sessions, but the day has \(row.integer(11))"))
    }
    return looked
  }
}
