internal import CLinux
internal import Glibc

/// A file that one process holds for itself, by `flock`. The lock goes with the process, however it ends.
public struct FileLock: ~Copyable {
  private let file: FileDescriptor

  /// Takes the lock.
  /// - Parameters:
  ///   - makes: whether the file is made, empty, where there is none.
  ///   - followsLink: whether it may be a symbolic link.
  /// - Throws: `EWOULDBLOCK` where another process holds it; `ELOOP` for a link that is not followed.
  public init(_ path: String, makes: Bool = true, followsLink: Bool = true) throws(SystemError) {
    let number = unsafe touchgrid_lock(
      path, (makes ? O_CREAT : 0) | (followsLink ? 0 : O_NOFOLLOW))
    guard number >= 0 else { throw SystemError(context: "locking \(path)") }
    file = FileDescriptor(owning: number)
  }

  /// Whether it is the file at this path that is held, and not one that was moved or deleted since.
  public func isOf(_ path: String) -> Bool { unsafe touchgrid_is_at(file.number, path) != 0 }
}
