internal import CLinux
internal import Glibc

/// A file that one process holds for itself, by `flock`. The lock goes with the process, however it ends.
public struct FileLock: ~Copyable {
  private let file: FileDescriptor

  /// Takes the lock; the file is made, empty, where there is none.
  /// - Parameter followsLink: whether it may be a symbolic link.
  /// - Throws: `EWOULDBLOCK` where another process holds it; `ELOOP` for a link that is not followed.
  public init(_ path: String, followsLink: Bool = true) throws(SystemError) {
    let number = unsafe touchgrid_lock(path, followsLink ? 0 : O_NOFOLLOW)
    guard number >= 0 else { throw SystemError(context: "locking \(path)") }
    file = FileDescriptor(owning: number)
  }
}
