/// Gives back what a store no longer needs of its file.
public enum Compacting {
  /// What is known before.
  public struct Plan: Hashable, Sendable {
    /// Bytes of the file.
    public var size: Int64
    /// Bytes that the file system must have to spare: a copy, and the log through which it comes back.
    public var needed: Int64
  }

  /// Changes nothing.
  public static func plan(_ path: String) throws(StoreError) -> Plan {
    let store = try Store(reading: path)
    let pages = try store.database.integer("PRAGMA page_count")
    let free = try store.database.integer("PRAGMA freelist_count")
    let size = try store.database.integer("PRAGMA page_size")
    return Plan(size: pages * size, needed: 2 * (pages - free) * size + (1 << 20))
  }

  /// Rewrites the file in place, in one transaction: whenever the power goes, the store is as it was or as it will be.
  /// A store of an earlier version stays one. No daemon may run on it.
  ///
  /// - Returns: bytes of the file now; nil where a program that reads the store keeps it from shrinking yet.
  /// - Throws: `.damaged` before anything was changed.
  public static func run(_ path: String) throws(StoreError) -> Int64? {
    let database = try Opening.writing(path, StoreOptions())
    return try doing("compacting") { () throws(StoreError) in
      if let fault = try database.faults("quick_check(1)").first { throw database.damaged(fault) }
      try database.execute("VACUUM")
      let isBusy = try database.integer("PRAGMA wal_checkpoint(TRUNCATE)") != 0
      if isBusy { return nil }
      return try database.integer("PRAGMA page_count") * database.integer("PRAGMA page_size")
    }
  }
}
