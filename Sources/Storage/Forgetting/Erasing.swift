internal import Glibc
internal import LinuxIO

/// What was deleted is overwritten in its page. But while rows grow SQLite moves them about, and what they were stays in
/// the gaps of pages; nothing but writing all of the file anew reaches that.
extension Store {
  /// Leaves nothing in the store's files but what is stored.
  /// - Throws: `.busy` where another connection keeps the log; `.full` where there is no room for the file once more
  ///   and as much log. Then some of it is left.
  func erase() throws(StoreError) {
    try doing("erasing what was forgotten") { () throws(StoreError) in
      try emptyLog()
      do throws(StoreError) { try checkRoomToRewrite() } catch {
        try giveBack()
        try emptyLog()
        try checkRoomToRewrite()
      }
      try database.execute("VACUUM")
      try emptyLog()
    }
  }

  /// Brings all that is in the log into the database.
  func emptyLog() throws(StoreError) {
    guard try database.integer("PRAGMA wal_checkpoint(TRUNCATE)") != 0 else { return }
    throw StoreError(
      .busy, message: "somebody reads the database, so its log (\(path)-wal) is kept", path: path)
  }

  private func checkRoomToRewrite() throws(StoreError) {
    try DiskRoom.check(for: try usedBytes(), times: 2, on: path)
  }

  /// Has SQLite put what does not fit into memory beside the store, and not into a /tmp that may be memory itself. Holds
  /// for the process: to be called before it has a second thread and opens a store.
  /// The corresponding C function is `setenv`, of `SQLITE_TMPDIR`.
  public static func putTemporaryFiles(beside path: String) {
    unsafe setenv("SQLITE_TMPDIR", Folder.of(resolved(path)), 1)
  }
}
