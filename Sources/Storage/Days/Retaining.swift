/// What `Store.retain` did.
public struct RetentionReport: Hashable, Sendable {
  /// Sessions dropped because of their age.
  public var tooOld = 0
  /// Sessions dropped for the size.
  public var tooLarge = 0
  /// Bytes of the database that hold data now. Above the limit where all that is left are sums, and
  /// sessions of days not yet rolled up, such as those that the clock dated in the future.
  public var size: Int64 = 0
}

extension Store {
  /// Sessions dropped in one transaction: a tenth of a second on a slow card.
  private static let batch: Int64 = 32
  /// Pages given back at a time.
  private static let pageBatch = 256

  /// Drops old sessions, never before their day is rolled up, and gives the pages back to the file
  /// system. The sums stay.
  ///
  /// - Parameters:
  ///   - last: sessions up to this one are too old; 0 for none.
  ///   - maxSize: bytes of the database above which the oldest go, however young; nil for no limit.
  ///     The log next to it (`-wal`) comes on top: 4 MiB at the most, unless readers hold it up.
  @discardableResult
  public func retain(
    through last: Int64, maxSize: Int64?
  ) throws(StoreError) -> RetentionReport {
    try doing("dropping old sessions") { () throws(StoreError) in
      var report = RetentionReport()
      var dropped = 0
      repeat {
        dropped = try dropOldest(through: last)
        report.tooOld += dropped
      } while dropped > 0
      if let maxSize {
        while try usedBytes() > maxSize {
          let dropped = try dropOldest(through: .max)
          if dropped == 0 { break }
          report.tooLarge += dropped
        }
      }
      try giveBack()
      report.size = try usedBytes()
      return report
    }
  }

  private func dropOldest(through last: Int64) throws(StoreError) -> Int {
    try database.run(
      """
      DELETE FROM session WHERE id IN (
        SELECT id FROM session WHERE rolled_up = 1 AND id <= ?1 ORDER BY id LIMIT ?2)
      """, [.integer(last), .integer(Self.batch)])
    return database.changes
  }

  func usedBytes() throws(StoreError) -> Int64 {
    let pages = try database.integer("PRAGMA page_count")
    let free = try database.integer("PRAGMA freelist_count")
    return (pages - free) * (try database.integer("PRAGMA page_size"))
  }

  /// Gives free pages back to the file system.
  func giveBack() throws(StoreError) {
    var free = try database.integer("PRAGMA freelist_count")
    guard free > 0 else { return }
    while free > 0 {
      try database.execute("PRAGMA incremental_vacuum(\(Self.pageBatch))")
      let left = try database.integer("PRAGMA freelist_count")
      if left >= free { break }
      free = left
    }
    // The file shrinks when the log is copied into it. PASSIVE waits for nobody: where a reader holds
    // the log, a later commit does it.
    try database.execute("PRAGMA wal_checkpoint(PASSIVE)")
  }
}
