internal import TouchModel

/// Removes incomplete sessions and days from the salvaged rows. A session must have all its screens
/// and grids, a day all its sums. A session that lacks a grid would make means wrong.
struct RecoveryFilter {
  private let store: Store
  private let inspection: Inspection
  private let losses: Set<SalvagedTable>
  private var database: Database { _read { yield store.database } }

  /// - Parameter losses: the tables and indexes that were damaged.
  init(
    _ store: Store, losses: [SalvagedTable: Int],
    _ progress: @escaping (MaintenanceProgress) -> Void
  ) {
    self.store = store
    self.losses = Set(losses.keys)
    inspection = Inspection(store, progress)
  }

  mutating func run(_ report: inout RecoveryReport) throws(StoreError) {
    try database.transaction(.write) { () throws(StoreError) in
      try database.execute(
        """
        CREATE TEMP TABLE lost_session (id INTEGER PRIMARY KEY, reason TEXT);
        CREATE TEMP TABLE lost_day (day TEXT PRIMARY KEY) WITHOUT ROWID;
        """)
      try filterLists(&report)
      try filterCounts(&report)
      try filterDayCounts()
      try filterSessions(&report)
      try filterDays(&report)
      try store.removeUnused()
      report.sessions = Int(try database.integer("SELECT count(*) FROM session"))
      report.grids = Int(try database.integer("SELECT count(*) FROM grid"))
      report.days = Int(try database.integer("SELECT count(*) FROM day"))
      report.ghosts = Int(try database.integer("SELECT count(*) FROM ghost"))
      let ends = try database.first("SELECT min(day), max(day) FROM session") {
        row throws(StoreError) in
        row.isNull(0) ? nil : (first: try row.text(0), last: try row.text(1))
      }
      (report.firstDay, report.lastDay) = (ends??.first, ends??.last)
    }
  }

  /// Returns what has a fault in a part of the store.
  private func damaged(_ part: Inspection.Part) throws(StoreError) -> Set<FaultOwner> {
    var owners: Set<FaultOwner> = []
    _ = try inspection.inspect(part) { owner, _ in owners.insert(owner) }
    return owners
  }

  // MARK: Geometries, placements and masks

  private func filterLists(_ report: inout RecoveryReport) throws(StoreError) {
    for table in UnusedRowSearch.tables {
      for id in try database.all("SELECT id FROM \(table)", [], { $0.integer(0) }) {
        var lookup = Lookup()
        do throws(StoreError) {
          try lookup.check(id, of: table, store.options.kinds, in: database)
        } catch  where error.code == .damaged {
          try database.run("DELETE FROM \(table) WHERE id = ?1", [.integer(id)])
        }
      }
    }
    // Placements explain counts but contain none, so a session without them is kept.
    let dangling = "placement NOT IN (SELECT id FROM placement)"
    for table in ["screen_view", "daily_view"]
    where try database.integer("SELECT count(*) FROM \(table) WHERE \(dangling)") > 0 {
      let unknown = try database.number(ofList: [Placement]())
      try database.run(
        "UPDATE \(table) SET placement = ?1 WHERE \(dangling)", [.integer(unknown)])
      report.withoutPlacements += database.changes
    }
  }

  // MARK: Counts

  /// Removes the counts of sessions and days that have lost some of them. The sessions and days are
  /// kept, because no other values depend on these counts. The day of such a session loses its
  /// counts too, because the session's share could no longer be subtracted.
  private func filterCounts(_ report: inout RecoveryReport) throws(StoreError) {
    try database.execute(
      """
      DELETE FROM session_count WHERE session NOT IN (SELECT id FROM session)
        OR subject NOT IN (SELECT id FROM subject);
      DELETE FROM day_count WHERE subject NOT IN (SELECT id FROM subject);
      """)
    try store.removeCounts(where: "day NOT IN (SELECT day FROM day)")
    for owner in try damaged(.counts) {
      switch owner {
      case .session(let id):
        try store.removeCounts(
          where: "day = (SELECT day FROM session WHERE id = ?1)", [.integer(id)])
        try database.run("DELETE FROM session_count WHERE session = ?1", [.integer(id)])
        try database.run("UPDATE session SET subjects = 0 WHERE id = ?1", [.integer(id)])
      case .day(let day):
        try store.removeCounts(where: "day = ?1", [.text(day)])
      case .store: continue
      }
      report.withoutCounts += 1
    }
  }

  /// Removes the damaged counts that only days keep.
  private func filterDayCounts() throws(StoreError) {
    for case .day(let day) in try damaged(.dayCounts) {
      try store.removeDayCounts(where: "day = ?1", [.text(day)])
    }
  }

  // MARK: Sessions

