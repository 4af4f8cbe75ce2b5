internal import TouchModel

/// Closes the sessions that a daemon left running when it died.
extension Store {
  /// The result of `closeUnfinished`.
  public struct Closed: Equatable, Sendable {
    /// The number of sessions that were closed.
    public var sessions = 0
    /// The closed sessions with an unreadable checkpoint. They are closed as they were before it.
    public var damaged: [Int64] = []
  }

  /// Closes the sessions that a daemon left running when it died. They end at their last touch.
  /// Touches that were down stay in `stillDown`, so that the totals add up. Call before the first
  /// `write`.
  @discardableResult
  public func closeUnfinished() throws(StoreError) -> Closed {
    let damaged = try applyCheckpoints()
    return try during("closing unfinished sessions") { () throws(StoreError) in
      try database.run(Self.closing)
      return Closed(sessions: database.changes, damaged: damaged)
    }
  }

  /// The statement that closes the running sessions. They are never rolled up, so the condition on
  /// `rolled_up` lets SQLite use an index and skip the other sessions, perhaps a million.
  static let closing = """
    UPDATE session SET ended = last_active, end_reason = 'recovered'
    WHERE rolled_up = 0 AND ended IS NULL
    """

  /// Applies all checkpoints to the rows of their sessions, in one transaction per session.
  /// - Returns: the ids of the sessions with an unreadable checkpoint or unreadable rows.
  ///   Checkpoints after an unreadable one are ignored.
  func applyCheckpoints() throws(StoreError) -> [Int64] {
    try during("applying checkpoints") { () throws(StoreError) in
      var damaged: [Int64] = []
      let sessions = try database.all(
        """
        SELECT DISTINCT session FROM checkpoint JOIN session ON session.id = checkpoint.session
        WHERE ended IS NULL
        """
      ) { $0.integer(0) }
      for id in sessions {
        do throws(StoreError) {
          if try !applyCheckpoints(of: id) { damaged.append(id) }
        } catch  where [.damaged, .refused].contains(error.code) && !error.isDamagedFile {
          damaged.append(id)
        }
        giveUp(id)
      }
      // In a damaged store, checkpoints of ended or missing sessions may remain.
      try database.run("DELETE FROM checkpoint")
      return damaged
    }
  }

  /// - Returns: whether all checkpoints could be read.
  private func applyCheckpoints(of id: Int64) throws(StoreError) -> Bool {
    guard let session = try atLastCheckpoint(id) else { return false }
    try write(session.record)
    return session.isWhole
  }

  /// Reads a session, and applies its checkpoints.
  /// - Returns: the session with all its views and grids, and whether all its checkpoints could be
  ///   read; nil if the session does not exist. Checkpoints after an unreadable one are ignored.
  func atLastCheckpoint(_ id: Int64) throws(StoreError) -> (record: SessionRecord, isWhole: Bool)? {
    guard var record = try completeSession(id)?.record else { return nil }
    let row = try database.prepare(
      "SELECT changes FROM checkpoint WHERE session = ?1 ORDER BY number")
    try row.bind([.integer(id)])
    var place = 0
    while try row.step() {
      place += 1
      guard CheckpointReader.apply(row.blob(0), place: place, to: &record, options.kinds) else {
        return (record, false)
      }
    }
    return (record, true)
  }
}
