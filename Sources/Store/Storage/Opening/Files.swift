internal import CSQLite
internal import Glibc
internal import LinuxIO
internal import Text

/// Operations on a store's files by name.
extension Store {
  /// Makes closing leave the WAL beside the database, so that nothing is written to a damaged file.
  public func leaveWAL() { database.leaveWAL(true) }

  /// Whether the open file is no longer at its path, because it was deleted, moved or replaced.
  /// False if the path cannot be examined; SQLite's own check would then report a move.
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
    // Some file systems cannot flush folders (EINVAL), and offer no alternative.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure(folder) }
  }

  /// Creates an error from `errno`.
  static func failure(_ path: String) -> StoreError {
    let cause = errno
    let code: StoreError.Code =
      switch cause {
      case ENOSPC, EDQUOT: .full
      case EROFS, EACCES, EPERM: .readOnly
      default: .io
      }
    return StoreError(code, message: errorText(cause), path: path)
  }

  static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// Returns the size of a file, in bytes; 0 if it is missing or cannot be examined.
  static func bytes(of path: String) -> Int64 {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }

  /// Returns the path with symbolic links resolved, because SQLite puts its files beside the target
  /// of a link; returns `path` itself if that fails.
  static func resolved(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}

/// Identifies a file regardless of its name.
struct FileIdentity: Equatable {
  private let device: dev_t
  private let number: ino_t

  static func at(_ path: String) -> Result<FileIdentity, SystemError> {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      return .failure(SystemError(context: "examining \(path)"))
    }
    return .success(FileIdentity(device: status.st_dev, number: status.st_ino))
  }
}

extension StoreError {
  /// Whether the file itself is damaged, rather than the content of a row. Writing to such a file
  /// may increase the damage.
  public var isDamagedFile: Bool {
    [SQLITE_CORRUPT, SQLITE_NOTADB].contains(sqliteCode & 0xff)
  }

  /// Whether opening failed because of damaged content, and the file is or was a store.
  public var isDamagedAtOpening: Bool { code == .damaged }
}
