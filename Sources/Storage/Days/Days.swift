public import TouchModel

extension Store {
  /// The days on which sessions of the span began, also those whose sessions are gone, and days of the
  /// span with nothing but suspected ghosts; oldest first.
  ///
  /// - Parameter running: a session as it stands; counts instead of what is stored of it.
  /// - Throws: `.onlyWholeDays` where the span cuts a day of which only the sums are left.
  public func days(
    in span: TimeSpan, running: SessionRecord? = nil
  ) throws(StoreError) -> [DaySummary] {
    try doing("reading days") { () throws(StoreError) in
      try database.transaction(.read) { () throws(StoreError) in
        guard let sources = try Sources(span, in: database) else { return [] }
        var days: [Day: DaySummary] = [:]
        for day in sources.wholeDays {
          try days[day, default: DaySummary(day: day)].add(try summary(ofWhole: day))
        }
        let stored = try running.flatMap { record throws(StoreError) in try head(record.id) }
        // Over and rolled up since somebody looked: the sums hold it.
        let running = stored?.isRolledUp == true ? nil : running
        for (condition, values) in sources.conditions {
          try addSessions(where: condition, values, but: running?.id, to: &days)
        }
        if let running, span.contains(running.began) {
          let day = stored?.day ?? self.day(of: running.began)
          try days[day, default: DaySummary(day: day)]
            .add(running.totals, hour: hour(running.began, on: day))
        }
        try addGhosts(span, to: &days)
        return days.values.sorted { $0.day < $1.day }
      }
    }
  }

  /// The sessions in a day's sums. Where it kept no books, they are made of the sessions, if these are still
  /// there.
  func summary(ofWhole day: Day) throws(StoreError) -> DaySummary {
    let known = try rolledUp(day) ?? DaySummary(day: day)
    guard known.totals == nil else { return known }
    let made = try summary(ofSessions: day)
    return made.sessions == known.sessions ? made : known
  }

  /// A row of `day`; nil where there is none.
  func rolledUp(_ day: Day) throws(StoreError) -> DaySummary? {
    try database.first(
      "SELECT sessions, \(DayBooks.columns) FROM day WHERE day = ?1", [.text(day.text)]
    ) { row throws(StoreError) in
      let books = try DayBooks(row, 1, day: day, in: database)
      return DaySummary(
        day: day, sessions: try row.count(0), totals: books?.totals, hours: books?.hours)
    }
  }

  /// The sessions of a day's sums that are still there. Between the first and the last of them are few others.
  private func summary(ofSessions day: Day) throws(StoreError) -> DaySummary {
    var days: [Day: DaySummary] = [:]
    try addSessions(
      where: """
        session.rolled_up = 1 AND session.day = ?1 AND session.began BETWEEN
          (SELECT first_began FROM day WHERE day = ?1) AND (SELECT last_began FROM day WHERE day = ?1)
        """, [.text(day.text)], but: nil, to: &days)
    return days[day] ?? DaySummary(day: day)
  }

  /// Makes books for the days that have none and all of whose sessions are still there.
  func keepBooks() throws(StoreError) {
    var days: [Day] = []
    try database.each("SELECT day FROM day WHERE begun IS NULL") { row throws(StoreError) in
      // What cannot be read stays for those who ask for it.
      if let day = Day(try row.text(0)) { days.append(day) }
    }
    for day in days {
      do throws(StoreError) {
        guard let books = DayBooks(try summary(ofWhole: day)) else { continue }
        let changes = DayBooks.columns + ") = (" + DayBooks.places(from: 2) + ")"
        try database.run(
          "UPDATE day SET (" + changes + " WHERE day = ?1",
          [.text(day.text)] + DayBooks.values(books))
      } catch  where error.code == .damaged || error.code == .overflow || error.code == .refused {
        continue
      }
    }
  }

  /// - Parameters:
  ///   - condition: on `session`.
  ///   - id: a session that is left out.
  func addSessions(
    where condition: String, _ values: [SQLValue], but id: Int64?, to days: inout [Day: DaySummary]
  ) throws(StoreError) {
    try database.each("SELECT \(SessionHead.columns) FROM session WHERE \(condition)", values) {
      row throws(StoreError) in
      let session = try SessionHead.read(row, in: database)
      if session.record.id == id { return }
      try days[session.day, default: DaySummary(day: session.day)]
        .add(session.record.totals, hour: hour(session.record.began, on: session.day))
    }
  }

  /// The hour at which a session of a day began; nil where the clock of this process is not the one that the day
  /// is by: that of another place, where a copy of the store is read.
  private func hour(_ began: WallTime, on day: Day) -> Int? {
    database.isReadOnly && self.day(of: began) != day ? nil : options.hour(began)
  }

  /// Ghosts are known by the day alone: a day of which the span holds a part counts.
  private func addGhosts(
    _ span: TimeSpan, to days: inout [Day: DaySummary]
  ) throws(StoreError) {
    let first = span.since.map { SQLValue.text(day(of: $0).text) } ?? .null
    let last = span.until.map { until in
      SQLValue.text(day(of: WallTime(milliseconds: until.milliseconds - 1)).text)
    }
    try database.each(
      """
      SELECT day, touches FROM ghost
      WHERE (?1 IS NULL OR day >= ?1) AND (?2 IS NULL OR day <= ?2)
      """, [first, last ?? .null]
    ) { row throws(StoreError) in
      let text = try row.text(0)
      guard let day = Day(text) else { throw database.damaged("ghost: \(text) is not a day") }
      try days[day, default: DaySummary(day: day)].ghostsOutside
        .add(try row.count(1), "suspected ghosts")
    }
  }
}
