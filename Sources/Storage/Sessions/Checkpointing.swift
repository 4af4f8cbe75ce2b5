public import TouchModel

extension Store {
  /// Writes down how far a session that runs has come: in one row what is new since the last time, or as `write` does
  /// where nothing was written of it, or much is new. One transaction. `settle` brings the session's own rows up to it.
  ///
  /// - Throws: what `write` throws.
  public func checkpoint(_ record: SessionRecord) throws(StoreError) {
    guard record.end == nil, let bytes = running[record.id]?.checkpoint(record) else {
      return try write(record)
    }
    try doing("writing a checkpoint of session \(record.id)") { () throws(StoreError) in
      try database.run(
        "INSERT INTO checkpoint (session, changes) VALUES (?1, ?2)",
        [.integer(record.id), .blob(bytes)], keeping: true)
    }
    running[record.id]?.add(record, bytes: bytes.count)
  }

  /// Whether there is something that is in checkpoints alone.
  public var hasCheckpoints: Bool { running.values.contains { $0.unsettled != nil } }

  /// Brings the rows of the sessions that run up to their last checkpoints: for those who ask.
  /// - Throws: the first error, after all others have been tried. At once where the file is damaged.
  public func settle() throws(StoreError) {
    var failure: StoreError?
    for record in running.values.compactMap(\.unsettled) {
      do throws(StoreError) { try write(record) } catch {
        if error.isDamagedFile { throw error }
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  /// The sessions that run, as they were written last: whole, for another store.
  var unfinished: [SessionRecord] { running.values.map(\.whole).sorted { $0.id < $1.id } }

  /// Of sessions that were removed nothing more is known.
  func giveUpRemoved() {
    for id in running.keys {
      do throws(StoreError) {
        if try head(id) == nil { giveUp(id) }
      } catch { giveUp(id) }
    }
  }

  /// Nothing more is written of a session.
  func giveUp(_ session: Int64) { running[session] = nil }
}
