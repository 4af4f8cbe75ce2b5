import LinuxIO
import TestSupport
import Testing

/// What a restart leaves of changes, by the mounts of systems of all kinds.
@Suite struct PersistenceTests {
  /// - Parameters:
  ///   - id: the mount that a path is on.
  ///   - uppers: the mounts of the upper folders that exist.
  private func persistence(
    _ mountinfo: String, _ id: UInt64, uppers: [String: UInt64] = [:]
  ) throws -> Persistence {
    let mounts = MountTable(Array(mountinfo.utf8)).mounts
    func mount(_ id: UInt64) -> MountTable.Mount? { mounts.first { $0.id == id } }
    return Persistence(try #require(mount(id))) { uppers[$0].flatMap(mount) }
  }

  /// The package overlayroot, which raspi-config installs, also puts overlays on other file systems.
  private static let overlayroot = """
    24 30 0:22 / /proc rw,nosuid,nodev,noexec,relatime shared:14 - proc proc rw
    27 30 0:25 / /run rw,nosuid,nodev,noexec,relatime shared:5 - tmpfs tmpfs rw,size=761156k,mode=755
    30 1 0:28 / / rw,relatime shared:1 - overlay overlayroot rw,lowerdir=/media/root-ro,\
    upperdir=/media/root-rw/overlay,workdir=/media/root-rw/overlay-workdir/_,uuid=on
    32 30 179:2 / /media/root-ro ro,relatime shared:2 - ext4 /dev/mmcblk0p2 ro
    33 30 0:27 / /media/root-rw rw,relatime shared:3 - tmpfs tmpfs-root rw
    90 30 0:51 / /data rw,relatime shared:43 - overlay /media/root-ro/data rw,lowerdir=/media/\
    root-ro/data,upperdir=/media/root-rw/overlay/data,workdir=/media/root-rw/overlay-workdir/data
    95 30 8:1 / /var/lib/touchgrid rw,relatime shared:47 - ext4 /dev/sda1 rw

    """

  @Test func `With overlayroot changes are lost, except on a file system of its own`() throws {
    let uppers: [String: UInt64] = [
      "/media/root-rw/overlay": 33, "/media/root-rw/overlay/data": 33,
    ]
    let lost = Persistence.volatile(fileSystem: "an overlay on tmpfs")
    #expect(try persistence(Self.overlayroot, 30, uppers: uppers) == lost)
    #expect(try persistence(Self.overlayroot, 90, uppers: uppers) == lost)
    #expect(try persistence(Self.overlayroot, 95, uppers: uppers) == .persistent)
    #expect(try persistence(Self.overlayroot, 32) == .readOnly)
    #expect(try persistence(Self.overlayroot, 27) == .volatile(fileSystem: "tmpfs"))
  }

  @Test func `An overlayroot on a disk keeps changes`() throws {
    let text = """
      30 1 0:28 / / rw,relatime - overlay overlayroot rw,lowerdir=/media/root-ro,\
      upperdir=/media/root-rw/overlay,workdir=/media/root-rw/overlay-workdir/_
      33 30 8:1 / /media/root-rw ro,relatime - ext4 /dev/sda1 rw
      """
    #expect(try persistence(text, 30, uppers: ["/media/root-rw/overlay": 33]) == .persistent)
  }

  @Test func `An upper folder that cannot be found leaves doubt`() throws {
    // Of raspi-config before it used overlayroot, and of a container.
    let text = """
      21 1 0:20 / / rw,noatime shared:1 - overlay overlay rw,lowerdir=/lower,upperdir=/upper/data,\
      workdir=/upper/work
      700 600 0:80 / / rw,relatime master:9 - overlay overlay rw,lowerdir=/l/A:/l/B,\
      upperdir=/var/lib/docker/overlay2/5f/diff,workdir=/var/lib/docker/overlay2/5f/work
      """
    #expect(try persistence(text, 21) == .uncertain(upper: "/upper/data"))
    // The container's own folder of that name is not the host's.
    let upper = "/var/lib/docker/overlay2/5f/diff"
    #expect(try persistence(text, 700, uppers: [upper: 700]) == .uncertain(upper: upper))
    let relative =
      text.replacing("upperdir=/upper", with: "upperdir=upper")
      + "\n22 21 8:1 / /home rw,relatime - ext4 /dev/sda1 rw"
    // So there is a folder of that name in this program's own folder.
    let own = ["upper/data": UInt64(22)]
    #expect(try persistence(relative, 21, uppers: own) == .uncertain(upper: "upper/data"))
  }

  @Test func `Disks keep changes, memory loses them, and what is read-only takes none`() throws {
    let text = """
      1 0 8:2 / / rw,relatime shared:1 - ext4 /dev/sda2 rw,errors=remount-ro
      2 1 0:30 /@var /var rw,noatime - btrfs /dev/mapper/a\\040b rw,ssd,subvol=/@var
      3 1 0:31 / /var rw - tmpfs  rw,size=65536k
      4 1 253:0 / /var/log rw,relatime - ext4 /dev/zram0 rw,discard
      5 1 179:2 / /usr ro,relatime shared:2 master:3 propagate_from:1 - ext4 /dev/mmcblk0p2 rw
      6 1 179:2 / /etc rw,relatime - ext4 /dev/mmcblk0p2 ro
      7 1 7:0 / /snap rw - squashfs /dev/loop0 ro
      8 1 0:32 / /media/usb rw - autofs systemd-1 rw,fd=51,pgrp=1
      9 1 0:33 / /opt ro - overlay overlay ro,lowerdir=/a:/b
      10 1 0:34 / /srv rw - nfs4 nas:/srv rw,vers=4.2,addr=10.0.0.1
      """
    let all = try (1...10).map { try persistence(text, UInt64($0)) }
    #expect(
      all == [
        .persistent, .persistent, .volatile(fileSystem: "tmpfs"), .volatile(fileSystem: "ext4"),
        .readOnly, .readOnly, .readOnly, .unknown, .readOnly, .persistent,
      ])
  }

  @Test func `Escapes are undone, and malformed lines left out`() throws {
    let text = """
      1 0 0:1 / /x\\040-\\040y rw - overlay o rw,lowerdir=/l,upperdir=/a\\040b\\054c\\134\\075
      2 0 0:1 / /x rw - overlay o rw,upperdir=/a\\04,nfs_export=on
      x 0 0:1 / /x rw - tmpfs tmpfs rw
      3 0 0:1 / /x rw shared:1 tmpfs tmpfs rw
      4 0 0:1 / /x rw - tmpfs
      - - - - - - -
      5 0 0:1 / /x rw

      6 0 0:1 / /x rw \(String(repeating: "shared:1 ", count: 100_000))- tmpfs tmpfs rw
      """
    let mounts = MountTable(Array(text.utf8) + [10, 0xff, 0xfe]).mounts
    #expect(mounts.map(\.id) == [1, 2, 6])
    #expect(mounts.map(\.upper) == ["/a b,c\\=", "/a\\04", nil])
    #expect(mounts.last?.fileSystem == "tmpfs")
  }

  @Test func `Every mount of this machine is understood`() throws {
    let text = try run(["cat", "/proc/self/mountinfo"]).output
    let count = MountTable(Array(text.utf8)).mounts.count
    #expect(count > 0 && count == text.split(separator: "\n").count)
    // A path that does not exist is on the mount of its nearest folder.
    #expect(Persistence(of: "/proc/none/at all") == Persistence(of: "/proc"))
    #expect(Persistence(of: "/proc") != .unknown)
  }
}
