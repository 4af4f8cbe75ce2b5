internal import LinuxIO
internal import TouchModel

/// A daemon that root starts by hand works as the user to whom the store's folder belongs, as `touchgridd.service` does:
/// in that folder root would follow links of that user's.
enum StoreOwner {
  /// To be called before anything of the store is opened, and before there is a second thread. Where nobody but root can
  /// change what the path leads to, root it stays; where it is nobody's alone, `StoreFile` refuses it.
  /// - Parameter group: whose members may read devices; nil: no device will be read.
  static func become(
    of path: String, readingDevicesWith group: String?, log: Log
  ) throws(DaemonError) {
    guard Privileges.isRoot else { return }
    try system { () throws(SystemError) in
      guard case .user(let owner) = try PathControl(of: path, isStrict: true) else { return }
      try Privileges.become(owner, with: group)
      let name = User.name(of: owner.user)
      log.info(.daemon, "working as the user \(name), to whom the store's folder belongs")
    }
  }
}
