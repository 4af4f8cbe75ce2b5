/// Shrinks a store's file to the size that its data needs.
public enum Compacting {
  /// The sizes before compacting.
  public struct Plan: Hashable, Sendable {
    /// The size of the file, in bytes.
    public var size: Int64
    /// The free disk space that is needed, in bytes: for a copy of the data, and for the WAL that
    /// writes the copy back.
    public var needed: Int64
  }

  /// Returns the plan. Changes nothing.
  public static func plan(_ path: String) throws(StoreError) -> Plan {
    let store = try Store(reading: path)
    let pages = try store.database.integer("PRAGMA page_count")
    let free = try store.database.integer("PRAGMA freelist_count")
    let size = try store.database.integer("PRAGMA page_size")
    return Plan(size: pages * size, needed: 2 * (pages - free) * size + (1 << 20))
  }

  /// Rewrites the file in place, in one transaction: after a power failure the store is either
  /// unchanged or completely rewritten. No daemon may use the store meanwhile.
  ///
  /// - Returns: the new size of the file, in bytes; nil if a reader still keeps the file from
  ///   shrinking.
  /// - Throws: `.damaged` if the file fails SQLite's quick check; nothing was changed then.
  public static func run(_ path: String) throws(StoreError) -> Int64? {
    let database = try Opening.writing(path, StoreOptions())
    return try during("compacting") { () throws(StoreError) in
      if let fault = try database.faults("quick_check(1)").first { throw database.damaged(fault) }
      try database.execute("VACUUM")
      let isBusy = try database.integer("PRAGMA wal_checkpoint(TRUNCATE)") != 0
      if isBusy { return nil }
      return try database.integer("PRAGMA page_count") * database.integer("PRAGMA page_size")
    }
  }
}
