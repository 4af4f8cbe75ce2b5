internal import CLinux
internal import Glibc

/// A file that one process holds for itself, by `flock`. The lock goes with the process, however it ends.
public struct FileLock: ~Copyable {
  private let file: FileDescriptor

  /// Takes the lock; the file is made, empty, where there is none.
  /// - Throws: `EWOULDBLOCK` where another process holds it.
  public init(_ path: String) throws(SystemError) {
    let number = unsafe touchgrid_lock(path)
    guard number >= 0 else { throw SystemError(context: "locking \(path)") }
    file = FileDescriptor(owning: number)
  }
}
