internal import Glibc
internal import LinuxIO

/// SQLite overwrites deleted rows in their page (`secure_delete`). But it moves rows that grow, and
/// may leave their earlier versions in the gaps of pages. Only rewriting the whole file removes
/// these.
extension Store {
  /// Removes all traces of deleted data from the store's files.
  /// - Throws: `.busy` if another connection reads the database, so that the WAL cannot be emptied;
  ///   `.full` if the disk has no room for a second copy of the file and a WAL of that size. Traces
  ///   then remain.
  func erase() throws(StoreError) {
    try during("erasing forgotten data") { () throws(StoreError) in
      try checkpointWAL()
      do throws(StoreError) { try checkRoomToRewrite() } catch {
        try returnFreePages()
        try checkpointWAL()
        try checkRoomToRewrite()
      }
      try database.execute("VACUUM")
      try checkpointWAL()
    }
  }

  /// Copies the WAL into the database, and truncates it.
  /// - Throws: `.busy` if another connection reads the database.
  func checkpointWAL() throws(StoreError) {
    guard try database.integer("PRAGMA wal_checkpoint(TRUNCATE)") != 0 else { return }
    throw StoreError(
      .busy,
      message: "another program is reading the database, so the WAL (\(path)-wal) was not emptied",
      path: path)
  }

  private func checkRoomToRewrite() throws(StoreError) {
    try DiskRoom.check(for: try usedBytes(), times: 2, on: path)
  }

  /// Makes SQLite put its temporary files beside the store instead of into /tmp, which may be in
  /// memory. Applies to the process: call it before a second thread starts or a store is opened.
  /// The corresponding C function is `setenv`, with `SQLITE_TMPDIR`.
  public static func putTemporaryFiles(beside path: String) {
    unsafe setenv("SQLITE_TMPDIR", Folder.of(resolved(path)), 1)
  }
}
