internal import CLinux
internal import Glibc

/// Operations on folders and the names in them.
public enum Folder {
  /// Returns the folder part of a path; "." if it has none.
  public static func of(_ path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the last component of a path.
  public static func name(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

  /// Returns the names in a folder, sorted, without `.` and `..`.
  public static func names(_ path: String) throws(SystemError) -> [String] {
    try unsafe names(in: opendir(path), of: path)
  }

  /// Reads and closes the stream of a folder.
  /// - Parameter stream: nil if it could not be opened; `errno` has the reason.
  static func names(
    in stream: OpaquePointer?, of path: String
  ) throws(SystemError) -> [String] {
    guard let folder = unsafe stream else { throw SystemError(context: "listing \(path)") }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    errno = 0
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw SystemError(context: "listing \(path)") }
    return names.sorted()
  }

  /// Gives a file another name.
  /// - Parameter replaces: whether it may replace a file of that name.
  /// - Throws: `EEXIST` if there is such a file and it must not be replaced.
  public static func move(
    _ path: String, to other: String, replaces: Bool
  ) throws(SystemError) {
    // Unlike `rename`, `link` fails if the name was taken meanwhile. Use `rename` on file systems
    // without hard links.
    if !replaces {
      if unsafe link(path, other) == 0 {
        unsafe unlink(path)
        return
      }
      guard errno != EEXIST else { throw SystemError(context: "renaming \(path) to \(other)") }
    }
    guard unsafe rename(path, other) == 0 else {
      throw SystemError(context: "renaming \(path) to \(other)")
    }
  }

  /// Exchanges the names of two files. The exchange is atomic if the file system supports that.
  /// Otherwise the file at `old` gets the name `aside` for a moment, with signals blocked; a power
  /// cut at that moment leaves it there.
  public static func exchange(
    _ new: String, _ old: String, aside: String
  ) throws(SystemError) {
    if unsafe touchgrid_file_exchange(new, old) == 0 { return }
    guard errno == EINVAL || errno == ENOSYS else { throw SystemError(context: "replacing \(old)") }
    try UnfinishedFiles.holdingSignals { () throws(SystemError) in
      guard unsafe rename(old, aside) == 0 else { throw SystemError(context: "replacing \(old)") }
      guard unsafe rename(new, old) == 0 else {
        let error = SystemError(context: "replacing \(old)")
        unsafe rename(aside, old)
        throw error
      }
      guard unsafe rename(aside, new) == 0 else { throw SystemError(context: "moving \(aside)") }
    }
  }

  /// Flushes a folder, so that names given in it survive a power cut.
  public static func flush(_ path: String) throws(SystemError) {
    let folder = try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY)
    guard fsync(folder.number) == 0 else { throw SystemError(context: "writing \(path)") }
  }
}
