internal import TouchModel

extension Inspection {
  /// Checks every session and its checkpoints: they can be read, the totals add up, and the last
  /// touch is not before the start.
  func sessions(_ report: Report) throws(StoreError) -> String {
    let looked = try begin("session", "sessions")
    let ended = Int32(SessionTotals.fields.count + 7)
    try database.each("SELECT \(SessionHead.columns), ended FROM session") {
      row throws(StoreError) in
      progress(.advances)
      let owner = FaultOwner.session(row.integer(0))
      let name = "session \(row.integer(0))"
      let read = try reading(owner, report) { () throws(StoreError) in
        try SessionHead.read(row, in: database).record
      }
      guard let record = read else { return }
      func check(_ holds: Bool, _ text: String) {
        if !holds { report(owner, "\(name): \(text)") }
      }
      check(record.totals.isBalanced, "the totals do not add up")
      check(record.lastActive >= record.began, "its last touch is before its start")
      check(
        row.isNull(ended) == (record.end == nil),
        "it has an end without an end reason, or an end reason without an end")
      check(
        row.isNull(ended) || row.integer(ended) == record.lastActive.milliseconds,
        "its end differs from the time of its last touch")
    }
    try checkpoints(report)
    let last = try database.integer("SELECT max(id) FROM session")
    if try database.integer("SELECT seq FROM sqlite_sequence WHERE name = 'session'") < last {
      report(.store, "the sequence of session ids is below an existing id")
    }
    return looked
  }

  /// Checks every checkpoint: it belongs to a running session and can be read. Applying checkpoints
  /// skips unreadable ones without an error, so this check has to find them.
  private func checkpoints(_ report: Report) throws(StoreError) {
    var sessions: [(id: Int64, isRunning: Bool)] = []
    try database.each(
      """
      SELECT DISTINCT session, session.id IS NOT NULL AND ended IS NULL
      FROM checkpoint LEFT JOIN session ON session.id = session
      """
    ) { row in sessions.append((row.integer(0), row.integer(1) != 0)) }
    for session in sessions {
      if !session.isRunning {
        report(.store, "there is a checkpoint of session \(session.id), which is not running")
        continue
      }
      let read = try reading(.store, report) { () throws(StoreError) in
        try store.atLastCheckpoint(session.id)?.isWhole ?? false
      }
      guard read == false else { continue }
      report(.store, "session \(session.id): one of its checkpoints cannot be read")
    }
  }

  /// Checks every view: it can be read, and the touches on a session's screens add up to its
  /// `counted`.
  func views(_ report: Report) throws(StoreError) -> String {
    let looked = try begin("screen_view", "views")
    try database.each(
      "SELECT session, display, screen, geometry, placement, mask FROM screen_view"
    ) { row throws(StoreError) in
      progress(.advances)
      let session = row.integer(0)
      _ = try reading(.session(session), report) { () throws(StoreError) in
        try during("session \(session)") { () throws(StoreError) in
          _ = try lookup.key(row, 1, in: database)
          _ = try lookup.placements(row.integer(4), in: database)
          _ = try lookup.masks(row, 5, in: database)
        }
      }
    }
    try database.each(
      """
      SELECT id, counted, printf('%.0f', shown) FROM (
        SELECT id, counted,
          (SELECT total(touches) FROM screen_view WHERE session = session.id) AS shown
        FROM session)
      WHERE counted <> shown
      """
    ) { row throws(StoreError) in
      report(
        .session(row.integer(0)),
        "session \(row.integer(0)): the counted touches, \(row.integer(1)), differ from those of "
          + "its screens, \(try row.text(2))")
    }
    return looked
  }

  /// Checks every grid: it inflates to the size of its geometry, its cells are as narrow as
  /// possible, and it has at most as many taps as its screen has touches. It may have fewer,
  /// because layers may be switched on while a session runs.
  func grids(_ report: Report) throws(StoreError) -> String {
    let looked = try begin("grid", "grids")
    try database.each(
      """
      SELECT grid.session, grid.display, grid.screen, grid.geometry, layer, bytes_per_cell, cells, touches
      FROM grid LEFT JOIN screen_view USING (session, display, screen, geometry)
      """
    ) { row throws(StoreError) in
      progress(.advances)
      let session = row.integer(0)
      let owner = FaultOwner.session(session)
      let layer = try row.text(4)
      let read = try reading(owner, report) { () throws(StoreError) in
        let key = try lookup.key(row, 1, in: database)
        let count = key.geometry.columns * key.geometry.rows
        guard let width = try inflater.inflate(row, 5, count: count) else {
          throw database.damagedGrid(session: session, key, layer)
        }
        return (key: key, count: count, width: width)
      }
      guard let (key, count, width) = read else { return }
      func check(_ holds: Bool, _ text: String) {
        guard !holds else { return }
        let name = "display \(key.display), screen \(key.screen), layer \(layer)"
        report(owner, "session \(session), \(name): \(text)")
      }
      check(!row.isNull(7), "the grid has no view of its screen")
      check(
        inflater.isNarrowest(width: width, count: count),
        "the cells are not stored in the narrowest width")
      guard layer == Layer.taps.rawValue, !row.isNull(7) else { return }
      let taps = inflater.sum(width: width, count: count)
      check(
        taps.map { $0 <= UInt64(clamping: row.integer(7)) } ?? false,
        "the taps, \(taps.map { "\($0)" } ?? "too many to add"), exceed the touches of the screen, \(row.integer(7))"
      )
    }
    return looked
  }
}
