import Glibc
import LinuxIO
import TouchModel

/// A database that gets its name when it is whole. Until then SQLite needs one to write to: a temporary beside it,
/// which goes with the process unless that is killed outright.
struct NewStoreFile: ~Copyable {
  private static let endings = ["", "-wal", "-shm", "-journal"]

  let temporary: String
  private let path: String
  private let replaces: Bool

  /// - Parameter replaces: whether a file of that name may be there.
  init(_ path: String, replaces: Bool) throws(Failure) {
    let name = path.printable(limit: 4096)
    guard path != "-" else {
      throw Failure("a store is not written to standard output; name a file (./- is one, too)")
    }
    var old = stat()
    let isThere = unsafe lstat(path, &old) == 0
    guard replaces || !isThere else {
      throw Failure("\(name) is there already, and nothing was changed; name another file")
    }
    if isThere, old.st_mode & S_IFMT != S_IFREG {
      throw Failure("\(name) is no regular file; name another")
    }
    // SQLite would read these changes into the new file. Who only reads leaves an empty one behind.
    var log = stat()
    if unsafe stat(path + "-wal", &log) == 0, log.st_size > 0 {
      throw Failure(
        "\(name)-wal belongs to a database of this name that is in use, or was not closed; name "
          + "another file")
    }
    let digits = String(UInt64.random(in: .min ... .max), radix: 36)
    let temporary = Folder.of(path) + "/.touchgrid-" + digits
    do throws(SystemError) {
      for ending in Self.endings { try Unfinished.add(temporary + ending) }
    } catch {
      throw Failure("\(error)")
    }
    let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      let cause = errno
      for ending in Self.endings { Unfinished.remove(temporary + ending) }
      throw Failure("nothing can be written beside \(name): \(errorText(cause))")
    }
    close(file)
    self.temporary = temporary
    self.path = path
    self.replaces = replaces
  }

  /// Takes over who owns a file, and who may read and write it, as far as the kernel lets us.
  func takeOver(_ other: String) {
    var status = stat()
    guard unsafe stat(other, &status) == 0 else { return }
    unsafe chown(temporary, status.st_uid, status.st_gid)
    unsafe chmod(temporary, status.st_mode & 0o777)
  }

  /// Gives it its name, when all its bytes are on the disk. No connection may be open.
  func finish() throws(Failure) {
    do throws(SystemError) {
      try Self.flush(temporary)
      try Unfinished.holdingSignals { () throws(SystemError) in
        // Only a link does not replace what came meanwhile; some file systems have none.
        if !replaces, unsafe link(temporary, path) == 0 {
          unsafe unlink(temporary)
        } else if !replaces, errno == EEXIST {
          throw SystemError(context: "naming")
        } else if unsafe rename(temporary, path) != 0 {
          throw SystemError(context: "naming")
        }
      }
      try Folder.flush(Folder.of(path))
    } catch {
      throw Failure("\(path.printable(limit: 4096)) cannot be written: \(errorText(error.code))")
    }
  }

  private static func flush(_ path: String) throws(SystemError) {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw SystemError(context: "writing") }
    defer { close(file) }
    guard fsync(file) == 0 else { throw SystemError(context: "writing") }
  }

  deinit {
    for ending in Self.endings {
      unsafe unlink(temporary + ending)
      Unfinished.remove(temporary + ending)
    }
  }
}
