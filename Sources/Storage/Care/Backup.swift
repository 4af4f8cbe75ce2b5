internal import CSQLite

extension Store {
  /// Pages copied between two signs of life: a hundredth of a second on a slow card.
  private static let pagesAtOnce: Int32 = 256

  /// Copies the store as it is at this moment, while the daemon writes: it waits for nobody, and nobody for it.
  ///
  /// - Parameter path: where there is an empty file, or none.
  /// - Throws: `.damaged` where the copy is no whole database.
  public func backUp(
    to path: String, _ progress: (CareProgress) -> Void = { _ in }
  ) throws(StoreError) {
    try doing("copying the store") { () throws(StoreError) in
      let copy = try Database(
        path: path, name: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
      // One picture, held to the end: a copy that follows every commit would begin anew with each.
      try database.transaction(.read) { () throws(StoreError) in
        _ = try database.integer("SELECT count(*) FROM sqlite_schema")
        try database.copy(to: copy, pagesAtOnce: Self.pagesAtOnce, progress)
      }
    }
    try doing("bringing the copy up to its checkpoints") { () throws(StoreError) in
      let copied = try Opening.reading(alone: path, options)
      guard try copied.hasTable(Schema.checkpointTable),
        try copied.integer("SELECT count(*) FROM checkpoint") > 0
      else { return }
      let copy = try Store(path: path, options: options)
      _ = try copy.bringInCheckpoints()
      try copy.emptyLog()
    }
    try doing("checking the copy") { () throws(StoreError) in
      let copy = try Opening.reading(alone: path, options)
      if let fault = try copy.faults("quick_check(1)").first { throw copy.damaged(fault) }
      var breach: String?
      _ = try copy.breaches { breach = breach ?? $0 }
      if let breach { throw copy.damaged(breach) }
    }
  }
}

extension Database {
  /// The corresponding C functions are `sqlite3_backup_init`, `_step` and `_finish`.
  fileprivate func copy(
    to other: borrowing Database, pagesAtOnce: Int32, _ progress: (CareProgress) -> Void
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
