public import TouchModel

extension Store {
  /// Saves the state of a session in one transaction. Writes one row with the changes since the
  /// last call, which `applyOwnCheckpoints` later applies to the session's own rows. Writes these
  /// rows immediately, as `write` does, if the session has ended, if it was not written yet, or if
  /// `RunningSession.checkpoint` returns nil.
  ///
  /// - Throws: the errors of `write`.
  public func checkpoint(_ record: SessionRecord) throws(StoreError) {
    guard record.end == nil, let checkpoint = running[record.id]?.checkpoint(record)
    else {
      return try write(record)
    }
    try during("writing a checkpoint of session \(record.id)") { () throws(StoreError) in
      try database.run(
        "INSERT INTO checkpoint (session, changes) VALUES (?1, ?2)",
        [.integer(record.id), .blob(checkpoint.bytes)], keeping: true)
    }
    running[record.id]?.add(record, counted: checkpoint.counted)
  }

  /// Whether any data is in checkpoints only.
  public var hasCheckpoints: Bool { running.values.contains { $0.inCheckpoints != nil } }

  /// Applies the checkpoints of the running sessions to their rows, so that queries see them.
  /// - Throws: the first error, after all others were tried. If the file is damaged, no others are
  ///   tried.
  public func applyOwnCheckpoints() throws(StoreError) {
    var failure: StoreError?
    for record in running.values.compactMap(\.inCheckpoints) {
      do throws(StoreError) { try write(record) } catch {
        if error.isDamagedFile { throw error }
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  /// The running sessions as of their last checkpoint, with all their views and grids. A store that
  /// replaces this one needs them.
  var unfinished: [SessionRecord] { running.values.map(\.whole).sorted { $0.id < $1.id } }

  /// Discards the state of running sessions that were removed from the database.
  func giveUpRemoved() {
    for id in running.keys {
      do throws(StoreError) {
        if try head(id) == nil { giveUp(id) }
      } catch { giveUp(id) }
    }
  }

  /// Discards the state of a running session. If it is written again, it gets new rows.
  func giveUp(_ session: Int64) { running[session] = nil }
}
