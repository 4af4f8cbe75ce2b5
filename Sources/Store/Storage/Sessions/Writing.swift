public import TouchModel

extension Store {
  /// Writes the current state of a session into its own rows, in one transaction. Writing the same
  /// record again changes nothing.
  ///
  /// - Throws: `.refused` if the totals do not add up, a grid's size differs from its geometry, or
  ///   a grid's screen has no view; also if the session stored under this id is another one, has
  ///   ended although the record has not, or is rolled up and differs from the record.
  public func write(_ newest: SessionRecord) throws(StoreError) {
    // The session's checkpoints will be deleted, so the changes that only they contain are written
    // as well.
    var record = newest
    if var inCheckpoints = running[newest.id]?.inCheckpoints {
      inCheckpoints.update(with: newest)
      record = inCheckpoints
    }
    try write(whole: record)
    if record.end != nil {
      running[record.id] = nil
    } else if running[record.id]?.markWritten(record) == nil {
      running[record.id] = RunningSession(record)
    }
  }

  private func write(whole record: SessionRecord) throws(StoreError) {
    try during("writing session \(record.id)") { () throws(StoreError) in
      // Deflate before the transaction, so that the database is locked for a shorter time.
      let grids = try record.changedGrids.map { grid throws(StoreError) in
        guard grid.counters.count == grid.key.geometry.columns * grid.key.geometry.rows else {
          throw refusal(
            "a grid of \(grid.key.screen) has \(grid.counters.count) blocks, which does not fit its display"
          )
        }
        return (grid: grid, cells: try Cells(grid.counters))
      }
      let counts = try possible(record.changedCounts).map { counts throws(StoreError) in
        (subject: counts.subject, values: try CountCells.values(counts.numbers))
      }
      try database.transaction(.write) { () throws(StoreError) in
        let stored = try head(record.id)
        if let stored {
          try check(record, follows: stored)
          // The day's sums already include the session, and the record repeats the stored one.
          if stored.isRolledUp { return }
        }
        // Once the end is stored, the counts of the day include the session.
        if record.end != nil, stored?.record.end == nil {
          try add(possible(record.dayCounts), to: stored?.day ?? day(of: record.began))
        }
        try database.run(
          SessionHead.upsert, SessionHead.values(record, day: day(of: record.began)),
          keeping: true)
        for view in record.changedViews { try write(view, session: record.id) }
        for (grid, cells) in grids { try write(grid, cells, session: record.id) }
        try write(counts, session: record.id)
        try database.run(
          "DELETE FROM checkpoint WHERE session = ?1", [.integer(record.id)], keeping: true)
      }
    }
  }

  /// Adds suspected ghosts outside of sessions, in one transaction. Unlike `write`, a second call
  /// adds them again.
  public func addGhosts(_ tallies: [GhostTally], day: Day) throws(StoreError) {
    try transaction(.write, "adding suspected ghosts") { () throws(StoreError) in
      for tally in tallies {
        try database.run(
          """
          INSERT INTO ghost (day, device, x, y, period_ms, touches) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
          ON CONFLICT DO UPDATE SET touches = touches + excluded.touches
          """,
          [
            .text(day.text), .text(tally.device), .integer(Int64(tally.x)),
            .integer(Int64(tally.y)), .integer(tally.periodMilliseconds),
            try .count(tally.touches, "touches"),
          ])
      }
    }
  }

  func head(_ id: Int64) throws(StoreError) -> StoredSession? {
    try database.first(
      "SELECT \(SessionHead.columns) FROM session WHERE id = ?1", [.integer(id)], keeping: true
    ) { row throws(StoreError) in try SessionHead.read(row, in: database) }
  }

  private func check(_ record: SessionRecord, follows stored: StoredSession) throws(StoreError) {
    guard stored.record.began == record.began else {
      throw refusal("another session is stored under this id")
    }
    guard stored.record.end == nil || record.end != nil else {
      throw refusal("the session has ended and cannot continue")
    }
    var head = record
    head.changedViews = []
    head.changedGrids = []
    head.changedCounts = []
    head.dayCounts = []
    head.lastUnmasked = nil
    guard !stored.isRolledUp || stored.record == head else {
      throw refusal("the session is part of its day's sums and cannot change")
    }
  }

