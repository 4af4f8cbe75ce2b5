internal import CSQLite
internal import TouchModel

/// A value to bind to a statement, or one from a file. Texts are compared by their bytes.
enum SQLValue: Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  static func == (left: SQLValue, right: SQLValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.text(let left), .text(let right)): left.hasSameBytes(as: right)
    case (.blob(let left), .blob(let right)): left == right
    default: false
    }
  }

  /// Returns a count as a value.
  /// - Parameter name: the name of the count, for the error message.
  /// - Throws: `.refused` if the value exceeds `Int64.max`, SQLite's largest integer.
  static func count(_ value: UInt64, _ name: String) throws(StoreError) -> SQLValue {
    guard let integer = Int64(exactly: value) else {
      throw StoreError(
        .refused, message: "\(name) is \(value), which exceeds the largest integer of SQLite")
    }
    return .integer(integer)
  }
}

/// A prepared statement and its current row.
@safe struct Statement: ~Copyable {
  private let handle: OpaquePointer
  private let database: OpaquePointer
  private let path: String
  private let kept: StatementCache?
  private let sql: String

  /// - Parameter kept: receives the statement when this value is destroyed; if nil, the statement
  ///   is finalized.
  init(
    _ handle: OpaquePointer, of database: OpaquePointer, path: String, for kept: StatementCache?,
    sql: String
  ) {
    unsafe self.handle = handle
    unsafe self.database = database
    self.path = path
    self.kept = kept
    self.sql = sql
  }

  deinit {
    if let kept { unsafe kept.checkIn(handle, sql) } else { unsafe sqlite3_finalize(handle) }
  }

  private func check(_ code: Int32) throws(StoreError) {
    guard code != SQLITE_OK else { return }
    let message = unsafe sqlite3_errmsg(database).map { unsafe String(cString: $0) }
    throw StoreError(sqliteCode: code, message: message ?? "unknown error", path: path)
  }

  /// Resets the statement, and binds these values to `?1`, `?2` and so on.
  func bind(_ values: [SQLValue]) throws(StoreError) {
    unsafe sqlite3_reset(handle)
    for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
  }

  private func bind(_ value: SQLValue, at index: Int32) throws(StoreError) {
    // SQLITE_TRANSIENT: SQLite makes a copy before the call returns.
    let copying = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .null: try check(unsafe sqlite3_bind_null(handle, index))
    case .integer(let integer): try check(unsafe sqlite3_bind_int64(handle, index, integer))
    case .real(let real): try check(unsafe sqlite3_bind_double(handle, index, real))
    case .text(let text):
      var text = text
      let code = text.withUTF8 { bytes in
        // An empty string has no address, and SQLite takes a missing address for NULL.
        unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
          unsafe sqlite3_bind_text64(
            handle, index, characters.baseAddress ?? UnsafePointer(bitPattern: 1),
            UInt64(characters.count), copying, UInt8(SQLITE_UTF8))
        }
      }
      try check(code)
    case .blob(let bytes):
      let code = unsafe bytes.withUnsafeBytes { bytes in
        unsafe sqlite3_bind_blob64(
          handle, index, bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1),
          UInt64(bytes.count), copying)
      }
      try check(code)
    }
  }

  /// Moves to the next row.
  /// - Returns: whether there is one.
  func step() throws(StoreError) -> Bool {
    let code = unsafe sqlite3_step(handle)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      try check(code)
      return false
    }
  }

  func isNull(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }
  func real(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

  /// - Throws: `.damaged` if the count is negative.
  func count(_ column: Int32) throws(StoreError) -> UInt64 {
    guard let count = UInt64(exactly: integer(column)) else {
      throw damaged("is negative: \(integer(column))", column)
    }
    return count
  }

  /// Returns a text; empty if it is NULL.
  /// - Throws: `.damaged` if the text is not UTF-8.
  func text(_ column: Int32) throws(StoreError) -> String {
    guard let start = unsafe sqlite3_column_text(handle, column) else { return "" }
    let length = unsafe Int(sqlite3_column_bytes(handle, column))
    let bytes = unsafe UnsafeBufferPointer(start: start, count: length)
    guard let text = unsafe String(validating: bytes, as: UTF8.self) else {
      throw damaged("is not UTF-8", column)
    }
    return text
  }

  func blob(_ column: Int32) -> [UInt8] {
    guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
    let length = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: length))
  }

  /// Calls `body` with a blob in SQLite's memory, without a copy.
  func withBlob<Result>(
    _ column: Int32, _ body: (UnsafeRawBufferPointer) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let start = unsafe sqlite3_column_blob(handle, column)
    let length = unsafe Int(sqlite3_column_bytes(handle, column))
    return try unsafe body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : length))
  }

  private func damaged(_ what: String, _ column: Int32) -> StoreError {
    let name = unsafe sqlite3_column_name(handle, column).map { unsafe String(cString: $0) }
    return StoreError(.damaged, message: "\(name ?? "a column") \(what)", path: path)
  }
}

/// The prepared statements of one connection that are not in use. Preparing a statement takes many
/// times the work of running it. Used from one thread at a time.
@safe final class StatementCache {
  private var statements: [String: OpaquePointer] = unsafe [:]
  private var isClosing = false

  /// - Returns: nil if the statement is in use or was never checked in.
  func checkOut(_ sql: String) -> OpaquePointer? { unsafe statements.removeValue(forKey: sql) }

  /// Returns a statement to the cache. It then holds neither locks nor values.
  func checkIn(_ statement: OpaquePointer, _ sql: String) {
    guard !isClosing else {
      unsafe sqlite3_finalize(statement)
      return
    }
    unsafe sqlite3_reset(statement)
    unsafe sqlite3_clear_bindings(statement)
    // The same SQL may have been prepared twice, one use within the other.
    if let other = unsafe statements.updateValue(statement, forKey: sql) {
      unsafe sqlite3_finalize(other)
    }
  }

  /// Finalizes all statements. Call before the connection closes. A statement that is still in use
  /// is finalized when it is checked in.
  func drop() {
    isClosing = true
    while let entry = unsafe statements.popFirst() { unsafe sqlite3_finalize(entry.value) }
  }
}
