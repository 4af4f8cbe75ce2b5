internal import Glibc

/// The copy of a store that is made before its migration, for users who go back to the earlier
/// version of Touchgrid.
enum MigrationBackup {
  /// Makes the copy beside the store, such as `touchgrid.db.v1`. The copy gets this name once it is
  /// complete and on the disk. It replaces an earlier copy of the same store.
  ///
  /// - Returns: the path of the copy.
  /// - Throws: `.full` if the disk has no room for the copy; an error of SQLite or of the file
  ///   system. The store is then unchanged.
  static func copy(of store: Store, version: Int64) throws(StoreError) -> String {
    let former = Store.resolved(store.path)
    let (path, unfinished) = ("\(former).v\(version)", "\(former).v\(version)-unfinished")
    return try during("copying the store to \(path) before it is changed") {
      () throws(StoreError) in
      // A start that was killed may have left this file.
      unsafe unlink(unfinished)
      // Check first, because a start that fails is tried again and again. Twice the size, because
      // the migration writes as much again to the WAL.
      try DiskRoom.check(for: store.size, times: 2, on: former)
      do throws(StoreError) {
        try store.database.run("VACUUM INTO ?1", [.text(unfinished)])
        try finish(unfinished, path, of: former)
      } catch {
        unsafe unlink(unfinished)
        throw error
      }
      return path
    }
  }

  private static func finish(
    _ unfinished: String, _ path: String, of store: String
  ) throws(StoreError) {
    let file = unsafe open(unfinished, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { throw Store.failure(unfinished) }
    defer { close(file) }
    // Users who may not read the store may not read its copy either.
    var status = stat()
    guard unsafe stat(store, &status) == 0, fchmod(file, status.st_mode & 0o777) == 0,
      // If root makes the copy, give it to the store's owner, because the daemon must be able to
      // open it under the store's name.
      geteuid() != 0 || fchown(file, status.st_uid, status.st_gid) == 0,
      fsync(file) == 0, unsafe rename(unfinished, path) == 0
    else {
      throw Store.failure(unfinished)
    }
    try Store.flushFolder(of: path)
  }
}
