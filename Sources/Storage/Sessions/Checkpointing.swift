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
  public func settle() throws(StoreError) {
    for session in running.values {
      if let record = session.unsettled { try write(record) }
    }
  }

  /// The sessions that run, as they were written last: whole, for another store.
  var unfinished: [SessionRecord] { running.values.map(\.whole).sorted { $0.id < $1.id } }

  /// Nothing more is written of a session.
  func giveUp(_ session: Int64) { running[session] = nil }
}
