internal import Glibc

/// An open folder. Its contents are opened by name within this folder, without following links.
/// Therefore another user, who may replace names by links at any moment, cannot redirect an access.
public final class OpenFolder {
  private let file: FileDescriptor
  private let path: String

  /// Opens a folder. Links on the path to it are followed.
  public init(_ path: String) throws(SystemError) {
    file = try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY)
    self.path = path
  }

  private init(_ file: consuming FileDescriptor, _ path: String) {
    self.file = file
    self.path = path
  }

  /// Opens a folder in this one.
  /// - Throws: `ENOTDIR` or `ELOOP` if the name is not that of a folder.
  public func folder(_ name: String) throws(SystemError) -> OpenFolder {
    OpenFolder(try open(name, O_RDONLY | O_DIRECTORY), path + "/" + name)
  }

  /// Returns the names in the folder, sorted, without `.` and `..`.
  public func names() throws(SystemError) -> [String] {
    // The stream closes its descriptor, and reads from that descriptor's position.
    let own = try open(".", O_RDONLY | O_DIRECTORY)
    return try unsafe Folder.names(in: fdopendir(dup(own.number)), of: path)
  }

  /// Returns the contents of a regular file in the folder.
  /// - Parameter limit: the maximum size in bytes.
  /// - Throws: `EINVAL` if it is not a regular file; `EFBIG` if it is larger than the limit.
  public func contents(_ name: String, limit: Int) throws(SystemError) -> [UInt8] {
    // O_NONBLOCK: opening a pipe must not wait for a writer.
    let file = try open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    var status = stat()
    guard unsafe fstat(file.number, &status) == 0 else {
      throw SystemError(context: "examining \(path)/\(name)")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SystemError(code: EINVAL, context: "reading \(path)/\(name)")
    }
    var bytes: [UInt8] = []
    var buffer = Array(repeating: UInt8(0), count: 1 << 16)
    while let count = try file.read(into: &buffer), count > 0 {
      guard bytes.count + count <= limit else {
        throw SystemError(code: EFBIG, context: "reading \(path)/\(name)")
      }
      bytes += buffer[..<count]
    }
    return bytes
  }

  /// Returns the size of a regular file in the folder, in bytes; nil if there is no such file.
  public func size(of name: String) -> Int? {
    var status = stat()
    guard unsafe fstatat(file.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return Int(status.st_size)
  }

  /// Returns the target of a symbolic link in the folder; nil if there is no such link.
  public func destination(of name: String) -> String? {
    var buffer = Array(repeating: CChar(0), count: Int(PATH_MAX))
    let count = unsafe readlinkat(file.number, name, &buffer, buffer.count)
    guard count >= 0 else { return nil }
    return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private func open(_ name: String, _ flags: Int32) throws(SystemError) -> FileDescriptor {
    let number = retrying {
      unsafe openat(file.number, name, flags | O_NOFOLLOW | O_CLOEXEC)
    }
    return try FileDescriptor(number, "opening \(path)/\(name)")
  }
}
