internal import CLinux
internal import Glibc

/// A folder that this process has locked with `flock`, without writing anything. The kernel
/// releases the lock when the process ends.
public struct FolderLock: ~Copyable {
  private let folder: FileDescriptor

  /// Locks a folder.
  /// - Parameter milliseconds: the timeout for another process that holds the lock.
  /// - Throws: `EWOULDBLOCK` if another process still holds it.
  public init(_ path: String, within milliseconds: Int32) throws(SystemError) {
    let number = unsafe touchgrid_lock_folder(path, milliseconds)
    guard number >= 0 else { throw SystemError(context: "locking \(path)") }
    folder = FileDescriptor(owning: number)
  }
}
