internal import CLinux
internal import Glibc

/// The mounted file systems that this process sees: `/proc/self/mountinfo`
/// (proc_pid_mountinfo(5)).
package struct MountTable {
  package struct Mount: Hashable {
    package var id: UInt64
    /// Its type, such as `ext4`.
    package var fileSystem: String
    /// The device, or another text for the source of the files.
    var source: String
    var isReadOnly: Bool
    /// The folder that receives all changes, if this is an overlay; nil if there is none.
    package var upper: String?
  }

  package let mounts: [Mount]

  /// Parses the table. Skips lines that do not have the form in the manual.
  package init(_ mountinfo: [UInt8]) {
    mounts = mountinfo.split(separator: UInt8(ascii: "\n")).compactMap(Mount.init)
  }

  /// - Returns: nil if the kernel does not provide the table.
  static var current: MountTable? {
    guard let bytes = try? OpenFolder("/proc/self").contents("mountinfo", limit: 16 << 20) else {
      return nil
    }
    return MountTable(bytes)
  }

  /// Returns the mount that a path leads to, after links and other mounts on it. If the path cannot
  /// be reached, returns the mount of its nearest reachable parent folder.
  /// - Parameter isThere: whether the path must exist, although this user may be unable to reach
  ///   it.
  func mount(of path: String, isThere: Bool) -> Mount? {
    var path = path
    var id: UInt64 = 0
    while unsafe touchgrid_file_mount(path, &id) != 0 {
      guard !isThere || errno == EACCES else { return nil }
      let folder = Folder.of(path)
      guard folder != path else { return nil }
      path = folder
    }
    return mounts.first { $0.id == id }
  }
}

extension MountTable.Mount {
  /// - Parameter line: a line such as `36 35 98:0 / /mnt rw,noatime master:1 - ext3 /dev/root rw`.
  fileprivate init?(_ line: ArraySlice<UInt8>) {
    let fields = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard fields.count > 6, let id = UInt64(String(decoding: fields[0], as: UTF8.self)),
      let dash = fields[6...].firstIndex(of: [UInt8(ascii: "-")]), fields.count > dash + 3
    else { return nil }
    let options = fields[dash + 3].split(separator: UInt8(ascii: ","))
    let key = Array("upperdir=".utf8)
    self.init(
      id: id, fileSystem: Self.text(fields[dash + 1]), source: Self.text(fields[dash + 2]),
      isReadOnly: (fields[5].split(separator: UInt8(ascii: ",")) + options)
        .contains(Array("ro".utf8)[...]),
      upper: options.first { $0.starts(with: key) }.map { Self.text($0.dropFirst(key.count)) })
  }

  /// Replaces the octal escapes, such as `\040` for a space.
  private static func text(_ field: ArraySlice<UInt8>) -> String {
    var bytes: [UInt8] = []
    var rest = field
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      guard byte == UInt8(ascii: "\\"), digits.count == 3,
        let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      else {
        bytes.append(byte)
        continue
      }
      bytes.append(code)
      rest.removeFirst(3)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
