public import TouchModel

extension Store {
  /// Returns the stored sessions that began in the span, oldest first, without views and grids.
  /// - Parameter filter: selects the sessions.
  /// - Throws: `.hoursUnknown` if the filter has hours, and some of the sessions were recorded in
  ///   another time zone.
  public func sessions(
    in span: TimeSpan, _ filter: SessionFilter = SessionFilter()
  ) throws(StoreError) -> [StoredSession] {
    guard let bounds = span.bounds else { return [] }
    return try during("reading sessions") { () throws(StoreError) in
      guard filter.hours != nil else { return try sessions(bounds, filter) }
      // Use one snapshot: otherwise sessions may be added between the check of their hours and the
      // query.
      return try database.transaction(.read) { () throws(StoreError) in
        try prepareHours(of: bounds, for: filter)
        return try sessions(bounds, filter)
      }
    }
  }

  private func sessions(
    _ bounds: ClosedRange<Int64>, _ filter: SessionFilter
  ) throws(StoreError) -> [StoredSession] {
    try database.all(
      """
      SELECT \(SessionHead.columns) FROM session
      WHERE began BETWEEN ?1 AND ?2 AND (NOT json_valid(tags) OR \(filter.condition))
      ORDER BY began, id
      """, bounds.values + [.text(Tags.text(filter.tags))]
    ) { row throws(StoreError) in try SessionHead.read(row, in: database) }
  }

  /// Returns one session with all its views, grids and counts, sorted by key; nil if it does not
  /// exist or was deleted.
  public func session(_ id: Int64) throws(StoreError) -> StoredSession? {
    try transaction(.read, "reading session \(id)") { () throws(StoreError) in
      try completeSession(id)
    }
  }

  /// Returns one session with all its views and grids; nil if it does not exist or was deleted.
  /// Call it within a transaction.
  func completeSession(_ id: Int64) throws(StoreError) -> StoredSession? {
    guard var session = try head(id) else { return nil }
    var lookup = Lookup()
    session.record.changedViews = try views(session: id, &lookup).sorted {
      GridKey.isBefore($0.key, $1.key)
    }
    session.record.changedGrids = try grids(session: id, &lookup).sorted {
      $0.key == $1.key
        ? $0.layer.rawValue < $1.layer.rawValue : GridKey.isBefore($0.key, $1.key)
    }
    session.record.changedCounts = try counts(session: id, &lookup)
    return session
  }

  /// Returns the suspected ghosts of one day outside of sessions.
  public func ghosts(on day: Day) throws(StoreError) -> [GhostTally] {
    try during("reading suspected ghosts") { () throws(StoreError) in
      try database.all(
        """
        SELECT device, x, y, period_ms, touches FROM ghost WHERE day = ?1
        ORDER BY device, x, y, period_ms
        """, [.text(day.text)]
      ) { row throws(StoreError) in
        guard let x = Int32(exactly: row.integer(1)), let y = Int32(exactly: row.integer(2)) else {
          throw database.damaged("a ghost of \(day) has a position out of range")
        }
        return GhostTally(
          device: try row.text(0), x: x, y: y, periodMilliseconds: row.integer(3),
          touches: try row.count(4))
      }
    }
  }

  private func views(
    session: Int64, _ lookup: inout Lookup
  ) throws(StoreError) -> [ScreenView] {
    try database.all(
      """
      SELECT display, screen, geometry, shown_ms, touches, placement, mask FROM screen_view
      WHERE session = ?1
      """, [.integer(session)]
    ) { row throws(StoreError) in
      ScreenView(
        key: try lookup.key(row, 0, in: database), shownMilliseconds: try row.count(3),
        touches: try row.count(4),
        placements: try lookup.placements(row.integer(5), in: database),
        masks: try lookup.masks(row, 6, in: database))
    }
  }

  private func counts(
    session: Int64, _ lookup: inout Lookup
  ) throws(StoreError) -> [SubjectCounts] {
    var sums = CountSums()
    try forEachCount(
      in: .session, where: "session.id = ?1", [.integer(session)], &lookup
    ) { id, sum, _ throws(StoreError) in try sums.add(sum, to: id) }
    return try summed(sums, &lookup).map { SubjectCounts($0.subject, $0.numbers) }
      .sorted { CountSubject.isBefore($0.subject, $1.subject) }
  }

  private func grids(session: Int64, _ lookup: inout Lookup) throws(StoreError) -> [Grid] {
    try database.all(
      """
      SELECT display, screen, geometry, layer, session, \(CountOwner.session.cells) FROM grid
      WHERE session = ?1
      """, [.integer(session)]
    ) { row throws(StoreError) in
      let key = try lookup.key(row, 0, in: database)
      let count = key.geometry.columns * key.geometry.rows
      guard let layer = Layer(rawValue: try row.text(3)),
        let counters = Cells(row, 5).counters(count: count)
      else { throw try database.damagedGrid(of: .session, row, key) }
      return Grid(key: key, layer: layer, counters: counters)
    }
  }
}
