internal import CLinux
internal import Glibc

/// A file or folder that this process has locked with `flock`. The kernel releases the lock when
/// the process ends.
public struct FileLock: ~Copyable {
  private let file: FileDescriptor

  /// Locks a file.
  /// - Parameters:
  ///   - makes: whether to create an empty file if there is none.
  ///   - followsLink: whether the path may be a symbolic link.
  ///   - milliseconds: the timeout for another process that holds the lock.
  /// - Throws: `EWOULDBLOCK` if another process still holds the lock; `ELOOP` for a link that must
  ///   not be followed.
  public init(
    _ path: String, makes: Bool = true, followsLink: Bool = true, within milliseconds: Int32 = 0
  ) throws(SystemError) {
    let flags = (makes ? O_CREAT : 0) | (followsLink ? 0 : O_NOFOLLOW)
    file = try unsafe FileDescriptor(touchgrid_lock(path, flags, milliseconds), "locking \(path)")
  }

  /// Locks a folder, without writing anything.
  /// - Throws: `EWOULDBLOCK` if another process still holds the lock.
  public init(folder: String, within milliseconds: Int32) throws(SystemError) {
    file = try unsafe FileDescriptor(
      touchgrid_lock_folder(folder, milliseconds), "locking \(folder)")
  }

  /// Returns whether a path still leads to the locked file. The file may have been moved, deleted
  /// or replaced since.
  public func isOf(_ path: String) -> Bool { unsafe touchgrid_is_at(file.number, path) != 0 }
}
