internal import CSQLite
internal import Glibc
internal import LinuxIO

/// What is done with a store's files by their names.
extension Store {
  /// From now on closing leaves the log as it is, beside the database: nothing is written to a damaged file.
  public func leaveLog() { database.leaveLog(true) }

  /// Whether the file is no longer where it was opened: deleted, moved, or another was put there. Not where the disk
  /// fails to tell, which SQLite's own answer takes for a yes.
  var hasMoved: Bool {
    switch FileIdentity.at(path) {
    case .success(let identity): identity != opened
    case .failure(let error): error.code == ENOENT
    }
  }

  static func flushFolder(of path: String) throws(StoreError) {
    let folder = Folder.of(path)
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(folder) }
    defer { close(descriptor) }
    // Some file systems flush no folders: there is nothing better to be had of them.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure(folder) }
  }

  /// From `errno`.
  static func failure(_ path: String) -> StoreError {
    let cause = errno
    let code: StoreError.Code =
      switch cause {
      case ENOSPC, EDQUOT: .full
      case EROFS, EACCES, EPERM: .readOnly
      default: .io
      }
    return StoreError(code, message: unsafe String(cString: strerror(cause)), path: path)
  }

  static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// 0 where there is none.
  static func bytes(of path: String) -> Int64 {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }

  /// Where SQLite puts its files: beside the one that a symbolic link leads to.
  static func resolved(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}

/// Which file it is, whatever its name.
struct FileIdentity: Equatable {
  private let device: dev_t
  private let number: ino_t

  static func at(_ path: String) -> Result<FileIdentity, SystemError> {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      return .failure(SystemError(context: "looking at \(path)"))
    }
    return .success(FileIdentity(device: status.st_dev, number: status.st_ino))
  }
}

extension StoreError {
  /// The file itself is damaged, not only what a row says: whatever is written to it may make it worse.
  public var isDamagedFile: Bool {
    [SQLITE_CORRUPT, SQLITE_NOTADB].contains(sqliteCode & 0xff)
  }

  /// Opening failed because of what is in the file, and it is or was a store.
  public var isDamagedAtOpening: Bool { code == .damaged }
}
