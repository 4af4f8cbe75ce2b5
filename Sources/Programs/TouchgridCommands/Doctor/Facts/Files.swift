import Glibc
import LinuxIO

/// Reads small files and folders. A missing file is no error.
enum Files {
  /// Returns the first 64 KiB of a file; nil if it cannot be read.
  static func text(_ path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = Array(repeating: UInt8(0), count: 1 << 16)
    var bytes: [UInt8] = []
    while bytes.count < 1 << 16 {
      let count = unsafe read(descriptor, &buffer, buffer.count - bytes.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the names in a folder, sorted; empty if it cannot be read.
  static func names(in folder: String) -> [String] {
    (try? Folder.names(folder)) ?? []
  }

  /// Returns the target of a symbolic link; nil if the path is not a link, or cannot be read.
  static func destination(_ path: String) -> String? {
    var buffer = Array(repeating: CChar(0), count: 4096)
    let count = unsafe readlink(path, &buffer, buffer.count)
    guard count >= 0 else { return nil }
    return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  static func exists(_ path: String) -> Bool { unsafe Glibc.access(path, F_OK) == 0 }

  /// Returns the permissions of a file; nil if it cannot be examined.
  static func access(_ path: String) -> FileAccess? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return FileAccess(
      mode: status.st_mode & 0o7777, owner: status.st_uid, group: status.st_gid)
  }
}

/// The permissions of a file. Access control lists are ignored.
struct FileAccess: Equatable {
  var mode: UInt32
  var owner: UInt32
  var group: UInt32

  /// Returns whether a user has all of these permissions. Root always has.
  /// - Parameter bits: the sum of 4 to read, 2 to write, 1 to enter a folder.
  func allows(_ bits: UInt32, user: UInt32, groups: Set<UInt32>) -> Bool {
    if user == 0 { return true }
    let shift: UInt32 = user == owner ? 6 : groups.contains(group) ? 3 : 0
    return mode >> shift & bits == bits
  }
}
