internal import TouchModel

extension Inspection {
  /// Checks the counts of every session and day. They must be readable and complete, and of a kind
  /// that the table may hold. They have no more touches than their screen, and those of a day no
  /// more sessions than the day.
  func counts(_ report: Report) throws(StoreError) -> String {
    let looked = try begin(
      "(SELECT subject FROM session_count UNION ALL SELECT subject FROM day_count)", "counts")
    try inspect(
      .session, report,
      """
      SELECT session_count.session, subject, 1, bytes, counts, session.id, 1
      FROM session_count LEFT JOIN session ON session.id = session_count.session
      """)
    try inspect(
      .day, report,
      """
      SELECT day_count.day, subject, day_count.sessions, bytes, counts, day.day, day.sessions
      FROM day_count LEFT JOIN day USING (day)
      """)
    try database.each(
      """
      SELECT id, subjects, found FROM (SELECT id, subjects, (
        SELECT count(*) FROM session_count WHERE session = session.id) AS found FROM session)
      WHERE subjects <> found
      """
    ) { row throws(StoreError) in
      let id = row.integer(0)
      report(
        .session(id),
        "session \(id): it has counts of \(row.integer(2)) subjects, not \(row.integer(1))")
    }
    try database.each(
      """
      SELECT day, kind, sum(subjects), sum(found) FROM (
        SELECT day, kind, subjects, 0 AS found FROM day_kind
        UNION ALL SELECT day, kind, 0, count(*)
          FROM day_count JOIN subject ON subject.id = subject GROUP BY day, kind)
      GROUP BY day, kind HAVING sum(subjects) <> sum(found)
      """
    ) { row throws(StoreError) in
      let day = try row.text(0)
      report(
        .day(day),
        "day \(day): it has counts of \(row.integer(3)) subjects of the kind \(try row.text(1)), "
          + "not \(row.integer(2))")
    }
    return looked
  }

  /// Checks that the counts that only days keep can be read, and do not contradict each other.
  func dayCounts(_ report: Report) throws(StoreError) -> String {
    let looked = try begin("day_only", "days")
    try database.each("SELECT day, kind, bytes, counts FROM day_only") { row throws(StoreError) in
      progress(.advances)
      let owner = FaultOwner.day(try row.text(0))
      _ = try reading(owner, report) { () throws(StoreError) in try store.readDayCounts(row) }
    }
    return looked
  }

  /// - Parameter sql: a query for the owner, the subject, the sessions, the columns `bytes` and
  ///   `counts`, the owner again if it exists, and its number of sessions.
  private func inspect(
    _ owner: CountOwner, _ report: Report, _ sql: String
  ) throws(StoreError) {
    try database.each(sql) { row throws(StoreError) in
      progress(.advances)
      let name = try owner.fault(row, 0)
      let text = try reading(name, report) { () throws(StoreError) in
        try fault(ofCounts: row, of: owner)
      }
      guard let text = text ?? nil else { return }
      report(name, "the counts of \(owner.rawValue) \(try row.text(0)): \(text)")
    }
  }

  private func fault(
    ofCounts row: borrowing Statement, of owner: CountOwner
  ) throws(StoreError) -> String? {
    let known = try lookup.subject(row.integer(1), store.options.kinds, in: database)
    let kind = known.subject.kind
    guard let sum = Store.sum(row, 2, known.shape) else {
      return "kind \(kind), \(known.subject.key) cannot be read"
    }
    if known.kind.isOnlyOfDays { return "counts of the kind \(kind) must not be here" }
    if row.isNull(5) { return "there is no such \(owner.rawValue)" }
    if sum.sessions > UInt64(clamping: row.integer(6)) {
      return "kind \(kind), \(known.subject.key): \(sum.sessions) sessions, but the "
        + "\(owner.rawValue) has \(row.integer(6))"
    }
    guard let view = known.shape.view else { return nil }
    let touches = view.touches(sum.numbers)
    guard let most = try touchesOf(view.key, owner, row) else {
      return "kind \(kind): there is no view of the screen \(view.key.screen)"
    }
    return touches <= most
      ? nil : "kind \(kind): \(touches) touches, but the screen \(view.key.screen) has \(most)"
  }

  /// Returns the touches of a view of the session or day in the row's first column; nil if it has no
  /// such view.
  private func touchesOf(
    _ key: GridKey, _ owner: CountOwner, _ row: borrowing Statement
  ) throws(StoreError) -> Int64? {
    try database.first(
      """
      SELECT touches FROM \(owner.views)
      WHERE display = ?1 AND screen = ?2 AND geometry = ?3 AND \(owner.rawValue) = ?4
      """,
      place(key)
        + [owner == .session ? .integer(row.integer(0)) : .text(try row.text(0))], keeping: true
    ) { $0.integer(0) }
  }

  /// Whether the sums of a day differ from those of its sessions, which are all stored.
  func countsDiffer(on day: String, sessions: String) throws(StoreError) -> Bool {
    var (made, kept) = (CountSums(), CountSums())
    var lookup = Lookup()
    try store.forEachCount(in: .session, where: sessions, [.text(day)], &lookup) {
      id, sum, _ throws(StoreError) in try made.add(sum, to: id)
    }
    try store.forEachCount(in: .day, where: "day = ?1", [.text(day)], &lookup) {
      id, sum, _ throws(StoreError) in try kept.add(sum, to: id)
    }
    return made.byID != kept.byID
  }
}
