internal import CSQLite
internal import Glibc
internal import Text

/// Opens connections to stores: decides which files are accepted, and applies the settings.
enum Opening {
  /// The size limit of a value, in bytes. The cells of the largest grid take 16 MiB at most, so no
  /// valid value reaches twice that.
  private static let valueLimit: Int32 = 32 << 20

  static func writing(_ path: String, _ options: StoreOptions) throws(StoreError) -> Database {
    try Recognition.check(path)
    let database = try Database(
      path: path, name: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    // Until the file is known to be a store, nothing may be changed.
    database.leaveWAL(true)
    try configure(database, options)
    if try database.integer("PRAGMA page_count") == 0 { try create(database) }
    try identify(database)
    guard !database.isReadOnly else {
      throw StoreError(
        .readOnly, message: "this user has no write permission for the file", path: path)
    }
    try keepLog(database)
    database.leaveWAL(false)
    return database
  }

  /// Creates a store in an empty file. The store is on the disk when this returns.
  static func createStore(at path: String, after last: LastIDs) throws(StoreError) {
    let database = try Database(path: path, name: path, flags: SQLITE_OPEN_READWRITE)
    try configure(database, StoreOptions())
    try create(database, after: last)
  }

  private static let forbidden =
    "permission denied: only root and the owner of the store may read it; use sudo"

  static func reading(_ path: String, _ options: StoreOptions) throws(StoreError) -> Database {
    guard try fileSize(path) != nil else {
      throw StoreError(.cannotOpen, message: "there is no such file", path: path)
    }
    guard unsafe faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0 || errno != EACCES else {
      throw StoreError(.cannotOpen, message: forbidden, path: path)
    }
    do throws(StoreError) {
      return try reading(path, name: path, flags: SQLITE_OPEN_READONLY, options)
    } catch  where error.code == .cannotOpen || error.code == .readOnly {
      // SQLite needs a -shm file beside a database in WAL mode, and could not create one.
      guard try fileSize(path + "-wal") ?? 0 == 0 else {
        throw StoreError(
          .cannotOpen, sqliteCode: error.sqliteCode,
          message:
            "recent changes are in \(path)-wal, and reading them requires write permission in the "
            + "folder: copy the database and its -wal file elsewhere and read them there",
          path: path)
      }
      return try reading(alone: path, options)
    }
  }

  /// Opens a file that does not change meanwhile. Creates no files beside it.
  static func reading(alone path: String, _ options: StoreOptions) throws(StoreError) -> Database {
    try reading(
      path, name: immutableURI(path), flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, options)
  }

  static func reading(
    _ path: String, name: String, flags: Int32, _ options: StoreOptions
  ) throws(StoreError) -> Database {
    try Recognition.check(path)
    let database = try Database(path: path, name: name, flags: flags)
    try configure(database, options)
    try identify(database)
    return database
  }

  /// Applies the settings that every connection has. Neither reads nor writes the file.
  private static func configure(
    _ database: borrowing Database, _ options: StoreOptions
  ) throws(StoreError) {
    database.wait(atMostMilliseconds: options.busyMilliseconds)
    database.limitValues(toBytes: valueLimit)
    database.defend()
    // The schema of a foreign file must not run functions.
    try database.execute("PRAGMA trusted_schema = OFF")
    try database.execute("PRAGMA cell_size_check = ON")
    try database.execute("PRAGMA foreign_keys = ON")
    // A negative size is in KiB. A small cache is enough, because the kernel caches the pages as
    // well. A larger one would grow with the store.
    try database.execute("PRAGMA cache_size = -256")
  }

  /// Creates the tables in one transaction: after a power failure the store is complete or absent.
  /// - Parameter last: the ids that were used last; new ids are higher. If nil, ids start at 1.
  private static func create(
    _ database: borrowing Database, after last: LastIDs? = nil
  ) throws(StoreError) {
    // This is possible only before the first table. It lets `retain` return pages without rewriting
    // the file.
    try database.execute("PRAGMA auto_vacuum = INCREMENTAL")
    try database.transaction(.write) { () throws(StoreError) in
      // Another process may have created the tables meanwhile.
      guard try database.integer("PRAGMA application_id") == 0,
        try database.integer("SELECT count(*) FROM sqlite_schema") == 0
      else { return }
      for statement in Schema.statements { try database.execute(statement) }
      for (table, number) in [("session", last?.session), ("run", last?.run)] {
        guard let number else { continue }
        try database.run(
          "INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)",
          [.text(table), .integer(number)])
      }
      try database.execute("PRAGMA application_id = \(Schema.applicationID)")
      try database.execute("PRAGMA user_version = \(Schema.version)")
    }
  }

  private static func keepLog(_ database: borrowing Database) throws(StoreError) {
    let mode = try database.first("PRAGMA journal_mode = WAL") { row throws(StoreError) in
      try row.text(0)
    }
    guard mode == "wal" else {
      throw StoreError(
        .cannotOpen,
        message: "the file system does not support a write-ahead log; use a local disk",
        path: database.path)
    }
    // FULL: every commit waits for the disk. With NORMAL, a power failure would undo all commits
    // since the WAL was last copied into the database. That may be minutes ago, but the setting
    // `checkpoint` promises seconds.
    try database.execute("PRAGMA synchronous = FULL")
    // Overwrite deleted content with zeros, as `forget` promises. Only some builds of SQLite do so
    // by default.
    try database.execute("PRAGMA secure_delete = ON")
    // The number of pages after which SQLite copies the WAL into the database and overwrites it
    // from the start. While the file grows, each commit must also write its size and place to the
    // file system; with SQLite's 1000 pages it grows for the first hour.
    try database.execute("PRAGMA wal_autocheckpoint = 250")
    // The size, in bytes, to which the WAL file shrinks after a burst: somewhat more than that.
    try database.execute("PRAGMA journal_size_limit = 1310720")
  }

  /// Refuses a database that is not a store of this version. Checks only the schema, because
  /// checking the data would read every page at every start.
  private static func identify(_ database: borrowing Database) throws(StoreError) {
    let path = database.path
    let application = try database.integer("PRAGMA application_id")
    guard application == Schema.applicationID else {
      throw StoreError(
        .notOurs,
        message:
          "not a Touchgrid store but another SQLite database (application_id \(application), "
          + "not \(Schema.applicationID))",
        path: path)
    }
    let version = try database.integer("PRAGMA user_version")
    guard version == Schema.version else { throw .otherVersion(version, path) }
    var found: Set<String> = []
    var triggers = 0
    try database.each("SELECT type, sql FROM sqlite_schema WHERE sql IS NOT NULL") {
      row throws(StoreError) in
      triggers += try row.text(0) == "trigger" ? 1 : 0
      found.insert(Schema.bare(try row.text(1)))
    }
    let missing = Schema.statements.filter { !found.contains(Schema.bare($0)) }
    guard missing.isEmpty, triggers == 0 else {
      let first = missing.first?.prefix { $0 != "(" } ?? "triggers"
      throw StoreError(
        .damaged,
        message: "its tables differ from those of version \(version) (first difference: \(first))",
        path: path)
    }
  }

  /// - Returns: the size of a file, in bytes; nil if there is no file.
  /// - Throws: `.cannotOpen` if the path does not name a file; `.notOurs` if it is not a regular
  ///   file.
  static func fileSize(_ path: String) throws(StoreError) -> Int64? {
    guard !path.isEmpty, path != ":memory:", !path.utf8.contains(0) else {
      throw StoreError(.cannotOpen, message: "the path does not name a file", path: path)
    }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      let cause = errno
      if cause == ENOENT { return nil }
      let message = cause == EACCES ? forbidden : errorText(cause)
      throw StoreError(.cannotOpen, message: message, path: path)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(
        .notOurs, message: "not a Touchgrid store: not a regular file", path: path)
    }
    return Int64(status.st_size)
  }

  /// Returns a URI with `immutable=1`, which tells SQLite that the file does not change. SQLite
  /// then needs no files beside it.
  private static func immutableURI(_ path: String) -> String {
    var uri = path.hasPrefix("/") ? "file://" : "file:"
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."):
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      default: uri += (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
      }
    }
    return uri + "?immutable=1"
  }
}
