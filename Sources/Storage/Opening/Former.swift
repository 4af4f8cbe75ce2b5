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
      // Before the copy is begun: a start that fails is tried again and again. As much again for the log while the
      // store changes.
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
    // Who may not read the store may not read its copy either.
    var status = stat()
    guard unsafe stat(store, &status) == 0, fchmod(file, status.st_mode & 0o777) == 0,
      // Made by root it is the daemon's all the same: who goes back gives it the store's name.
      geteuid() != 0 || fchown(file, status.st_uid, status.st_gid) == 0,
      fsync(file) == 0, unsafe rename(unfinished, path) == 0
    else {
      throw Store.failure(unfinished)
    }
    try Store.flushFolder(of: path)
  }
}
