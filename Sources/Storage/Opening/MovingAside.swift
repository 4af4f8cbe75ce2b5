internal import CSQLite
internal import Glibc
public import TouchModel

/// A damaged store is neither mended nor deleted: it gets another name, and a new one is begun in its place.
extension Store {
  /// What SQLite may have put beside a database. All of it goes along: a log that was left behind would be
  /// taken for that of the new database.
  private static let endings = ["", "-journal", "-wal", "-shm"]

  /// Gives the files of a store another name in their folder, `….damaged-20260131T235959Z`, which no other file
  /// has. Of a symbolic link it is the file that it leads to.
  ///
  /// Whenever the power goes, the database is at one of the two names, and its log beside it: the files first
  /// have both names.
  /// - Precondition: nobody has the database open to write.
  /// - Returns: the new path of the database.
  public static func moveAside(_ path: String, at time: WallTime) throws(StoreError) -> String {
    let former = resolved(path)
    return try doing("moving the damaged store aside") { () throws(StoreError) in
      let stem = former + ".damaged-" + stamp(of: time)
      var aside = stem
      var number = 1
      while endings.contains(where: { exists(aside + $0) }) {
        number += 1
        aside = "\(stem)-\(number)"
      }
      let files = endings.filter { exists(former + $0) }
      // The database loses its old name first: without it a log is never taken for anybody's.
      var haveBothNames = true
      for ending in files where haveBothNames {
        haveBothNames = try link(former + ending, aside + ending)
      }
      if haveBothNames {
        try flushFolder(of: former)
        for ending in files {
          guard unsafe unlink(former + ending) == 0 else { throw failure(former + ending) }
        }
      } else {
        for ending in files {
          guard unsafe rename(former + ending, aside + ending) == 0 else {
            throw failure(former + ending)
          }
        }
      }
      try flushFolder(of: former)
      return aside
    }
  }

  /// Goes on where a store ended that was moved aside: no number that it gave is given again. Where it cannot be
  /// read any more, those of sessions go on from the minutes since 1970, and those of runs from the hours: a touch's
  /// identity holds the run's number, and must stay below 2^53.
  public func goOn(after aside: String, at time: WallTime) throws(StoreError) {
    // 2025: there was no earlier store, whatever the clock says.
    let time = max(1_735_646_400_000, time.milliseconds)
    let marks: [(table: String, mark: Int64, limit: Int64)] = [
      ("session", time / 60_000, 1 << 31), ("run", time / 3_600_000, 1 << 21),
    ]
    try doing("going on after \(aside)") { () throws(StoreError) in
      try database.transaction(.write) { () throws(StoreError) in
        for (table, mark, limit) in marks {
          let last = Self.last(of: table, below: limit, in: aside) ?? min(mark, limit - 1)
          try database.run("DELETE FROM sqlite_sequence WHERE name = ?1", [.text(table)])
          try database.run(
            "INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)",
            [.text(table), .integer(last)])
        }
      }
    }
  }

  /// From now on closing leaves the log as it is, beside the database: nothing is written to a damaged file.
  public func leaveLog() { database.leaveLog(true) }

  private static func last(of table: String, below limit: Int64, in path: String) -> Int64? {
    do throws(StoreError) {
      let database = try Database(path: path, name: path, flags: SQLITE_OPEN_READONLY)
      database.leaveLog(true)
      let last = try database.first(
        "SELECT seq FROM sqlite_sequence WHERE name = ?1", [.text(table)], { $0.integer(0) })
      // Damage can look like a number.
      return last.flatMap { (0..<limit).contains($0) ? $0 : nil }
    } catch { return nil }
  }

  /// - Returns: false where the file system cannot give a file two names.
  private static func link(_ old: String, _ new: String) throws(StoreError) -> Bool {
    if unsafe Glibc.link(old, new) == 0 { return true }
    switch errno {
    case EPERM, EOPNOTSUPP, ENOSYS, EMLINK: return false
    default: throw failure(old)
    }
  }

  static func flushFolder(of path: String) throws(StoreError) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
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

  /// Where SQLite puts its files: beside the one that a symbolic link leads to.
  static func resolved(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  /// `20260131T235959Z`
  private static func stamp(of time: WallTime) -> String {
    var clock = time_t(time.milliseconds / 1000)
    var parts = unsafe tm()
    unsafe gmtime_r(&clock, &parts)
    var text = [CChar](repeating: 0, count: 64)
    unsafe strftime(&text, text.count, "%Y%m%dT%H%M%SZ", &parts)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension StoreError {
  /// The file itself is damaged, not only what a row says: whatever is written to it may make it worse.
  public var isDamagedFile: Bool {
    [SQLITE_CORRUPT, SQLITE_NOTADB].contains(sqliteCode & 0xff)
  }

  /// Opening failed because of what is in the file, and it is no other program's.
  public var isDamagedAtOpening: Bool { code == .notADatabase || code == .damaged }
}
