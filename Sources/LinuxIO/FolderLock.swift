internal import CLinux
internal import Glibc

/// A folder that one process holds for itself, by `flock`: nothing is written. The lock goes with the process,
/// however it ends.
public struct FolderLock: ~Copyable {
  private let folder: FileDescriptor

  /// Takes the lock.
  /// - Parameter milliseconds: how long to wait for another process that holds it.
  /// - Throws: `EWOULDBLOCK` where another still holds it.
  public init(_ path: String, within milliseconds: Int32) throws(SystemError) {
    let number = unsafe touchgrid_lock_folder(path, milliseconds)
    guard number >= 0 else { throw SystemError(context: "locking \(path)") }
    folder = FileDescriptor(owning: number)
  }
}