  private func write(_ view: ScreenView, session: Int64) throws(StoreError) {
    let values = try [.integer(session)] + database.values(of: view.key)
    try database.run(
      """
      INSERT INTO screen_view
        (session, display, screen, geometry, placement, shown_ms, touches, mask)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      ON CONFLICT DO UPDATE SET placement = excluded.placement, shown_ms = excluded.shown_ms,
        touches = excluded.touches, mask = excluded.mask
      """,
      values + [
        .integer(try database.number(ofList: view.placements)),
        try .count(view.shownMilliseconds, "shown"), try .count(view.touches, "touches"),
        try database.number(of: view.masks),
      ], keeping: true)
  }

  private func write(_ grid: Grid, _ cells: Cells, session: Int64) throws(StoreError) {
    let values = try [.integer(session)] + database.values(of: grid.key)
    try database.run(
      """
      INSERT INTO grid (session, display, screen, geometry, layer, bytes_per_cell, cells)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      ON CONFLICT DO UPDATE SET bytes_per_cell = excluded.bytes_per_cell, cells = excluded.cells
      """, values + [.text(grid.layer.rawValue)] + cells.values, keeping: true)
  }

  /// Returns the counts without impossible ones, which could not be added to the sums of their day.
  private func possible(_ counts: [SubjectCounts]) -> [SubjectCounts] {
    counts.filter { counts in
      guard let shape = options.kinds.shape(of: counts.subject) else { return false }
      return counts.numbers.count == shape.count && shape.isPlausible(counts.numbers, 1)
    }
  }

  private func write(
    _ counts: [(subject: CountSubject, values: [SQLValue])], session: Int64
  ) throws(StoreError) {
    if counts.isEmpty { return }
    for (subject, values) in counts {
      try database.run(
        """
        INSERT OR REPLACE INTO session_count (session, subject, bytes, counts)
        VALUES (?1, ?2, ?3, ?4)
        """, [.integer(session), .integer(try database.number(of: subject))] + values,
        keeping: true)
    }
    try database.run(
      """
      UPDATE session SET subjects = (SELECT count(*) FROM session_count WHERE session = ?1)
      WHERE id = ?1
      """, [.integer(session)], keeping: true)
  }

  private func refusal(_ message: String) -> StoreError {
    StoreError(.refused, message: message, path: path)
  }
}

/// Reads and writes a session's row in `session`.
enum SessionHead {
  static let columns =
    "id, began, last_active, end_reason, tags, \(SessionTotals.columns), day, rolled_up"

  static func read(
    _ row: borrowing Statement, in database: borrowing Database
  ) throws(StoreError) -> StoredSession {
    let id = row.integer(0)
    let totals = try SessionTotals(row, 5)
    let next = Int32(5 + SessionTotals.fields.count)
    let end = row.isNull(3) ? nil : SessionEnd(rawValue: try row.text(3))
    guard let tags = Tags.read(try row.text(4)), let day = Day(try row.text(next)),
      row.isNull(3) == (end == nil)
    else { throw database.damaged("session \(id): end_reason, tags or day cannot be read") }
    let record = SessionRecord(
      id: id, began: WallTime(milliseconds: row.integer(1)),
      lastActive: WallTime(milliseconds: row.integer(2)), end: end, tags: tags, totals: totals)
    return StoredSession(record: record, day: day, isRolledUp: row.integer(next + 1) != 0)
  }

  /// Inserts a session, or updates it with a later record. Its beginning and its day do not change.
  static let upsert = """
    INSERT INTO session (
      id, began, last_active, ended, end_reason, tags, \(SessionTotals.columns), day)
    VALUES (\((1...SessionTotals.fields.count + 7).map { "?\($0)" }.joined(separator: ", ")))
    ON CONFLICT (id) DO UPDATE SET
      \((["last_active", "ended", "end_reason", "tags"] + SessionTotals.fields.map(\.column))
        .map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
    """

  static func values(_ record: SessionRecord, day: Day) throws(StoreError) -> [SQLValue] {
    let lastActive = SQLValue.integer(record.lastActive.milliseconds)
    let head: [SQLValue] = [
      .integer(record.id), .integer(record.began.milliseconds), lastActive,
      record.end == nil ? .null : lastActive, record.end.map { .text($0.rawValue) } ?? .null,
      .text(Tags.text(record.tags)),
    ]
    return try head + record.totals.values + [.text(day.text)]
  }
}
