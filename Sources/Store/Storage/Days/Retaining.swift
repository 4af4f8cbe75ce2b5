/// The result of `Store.retain`.
public struct RetentionReport: Hashable, Sendable {
  /// The number of sessions deleted because of their age.
  public var tooOld = 0
  /// The number of sessions deleted because of the size limit.
  public var tooLarge = 0
  /// The number of bytes of the database that hold data now. It may still exceed the limit, because
  /// sums are never deleted, nor sessions that are not rolled up, such as those with a date in the
  /// future.
  public var size: Int64 = 0
}

extension Store {
  /// The number of sessions deleted per transaction, which takes 0.1 s on a slow SD card.
  private static let batch: Int64 = 32
  /// The number of free pages returned to the file system per step.
  private static let pageBatch = 256

  /// Deletes old sessions, but never before they are rolled up, and returns the free pages to the
  /// file system. The sums remain.
  ///
  /// - Parameters:
  ///   - last: the id of the last session that is too old; 0 if there is none.
  ///   - maxSize: the size of the database, in bytes, above which the oldest sessions are deleted,
  ///     even if they are young; nil for no limit. The WAL is not included: it takes some 1 MiB,
  ///     or more if readers keep it from being copied into the database.
  @discardableResult
  public func retain(
    through last: Int64, maxSize: Int64?
  ) throws(StoreError) -> RetentionReport {
    try during("deleting old sessions") { () throws(StoreError) in
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
      try returnFreePages()
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

  /// Returns free pages to the file system.
  func returnFreePages() throws(StoreError) {
    var free = try database.integer("PRAGMA freelist_count")
    guard free > 0 else { return }
    while free > 0 {
      try database.execute("PRAGMA incremental_vacuum(\(Self.pageBatch))")
      let left = try database.integer("PRAGMA freelist_count")
      if left >= free { break }
      free = left
    }
    // The file shrinks when the WAL is copied into it. PASSIVE does not wait: if a reader holds the
    // WAL, a later commit copies it.
    try database.execute("PRAGMA wal_checkpoint(PASSIVE)")
  }
}
