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
}
