/// Whether changes below a path are still there after the machine restarts.
package enum Persistence: Hashable, Sendable {
  case persistent
  /// The changes are in memory.
  /// - fileSystem: what the path is on, such as `tmpfs` or `an overlay on tmpfs`.
  case volatile(fileSystem: String)
  /// The path is on an overlay whose upper folder, which has the changes, cannot be found. An
  /// initramfs or the host of a container may have mounted it.
  case uncertain(upper: String)
  case readOnly
  /// The kernel does not tell which mount the path is on.
  case unknown

  /// Examines this machine, as this process sees it. If the path does not exist, its nearest folder
  /// counts.
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
        // The kernel may show a relative path, which was relative to the folder of who mounted it.
        switch upper.hasPrefix("/") ? mountOf(upper) : nil {
        // The kernel takes no upper folder on an overlay, so this is another folder of that name.
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
  /// A RAM disk or a compressed one (zram) has a file system of disks.
  fileprivate var isInMemory: Bool {
    ["tmpfs", "ramfs", "rootfs"].contains(fileSystem)
      || source.hasPrefix("/dev/ram") || source.hasPrefix("/dev/zram")
  }
}
