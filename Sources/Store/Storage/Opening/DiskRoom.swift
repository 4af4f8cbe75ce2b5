internal import Glibc

/// Checks for free disk space before a large write. Without the check, a write that fails halfway
/// would fill the disk, and would be tried again and again.
enum DiskRoom {
  /// - Parameters:
  ///   - times: the number of copies of `bytes`.
  ///   - path: any file or folder on the disk.
  /// - Throws: `.full` if the free space is insufficient.
  static func check(for bytes: Int64, times: Int64, on path: String) throws(StoreError) {
    var disk = statvfs()
    guard unsafe statvfs(path, &disk) == 0 else { throw Store.failure(path) }
    let (free, overflows) = Int64(clamping: disk.f_bavail)
      .multipliedReportingOverflow(by: Int64(clamping: disk.f_frsize))
    guard overflows || free / times >= bytes else {
      throw StoreError(
        .full,
        message:
          "\(((bytes >> 20) + 1) * times) MiB of free disk space are needed, but only \(free >> 20) MiB are free",
        path: path)
    }
  }
}
