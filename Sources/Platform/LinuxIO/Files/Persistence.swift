/// Whether changes below a path survive a restart of the machine.
package enum Persistence: Hashable, Sendable {
  case persistent
  /// The changes are in memory.
  /// - fileSystem: the file system of the path, such as `tmpfs` or `an overlay on tmpfs`.
  case volatile(fileSystem: String)
  /// The path is on an overlay whose upper folder, which receives the changes, cannot be found. An
  /// initramfs or the host of a container may have mounted it.
  case uncertain(upper: String)
  case readOnly
  /// The kernel does not report the mount of the path.
  case unknown

  /// Examines this machine, as this process sees it. If the path does not exist, examines its
  /// nearest folder.
  package init(of path: String) {
    guard let table = MountTable.current, let mount = table.mount(of: path, isThere: false) else {
      self = .unknown
      return
    }
    self.init(mount) { table.mount(of: $0, isThere: true) }
  }

  /// - Parameter mountOf: returns the mount of an overlay's upper folder; nil if there is no such
  ///   folder.
  package init(
    _ mount: MountTable.Mount, mountOf: (_ upper: String) -> MountTable.Mount?
  ) {
    self =
      if mount.isReadOnly {
        .readOnly
      } else if mount.isInMemory {
        .volatile(fileSystem: mount.fileSystem)
      } else if mount.fileSystem == "autofs" {
        .unknown
      } else if mount.fileSystem != "overlay" {
        .persistent
      } else if let upper = mount.upper {
        // The kernel may report a relative path, relative to a folder of the process that mounted
        // it.
        switch upper.hasPrefix("/") ? mountOf(upper) : nil {
        // The kernel does not accept an upper folder on an overlay, so this is another folder of
        // that name.
        case let base? where base.fileSystem != "overlay":
          base.isInMemory ? .volatile(fileSystem: "an overlay on \(base.fileSystem)") : .persistent
        default: .uncertain(upper: upper)
        }
      } else {
        .readOnly
      }
  }
}

extension MountTable.Mount {
  /// RAM disks, including compressed ones (zram), have the file systems of ordinary disks, so check
  /// the device as well.
  fileprivate var isInMemory: Bool {
    ["tmpfs", "ramfs", "rootfs"].contains(fileSystem)
      || source.hasPrefix("/dev/ram") || source.hasPrefix("/dev/zram")
  }
}
