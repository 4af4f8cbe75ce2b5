public import TouchModel

extension Store {
  /// Returns a summary of each day on which sessions of the span began, oldest first. This includes
  /// days whose sessions were deleted, and days of the span with only suspected ghosts.
  ///
  /// - Parameters:
  ///   - weekdays: only days that are one of these.
  ///   - running: the current state of a running session; replaces its stored state.
  /// - Throws: `.onlyWholeDays` if the span covers only a part of one of these days, from which
  ///   sessions were deleted.
  public func days(
    in span: TimeSpan, on weekdays: Set<Weekday> = SessionFilter.allWeekdays,
    running: SessionRecord? = nil
  ) throws(StoreError) -> [DaySummary] {
    try transaction(.read, "reading days") { () throws(StoreError) in
      guard let bounds = span.bounds else { return [] }
      let sources = try Sources(bounds, on: weekdays, in: database)
      var days: [Day: DaySummary] = [:]
      for day in sources.wholeDays {
        try days[day, default: DaySummary(day: day)].add(try summary(ofWhole: day))
      }
      let stored = try running.flatMap { record throws(StoreError) in try head(record.id) }
      // If the session is rolled up, it has ended since the caller read its state, and the sums
      // include it.
      let running = stored?.isRolledUp == true ? nil : running
      for (condition, values) in sources.conditions {
        try addSessions(where: condition, values, but: running?.id, to: &days)
      }
      if let running, span.contains(running.began) {
        let day = stored?.day ?? self.day(of: running.began)
        if weekdays.contains(day.weekday) {
          try days[day, default: DaySummary(day: day)]
            .add(running.totals, hour: hour(running.began, on: day, by: options.clock()))
        }
      }
      try addGhosts(span, on: weekdays, to: &days)
      return days.values.sorted { $0.day < $1.day }
    }
  }

  /// Returns the summary of the sessions in a day's sums. If the day has no totals, they are
  /// computed from the sessions, provided that all of these are still stored. Its hours remain
  /// unknown, because the time zone has evidently changed since it was rolled up.
  func summary(ofWhole day: Day) throws(StoreError) -> DaySummary {
    let known = try rolledUp(day) ?? DaySummary(day: day)
    guard known.totals == nil else { return known }
    var made = try summary(ofSessions: day)
    made.hours = nil
    return made.sessions == known.sessions ? made : known
  }

  /// Returns the summary in the day's row of the table `day`; nil if there is no row.
  func rolledUp(_ day: Day) throws(StoreError) -> DaySummary? {
    try database.first(
      "SELECT sessions, \(DayTotals.columns) FROM day WHERE day = ?1", [.text(day.text)]
    ) { row throws(StoreError) in
      let totals = try DayTotals(row, 1, day: day, in: database)
      return DaySummary(
        day: day, sessions: try row.count(0), totals: totals?.totals, hours: totals?.hours)
    }
  }

  /// Returns the summary of those sessions in a day's sums that are still stored. The condition on
  /// `began` lets SQLite use an index: few sessions of other days began between the first and the
  /// last session of the day.
  private func summary(ofSessions day: Day) throws(StoreError) -> DaySummary {
    var days: [Day: DaySummary] = [:]
    try addSessions(
      where: """
        session.rolled_up = 1 AND session.day = ?1 AND session.began BETWEEN
          (SELECT first_began FROM day WHERE day = ?1) AND (SELECT last_began FROM day WHERE day = ?1)
        """, [.text(day.text)], but: nil, to: &days)
    return days[day] ?? DaySummary(day: day)
  }

  /// Adds the sessions that match a condition to the summaries of their days.
  /// - Parameters:
  ///   - condition: an SQL condition on `session`.
  ///   - id: a session to leave out.
  func addSessions(
    where condition: String, _ values: [SQLValue], but id: Int64?, to days: inout [Day: DaySummary]
  ) throws(StoreError) {
    let clock = options.clock()
    try database.each("SELECT \(SessionHead.columns) FROM session WHERE \(condition)", values) {
      row throws(StoreError) in
      let session = try SessionHead.read(row, in: database)
      if session.record.id == id { return }
      try days[session.day, default: DaySummary(day: session.day)]
        .add(
          session.record.totals, hour: hour(session.record.began, on: session.day, by: clock))
    }
  }

  /// Returns the day in the first column of a row.
  func day(_ row: borrowing Statement, of table: String) throws(StoreError) -> Day {
    let text = try row.text(0)
    guard let day = Day(text) else {
      throw database.damaged("a row of the table \(table) has the invalid day \(text)")
    }
    return day
  }

  /// Adds suspected ghosts. Only their day is known, so a day counts if any part of it is in the
  /// span.
  private func addGhosts(
    _ span: TimeSpan, on weekdays: Set<Weekday>, to days: inout [Day: DaySummary]
  ) throws(StoreError) {
    let first = span.since.map { SQLValue.text(day(of: $0).text) } ?? .null
    let last = span.until.map { until in
      SQLValue.text(day(of: WallTime(milliseconds: until.milliseconds - 1)).text)
    }
    try database.each(
      """
      SELECT day, touches FROM ghost
      WHERE (?1 IS NULL OR day >= ?1) AND (?2 IS NULL OR day <= ?2)\(weekdays.andCondition("day"))
      """, [first, last ?? .null]
    ) { row throws(StoreError) in
      let day = try day(row, of: "ghost")
      try days[day, default: DaySummary(day: day)].ghostsOutside
        .add(try row.count(1), "suspected ghosts")
    }
  }
}
