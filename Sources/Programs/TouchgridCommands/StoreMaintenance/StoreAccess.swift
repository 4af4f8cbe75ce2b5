import Glibc

/// The permissions and owner of a file.
struct StoreAccess: Equatable {
  var mode: UInt32
  var user: UInt32
  var group: UInt32
}

extension StoreAccess {
  /// - Returns: nil if the file cannot be examined.
  init?(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(mode: status.st_mode & 0o777, user: status.st_uid, group: status.st_gid)
  }
}
