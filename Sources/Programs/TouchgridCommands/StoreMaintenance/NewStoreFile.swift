import Glibc
import LinuxIO
import Storage
import Text
import TouchModel

/// A database that gets its final name when it is complete. Until then it lies in a private folder,
/// in which no other user can create the additional files of SQLite. The folder is removed when the
/// process ends, unless it is killed with SIGKILL.
struct NewStoreFile: ~Copyable {
  private static let endings = ["", "-wal", "-shm", "-journal"]

  /// The path of the database until it is complete.
  let temporary: String
  private let folder: String
  private let path: String
  private let replaces: Bool
  private let access: StoreAccess?
  /// The process that writes the final file; nil if this process does.
  private let process: OutputProcess?

  /// Creates an empty database.
  /// - Parameters:
  ///   - replaces: whether a file at `path` may be replaced.
  ///   - source: the store that the database is made from. If another process writes to `path`, the
  ///     database lies in the folder of the environment variable `TMPDIR` until it is complete, or
  ///     beside the source if that is not set.
  ///   - access: the permissions and owner to give the file, as far as the kernel allows; nil for
  ///     this user alone.
  init(
    _ path: String, replaces: Bool, from source: String, access: StoreAccess? = nil
  ) throws(Failure) {
    let process = try ProcessIdentity.outputProcess(for: path)
    if let process {
      try process.begin(.store(replaces: replaces, access), path)
    } else {
      try Self.check(path, replaces: replaces, access)
    }
    let place =
      process == nil
      ? Folder.of(path)
      : Terminal.variable("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? Folder.of(source)
    let digits = String(UInt64.random(in: .min ... .max), radix: 36)
    let folder = (place == "/" ? "" : place) + "/.touchgrid-" + digits
    let temporary = folder + "/store"
    let names = [folder] + Self.endings.map { temporary + $0 }
    try failing { () throws(SystemError) in for name in names { try UnfinishedFiles.add(name) } }
    do throws(Failure) {
      let name = (process == nil ? path : folder).printable(limit: 4096)
      try beside(name) { () throws(SystemError) in
        guard unsafe mkdir(folder, 0o700) == 0 else {
          throw SystemError(context: "making a folder")
        }
        let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SystemError(context: "making a file") }
        close(file)
      }
    } catch {
      unsafe rmdir(folder)
      for name in names { UnfinishedFiles.remove(name) }
      throw error
    }
    self.temporary = temporary
    self.process = process
    self.access = access
    self.folder = folder
    self.path = path
    self.replaces = replaces
  }

  /// - Parameter access: the permissions of the file; nil for a backup, whose errors suggest
  ///   `--force`.
  /// - Throws: an error if no store may be written to the path.
  private static func check(
    _ path: String, replaces: Bool, _ access: StoreAccess?
  ) throws(Failure) {
    let name = path.printable(limit: 4096)
    guard path != "-" else {
      throw Failure(
        "a store cannot be written to standard output; name a file (./- for a file named -)")
    }
    var old = stat()
    let isThere = unsafe lstat(path, &old) == 0
    guard replaces || !isThere else {
      let hint =
        access == nil
        ? ", or use --force to replace it if it is a store or empty" : " with --into"
      throw Failure("\(name) exists, and was not changed; name another file\(hint)")
    }
    do throws(StoreError) { try Store.checkIsStore(at: path) } catch {
      var failure = Failure("\(error)")
      failure.exitStatus = error.exitStatus
      throw failure
    }
    if isThere, old.st_mode & S_IFMT != S_IFREG {
      throw Failure("\(name) is not a regular file; name another file")
    }
    // SQLite would apply the changes in this WAL to the new file. An empty WAL may be left by a
    // reader.
    var log = stat()
    if unsafe stat(path + "-wal", &log) == 0, log.st_size > 0 {
      throw Failure(
        "\(name)-wal exists: a database of this name is in use, or was not closed; name another file"
      )
    }
  }

  /// Flushes the database to the disk and gives it its final name. No connection to it may be open.
  func finish() throws(Failure) {
    if let process { return try process.finish(copyOf: temporary) }
    do throws(SystemError) {
      try Self.flush(temporary, access)
      try UnfinishedFiles.holdingSignals { () throws(SystemError) in
        try Folder.move(temporary, to: path, replaces: replaces)
      }
      try Folder.flush(Folder.of(path))
    } catch {
      throw Self.unwritten(path, error)
    }
  }

  private static func flush(_ path: String, _ access: StoreAccess?) throws(SystemError) {
    let file = try FileDescriptor(opening: path, O_RDONLY | O_NOFOLLOW)
    if let access {
      _ = fchown(file.number, access.user, access.group)
      _ = fchmod(file.number, access.mode)
    }
    guard fsync(file.number) == 0 else { throw SystemError(context: "writing") }
  }

  private static func unwritten(_ path: String, _ error: SystemError) -> Failure {
    Failure("\(path.printable(limit: 4096)) cannot be written: \(errorText(error.code))")
  }

  /// Writes a complete database that another process has made.
  /// - Parameter body: writes its bytes to a descriptor.
  static func write(
    _ path: String, replaces: Bool, _ access: StoreAccess?,
    _ body: (_ descriptor: Int32) throws(Failure) -> Void
  ) throws(Failure) {
    try check(path, replaces: replaces, access)
    var file = try beside(path.printable(limit: 4096)) { () throws(SystemError) in
      try FileReplacement(of: path)
    }
    _ = fchmod(file.descriptor, 0o600)
    try body(file.descriptor)
    if let access { file.takeOver(mode: access.mode, user: access.user, group: access.group) }
    do throws(SystemError) {
      try file.finish(replaces: replaces)
      try Folder.flush(Folder.of(path))
    } catch {
      throw unwritten(path, error)
    }
  }

  deinit {
    for ending in Self.endings {
      unsafe unlink(temporary + ending)
      UnfinishedFiles.remove(temporary + ending)
    }
    unsafe rmdir(folder)
    UnfinishedFiles.remove(folder)
  }
}
