internal import CSQLite

extension Store {
  /// The number of pages (1 MiB) copied between two progress reports, in some 10 ms on a slow SD
  /// card.
  private static let pagesAtOnce: Int32 = 256

  /// Copies the store as it is now, while the daemon may write. Neither waits for the other.
  ///
  /// - Parameter path: the path of the copy; the file must be empty or missing.
  /// - Throws: `.damaged` if the copy fails SQLite's quick check or breaks a rule of the schema.
  public func backUp(
    to path: String, _ progress: (MaintenanceProgress) -> Void = { _ in }
  ) throws(StoreError) {
    try during("copying the store") { () throws(StoreError) in
      let copy = try Database(
        path: path, name: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
      // One read transaction for the whole copy. Without it, each commit of the daemon would make
      // SQLite start the copy again.
      try database.transaction(.read) { () throws(StoreError) in
        _ = try database.integer("SELECT count(*) FROM sqlite_schema")
        try database.copy(to: copy, pagesAtOnce: Self.pagesAtOnce, progress)
      }
    }
    try during("applying the checkpoints in the copy") { () throws(StoreError) in
      let copied = try Opening.reading(alone: path, options)
      guard try copied.integer("SELECT count(*) FROM checkpoint") > 0 else { return }
      let copy = try Store(path: path, options: options)
      _ = try copy.applyCheckpoints()
      try copy.checkpointWAL()
    }
    try during("checking the copy") { () throws(StoreError) in
      let copy = try Opening.reading(alone: path, options)
      if let fault = try copy.faults("quick_check(1)").first { throw copy.damaged(fault) }
      var breach: String?
      _ = try copy.breaches { breach = breach ?? $0 }
      if let breach { throw copy.damaged(breach) }
    }
  }
}

extension Database {
  /// Copies all pages into another database. The corresponding C functions are
  /// `sqlite3_backup_init`, `_step` and `_finish`.
  fileprivate func copy(
    to other: borrowing Database, pagesAtOnce: Int32, _ progress: (MaintenanceProgress) -> Void
  ) throws(StoreError) {
    var code = SQLITE_ERROR
    unsafe withHandle { handle in
      unsafe other.withHandle { copy in
        guard let backup = unsafe sqlite3_backup_init(copy, "main", handle, "main") else { return }
        var total: Int32 = 0
        repeat {
          code = unsafe sqlite3_backup_step(backup, pagesAtOnce)
          if total == 0 {
            total = unsafe sqlite3_backup_pagecount(backup)
            let steps = (Int(total) + Int(pagesAtOnce) - 1) / Int(pagesAtOnce)
            progress(.begins(steps, "MiB"))
          }
          progress(.advances)
        } while code == SQLITE_OK
        code = unsafe sqlite3_backup_finish(backup)
      }
    }
    guard code == SQLITE_OK else { throw other.error(code) }
  }
}
