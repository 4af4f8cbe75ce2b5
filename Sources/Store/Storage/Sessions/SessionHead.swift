internal import TouchModel

/// Reads and writes a session's row in `session`.
enum SessionHead {
  static let columns = """
    id, began, last_active, end_reason, tags, begun, counted, masked, palms, ghosts, still_down, \
    preexisting, cancelled, clamped, drops, day, rolled_up
    """

  static func read(
    _ row: borrowing Statement, in database: borrowing Database
  ) throws(StoreError) -> StoredSession {
    let id = row.integer(0)
    var totals = SessionTotals()
    totals.begun = try row.count(5)
    totals.counted = try row.count(6)
    totals.masked = try row.count(7)
    totals.palms = try row.count(8)
    totals.ghosts = try row.count(9)
    totals.stillDown = try row.count(10)
    totals.preexisting = try row.count(11)
    totals.cancelled = try row.count(12)
    totals.clamped = try row.count(13)
    totals.drops = try row.count(14)
    let end = row.isNull(3) ? nil : SessionEnd(rawValue: try row.text(3))
    guard let tags = Tags.read(try row.text(4)), let day = Day(try row.text(15)),
      row.isNull(3) == (end == nil)
    else { throw database.damaged("session \(id): end_reason, tags or day cannot be read") }
    let record = SessionRecord(
      id: id, began: WallTime(milliseconds: row.integer(1)),
      lastActive: WallTime(milliseconds: row.integer(2)), end: end, tags: tags, totals: totals)
    return StoredSession(record: record, day: day, isRolledUp: row.integer(16) != 0)
  }

  /// Inserts a session, or updates it with a later record. Its beginning and its day do not change.
  static let upsert = """
    INSERT INTO session (
      id, began, last_active, ended, end_reason, tags, begun, counted, masked, palms, ghosts,
      still_down, preexisting, cancelled, clamped, drops, day)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
    ON CONFLICT (id) DO UPDATE SET
      last_active = excluded.last_active, ended = excluded.ended,
      end_reason = excluded.end_reason, tags = excluded.tags, begun = excluded.begun,
      counted = excluded.counted, masked = excluded.masked, palms = excluded.palms,
      ghosts = excluded.ghosts, still_down = excluded.still_down,
      preexisting = excluded.preexisting, cancelled = excluded.cancelled,
      clamped = excluded.clamped, drops = excluded.drops
    """

  static func values(_ record: SessionRecord, day: Day) throws(StoreError) -> [SQLValue] {
    let totals = record.totals
    let lastActive = SQLValue.integer(record.lastActive.milliseconds)
    let head: [SQLValue] = [
      .integer(record.id), .integer(record.began.milliseconds), lastActive,
      record.end == nil ? .null : lastActive, record.end.map { .text($0.rawValue) } ?? .null,
      .text(Tags.text(record.tags)),
    ]
    let counts: [SQLValue] = [
      try .count(totals.begun, "begun"), try .count(totals.counted, "counted"),
      try .count(totals.masked, "masked"), try .count(totals.palms, "palms"),
      try .count(totals.ghosts, "ghosts"), try .count(totals.stillDown, "still down"),
      try .count(totals.preexisting, "preexisting"), try .count(totals.cancelled, "cancelled"),
      try .count(totals.clamped, "clamped"), try .count(totals.drops, "drops"),
    ]
    return head + counts + [.text(day.text)]
  }
}