  private func filterSessions(_ report: inout RecoveryReport) throws(StoreError) {
    for part in [Inspection.Part.sessions, .views, .grids, .days] {
      var lost: [(Int64, String)] = []
      _ = try inspection.inspect(part) { owner, reason in
        if case .session(let id) = owner { lost.append((id, reason)) }
      }
      for (id, reason) in lost {
        try database.run(
          "INSERT OR IGNORE INTO lost_session VALUES (?1, ?2)", [.integer(id), .text(reason)])
      }
    }
    if losses.contains(.view) {
      try drop(
        "SELECT id FROM session WHERE id NOT IN (SELECT session FROM screen_view)",
        "its views are lost")
    }
    try drop(Self.missing(.session), "one of its grids is lost")
    if losses.isSuperset(of: [.grid, .gridIndex]) {
      try drop(Self.incomplete(.session), "one of its grids is lost")
    }
    for source in [
      "SELECT id FROM named_session", "SELECT session FROM screen_view", "SELECT session FROM grid",
      "SELECT session FROM named_grid",
    ] {
      try drop("SELECT * FROM (\(source)) EXCEPT SELECT id FROM session", "its totals are lost")
    }
    // An id outside this range is damage.
    try database.run(
      "DELETE FROM lost_session WHERE id NOT BETWEEN 1 AND ?1",
      [.integer(RecoveryImporter.largestID)])
    try database.each(
      """
      SELECT lost_session.id, reason, session.day, named_session.began
      FROM lost_session LEFT JOIN session USING (id) LEFT JOIN named_session USING (id) ORDER BY 1
      """
    ) { row throws(StoreError) in
      var day = row.isNull(2) ? nil : try row.text(2)
      if day == nil, !row.isNull(3) {
        day = store.day(of: WallTime(milliseconds: row.integer(3))).text
      }
      report.lost.append(
        RecoveryReport.Lost(id: row.integer(0), day: day, reason: try row.text(1)))
    }
    try database.execute(
      """
      DELETE FROM session WHERE id IN (SELECT id FROM lost_session);
      DELETE FROM screen_view WHERE session NOT IN (SELECT id FROM session);
      DELETE FROM grid WHERE session NOT IN (SELECT id FROM session);
      DELETE FROM session_count WHERE session NOT IN (SELECT id FROM session);
      """)
  }

  private func drop(_ ids: String, _ reason: String) throws(StoreError) {
    try database.run(
      "INSERT OR IGNORE INTO lost_session SELECT *, ?1 FROM (\(ids))", [.text(reason)])
  }

  /// Returns a query for the sessions or days of index entries whose row is missing. A row counts
  /// as found even if its key and the key in the index differ.
  private static func missing(_ owner: CountOwner) -> String {
    let key = "\(owner.rawValue), display, screen, geometry, layer"
    return """
      SELECT \(owner.rawValue) FROM (
        SELECT \(key) FROM \(owner.named) WHERE was_found = 0
        EXCEPT SELECT \(key) FROM \(owner.grids))
      """
  }

  /// Returns a query for sessions or days without all grids, for when both the table and its index
  /// are damaged. The grids that existed are then unknown: assumes that each touched screen had the
  /// layers that other screens of the day have.
  private static func incomplete(_ owner: CountOwner) -> String {
    let (views, grids, id) = (owner.views, owner.grids, owner.rawValue)
    return """
      SELECT \(views).\(id) FROM \(owner.source(views))
      JOIN (SELECT DISTINCT day, layer FROM \(owner.source(grids))) AS kept USING (day)
      WHERE touches > 0 AND NOT EXISTS (
        SELECT 1 FROM \(grids) WHERE \(grids).\(id) = \(views).\(id)
          AND \(grids).display = \(views).display AND \(grids).screen = \(views).screen
          AND \(grids).geometry = \(views).geometry AND \(grids).layer = kept.layer)
      """
  }

  // MARK: Days

  private func filterDays(_ report: inout RecoveryReport) throws(StoreError) {
    for part in [Inspection.Part.days, .sums] { try loseDays(damagedIn: part) }
    // Sums without a row in `day` are incomplete.
    for table in ["daily_view", "daily"] {
      try loseDays("SELECT day FROM \(table) WHERE day NOT IN (SELECT day FROM day)")
    }
    if losses.contains(.dayView) {
      try loseDays(
        "SELECT day FROM day WHERE counted IS NULL OR day NOT IN (SELECT day FROM daily_view)")
    }
    try loseDays(Self.missing(.day))
    if losses.isSuperset(of: [.daily, .dailyIndex]) {
      try loseDays(Self.incomplete(.day))
      try loseDays(
        "SELECT day FROM daily_view WHERE touches > 0 AND day NOT IN (SELECT day FROM daily)")
    }
    try dropLostDays()
    // The remaining days are complete. If all sessions of a day are stored, the day must be their
    // sum.
    try loseDays(damagedIn: .wholeDays)
    try dropLostDays()
    try database.each(
      """
      SELECT lost_day.day, (SELECT count(*) FROM session WHERE session.day = lost_day.day)
      FROM lost_day ORDER BY 1
      """
    ) { row throws(StoreError) in
      let (day, sessions) = (try row.text(0), Int(row.integer(1)))
      guard Day(day) != nil else { return }
      if sessions > 0 {
        report.daysFromSessions[day] = sessions
      } else {
        report.lostDays.append(day)
      }
    }
  }

  private func loseDays(damagedIn part: Inspection.Part) throws(StoreError) {
    for case .day(let day) in try damaged(part) { try loseDays("SELECT ?1", [.text(day)]) }
  }

  private func loseDays(_ days: String, _ values: [SQLValue] = []) throws(StoreError) {
    try database.run("INSERT OR IGNORE INTO lost_day \(days)", values)
  }

  /// Deletes the lost days. Their sessions will be rolled up again.
  private func dropLostDays() throws(StoreError) {
    try store.removeCounts(where: "day IN (SELECT day FROM lost_day)")
    try database.execute(
      """
      DELETE FROM daily WHERE day IN (SELECT day FROM lost_day);
      DELETE FROM daily_view WHERE day IN (SELECT day FROM lost_day);
      DELETE FROM day WHERE day IN (SELECT day FROM lost_day);
      UPDATE session SET rolled_up = 0 WHERE rolled_up = 1 AND day NOT IN (SELECT day FROM day);
      """)
  }
}
