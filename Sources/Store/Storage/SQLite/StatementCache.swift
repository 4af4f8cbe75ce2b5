internal import CSQLite

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
