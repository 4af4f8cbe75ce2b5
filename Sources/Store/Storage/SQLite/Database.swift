internal import CSQLite
internal import Glibc

/// A connection to an SQLite database, closed when the value is destroyed. Used from one thread at
/// a time.
@safe struct Database: ~Copyable {
  private let handle: OpaquePointer
  /// The path of the database, for error messages.
  let path: String
  private let kept: StatementCache

  /// Configures SQLite once in a process, before its first connection.
  private static let isSettled: Void = {
    let code = touchgrid_sqlite_take_single_pages()
    assert(code == SQLITE_OK, "SQLite was used before")
    // O_NONBLOCK: another user may have replaced one of SQLite's files by a pipe, and opening it
    // must not wait.
    let opening = unsafe touchgrid_sqlite_open_with { path, flags, mode in
      guard let path = unsafe path else { return -1 }
      return unsafe open(path, flags | O_NONBLOCK | O_NOCTTY, mode_t(truncatingIfNeeded: mode))
    }
    assert(opening == SQLITE_OK, "this SQLite does not support replacing open()")
  }()

  /// Opens a connection. The corresponding C function is `sqlite3_open_v2`.
  /// - Parameter name: the path, or a `file:` URI if `flags` include `SQLITE_OPEN_URI`.
  init(path: String, name: String, flags: Int32) throws(StoreError) {
    _ = Self.isSettled
    var opened: OpaquePointer?
    // A connection is used from one thread at a time, so SQLite's own mutexes are not needed.
    let allFlags = flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(name, &opened, allFlags, nil)
    guard let handle = unsafe opened, code == SQLITE_OK else {
      let message = unsafe opened.map { unsafe Self.message(of: $0) } ?? "out of memory"
      unsafe sqlite3_close_v2(opened)
      throw StoreError(sqliteCode: code, message: message, path: path)
    }
    unsafe self.handle = handle
    self.path = path
    kept = StatementCache()
  }

  deinit {
    kept.drop()
    unsafe sqlite3_close_v2(handle)
  }

  /// Returns the message of the last error. The corresponding C function is `sqlite3_errmsg`.
  private static func message(of handle: OpaquePointer) -> String {
    unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) } ?? "unknown error"
  }

  /// Returns the error of the last call.
  func error(_ code: Int32) -> StoreError {
    unsafe StoreError(sqliteCode: code, message: Self.message(of: handle), path: path)
  }

  /// Returns the error for a row with inconsistent content.
  func damaged(_ row: String) -> StoreError { StoreError(.damaged, message: row, path: path) }

  /// Whether the file can only be read. The corresponding C function is `sqlite3_db_readonly`.
  var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, "main") != 0 }

  /// Refuses statements that write to SQLite's own tables.
  func defend() { _ = unsafe touchgrid_sqlite_defend(handle) }

  /// Sets whether closing leaves the WAL beside the database as it is.
  func leaveWAL(_ leaves: Bool) { _ = unsafe touchgrid_sqlite_leave_log(handle, leaves ? 1 : 0) }

  func withHandle(_ body: (OpaquePointer) -> Void) { unsafe body(handle) }

  /// The number of rows that the last statement changed. The corresponding C function is
  /// `sqlite3_changes`.
  var changes: Int { unsafe Int(sqlite3_changes(handle)) }

  /// Frees SQLite's page cache. The kernel caches the pages as well.
  func releaseMemory() { _ = unsafe sqlite3_db_release_memory(handle) }

  /// Limits the memory that SQLite allocates for one value. The corresponding C function is
  /// `sqlite3_limit`.
  func limitValues(toBytes limit: Int32) {
    unsafe _ = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, limit)
  }

  /// Sets the timeout for locks of other connections. The corresponding C function is
  /// `sqlite3_busy_timeout`.
  func wait(atMostMilliseconds limit: Int32) { unsafe _ = sqlite3_busy_timeout(handle, limit) }

  /// Runs statements without parameters, and ignores their rows. The corresponding C function is
  /// `sqlite3_exec`.
  func execute(_ sql: String) throws(StoreError) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// Prepares a statement. The corresponding C function is `sqlite3_prepare_v3`.
  /// - Parameter keeping: whether the statement is used often; it then stays prepared until the
  ///   connection closes.
  func prepare(_ sql: String, keeping: Bool = false) throws(StoreError) -> Statement {
    if keeping, let statement = unsafe kept.checkOut(sql) {
      return unsafe Statement(statement, of: handle, path: path, for: kept, sql: sql)
    }
    var prepared: OpaquePointer?
    let flags = keeping ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    let code = unsafe sqlite3_prepare_v3(handle, sql, -1, flags, &prepared, nil)
    guard let statement = unsafe prepared, code == SQLITE_OK else { throw error(code) }
    return unsafe Statement(
      statement, of: handle, path: path, for: keeping ? kept : nil, sql: sql)
  }

  enum Lock: String {
    /// A read transaction: one unchanging snapshot of the database.
    case read = "BEGIN"
    /// A write transaction that takes the write lock when it begins. A transaction that begins with
    /// a read might not get the lock later.
    case write = "BEGIN IMMEDIATE"
  }

  /// Runs `body` in a transaction, and rolls back if it throws.
  func transaction<Result>(
    _ lock: Lock, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let isFirst = unsafe sqlite3_get_autocommit(handle) != 0
    do throws(StoreError) {
      // Do not keep BEGIN and COMMIT for read transactions, in which queries may be cancelled.
      // SQLite counts the instructions of a kept statement over all its runs, so it could
      // interrupt even these short statements after they have taken effect.
      try run(lock.rawValue, keeping: lock == .write)
      let result = try body()
      try run("COMMIT", keeping: lock == .write)
      return result
    } catch {
      // After some errors, such as a full disk, SQLite has already rolled back.
      if unsafe isFirst && sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }
}
