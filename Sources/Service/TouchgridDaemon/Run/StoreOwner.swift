internal import LinuxIO
internal import TouchModel

/// A daemon that root starts by hand runs as the owner of the store's folder, as with
/// `touchgridd.service`. As root, it would follow symbolic links that this owner can create in the
/// folder.
enum StoreOwner {
  /// Becomes the owner of the store's folder. Call it before any file of the store is opened and
  /// before a second thread exists. If only root can change the path, the daemon remains root. If
  /// several users can, `StoreFile` rejects the path.
  /// - Parameter group: the group with access to input devices; nil: no device will be read.
  static func become(
    of path: String, readingDevicesWith group: String?, log: Log
  ) throws(DaemonError) {
    guard Privileges.isRoot else { return }
    try system { () throws(SystemError) in
      guard case .user(let owner) = try PathControl(of: path, isStrict: true) else { return }
      try Privileges.become(owner, with: group)
      let name = User.name(of: owner.user)
      log.info(.daemon, "running as the user \(name), the owner of the store's folder")
    }
  }
}
