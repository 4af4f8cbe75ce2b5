public import TouchModel

extension Store {
  /// Writes the current state of a session into its own rows, in one transaction. Writing the same
  /// record again changes nothing.
  ///
  /// - Throws: `.refused` if the totals do not add up, a grid's size differs from its geometry, a
  ///   grid's screen has no view, or the session stored under this id is another one or has ended.
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
      // Deflate before the transaction, so that readers and the disk do not wait for it.
      let grids = try record.changedGrids.map { grid throws(StoreError) in
        guard grid.counters.count == grid.key.geometry.columns * grid.key.geometry.rows else {
          throw refusal(
            "a grid of \(grid.key.screen) has \(grid.counters.count) blocks, which does not fit its display"
          )
        }
        return (grid: grid, cells: try Cells(grid.counters))
      }
      try database.transaction(.write) { () throws(StoreError) in
        if let stored = try head(record.id) {
          try check(record, follows: stored)
          // The day's sums already include the session, so this record repeats the stored one.
          if stored.isRolledUp { return }
        }
        try database.run(
          SessionHead.upsert, SessionHead.values(record, day: day(of: record.began)),
          keeping: true)
        for view in record.changedViews { try write(view, session: record.id) }
        for (grid, cells) in grids { try write(grid, cells, session: record.id) }
        try database.run(
          "DELETE FROM checkpoint WHERE session = ?1", [.integer(record.id)], keeping: true)
      }
    }
  }

  /// Adds suspected ghosts that came while no session ran, in one transaction. Unlike `write`, a
  /// second call adds them again.
  public func addGhosts(_ tallies: [GhostTally], day: Day) throws(StoreError) {
    try during("adding suspected ghosts") { () throws(StoreError) in
      try database.transaction(.write) { () throws(StoreError) in
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
        .integer(try database.number(of: view.placements)),
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

  private func refusal(_ message: String) -> StoreError {
    StoreError(.refused, message: message, path: path)
  }
}
