internal import Glibc

/// A store as it was before it became one of this version, for those who want to go back to the former Touchgrid.
enum Former {
  /// Makes the copy beside the store: `touchgrid.db.v1`. It bears that name once it is whole and on the disk, and
  /// takes the place of an earlier one: that of the same store, at an earlier time.
  ///
  /// - Returns: its path.
  /// - Throws: `.full` where there is no room for it. Nothing has changed then.
  static func copy(of store: Store, version: Int64) throws(StoreError) -> String {
    let former = Store.resolved(store.path)
    let (path, unfinished) = ("\(former).v\(version)", "\(former).v\(version)-unfinished")
    return try doing("copying the store to \(path) before it is changed") {
      () throws(StoreError) in
      // What a start that was killed has left.
      unsafe unlink(unfinished)
      try checkRoom(for: store.size, beside: former)
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

  /// Before the copy is begun: a start that fails is tried again and again, and would fill the disk each time.
  private static func checkRoom(for size: Int64, beside path: String) throws(StoreError) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    var disk = statvfs()
    guard unsafe statvfs(folder, &disk) == 0 else { throw Store.failure(folder) }
    let (free, overflows) = Int64(clamping: disk.f_bavail)
      .multipliedReportingOverflow(by: Int64(clamping: disk.f_frsize))
    // As much again for the log while the store changes.
    guard overflows || free / 2 >= size else {
      throw StoreError(
        .full, message: "\(free >> 20) MiB are free, and \(size >> 19) MiB are needed",
        path: path)
    }
  }

  private static func finish(
    _ unfinished: String, _ path: String, of store: String
  ) throws(StoreError) {
    let file = unsafe open(unfinished, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw Store.failure(unfinished) }
    defer { close(file) }
    // Who may not read the store may not read its copy either.
    var status = stat()
    guard unsafe stat(store, &status) == 0, fchmod(file, status.st_mode & 0o777) == 0,
      fsync(file) == 0, unsafe rename(unfinished, path) == 0
    else {
      throw Store.failure(unfinished)
    }
    try Store.flushFolder(of: path)
  }
}
