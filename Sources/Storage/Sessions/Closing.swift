internal import TouchModel

/// What a daemon that died has left.
extension Store {
  /// What `closeUnfinished` did.
  public struct Closed: Equatable, Sendable {
    /// How many sessions.
    public var sessions = 0
    /// Those of them with a checkpoint that cannot be read: they are as they were before it.
    public var damaged: [Int64] = []
  }

  /// Closes the sessions that a daemon left running when it died, dated by their last touch. Touches
  /// that were down stay among `stillDown`, so that the books balance. Call before the first `write`.
  @discardableResult
  public func closeUnfinished() throws(StoreError) -> Closed {
    let damaged = try bringInCheckpoints()
    return try doing("closing unfinished sessions") { () throws(StoreError) in
      try database.run(Self.closing)
      return Closed(sessions: database.changes, damaged: damaged)
    }
  }

  /// None that runs is in its day's sums: the others, a million perhaps, are not looked at.
  static let closing = """
    UPDATE session SET ended = last_active, end_reason = 'recovered'
    WHERE rolled_up = 0 AND ended IS NULL
    """

  /// Brings sessions up to their last checkpoints; one transaction for each.
  /// - Returns: those with one that cannot be read, or whose rows cannot: what comes after it is left out.
  func bringInCheckpoints() throws(StoreError) -> [Int64] {
    try doing("bringing in checkpoints") { () throws(StoreError) in
      var damaged: [Int64] = []
      for id in try sessionsWithCheckpoints() {
        do throws(StoreError) {
          if try !bringInCheckpoints(of: id) { damaged.append(id) }
        } catch  where [.damaged, .refused].contains(error.code) && !error.isDamagedFile {
          damaged.append(id)
        }
        giveUp(id)
      }
      // Of sessions that are over, or that are not there: an earlier Touchgrid knew nothing of checkpoints.
      try database.run("DELETE FROM checkpoint")
      return damaged
    }
  }

  private func sessionsWithCheckpoints() throws(StoreError) -> [Int64] {
    var ids: [Int64] = []
    try database.each(
      """
      SELECT DISTINCT session FROM checkpoint JOIN session ON session.id = checkpoint.session
      WHERE ended IS NULL
      """
    ) { ids.append($0.integer(0)) }
    return ids
  }

  /// - Returns: whether all of them could be read.
  private func bringInCheckpoints(of id: Int64) throws(StoreError) -> Bool {
    guard let session = try atLastCheckpoint(id) else { return false }
    try write(session.record)
    return session.isWhole
  }

  /// A session with all its views and grids, as its checkpoints say; nil where it is not there.
  /// - Returns: and whether all of them could be read; what comes after one that could not is left out.
  func atLastCheckpoint(_ id: Int64) throws(StoreError) -> (record: SessionRecord, isWhole: Bool)? {
    guard var record = try whole(id)?.record else { return nil }
    let row = try database.prepare(
      "SELECT changes FROM checkpoint WHERE session = ?1 ORDER BY number")
    try row.bind([.integer(id)])
    var place = 0
    while try row.step() {
      place += 1
      guard CheckpointReader.apply(row.blob(0), place: place, to: &record) else {
        return (record, false)
      }
    }
    return (record, true)
  }
}
