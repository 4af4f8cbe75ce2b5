internal import LinuxIO
internal import TouchModel

/// Gives up root privileges in a daemon that root starts by hand. It then runs as the owner of the
/// store's folder, as with `touchgridd.service`. As root, it would follow symbolic links that this
/// owner can create in the folder.
enum StoreOwner {
  /// Makes the process run as the owner of the store's folder, if it runs as root and that owner is
  /// the only other user who can change the target of the path. Otherwise does nothing; if several
  /// users can change it, `StoreFile` then rejects the path. Call this before any file of the store
  /// is opened and before a second thread exists.
  /// - Parameter group: the name of an additional group, with access to input devices; nil if no
  ///   device is read.
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
