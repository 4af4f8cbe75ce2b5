internal import CSQLite

/// Prepared statements of one connection that nobody uses at the moment: preparing one takes many times the work of
/// running it. Used from one thread at a time.
@safe final class KeptStatements {
  private var statements: [String: OpaquePointer] = unsafe [:]
  private var isClosing = false

  /// - Returns: nil where it is in use, or was never given back.
  func take(_ sql: String) -> OpaquePointer? { unsafe statements.removeValue(forKey: sql) }

  /// Holds nothing of what it was used for: neither locks nor values.
  func give(_ statement: OpaquePointer, _ sql: String) {
    guard !isClosing else {
      unsafe sqlite3_finalize(statement)
      return
    }
    unsafe sqlite3_reset(statement)
    unsafe sqlite3_clear_bindings(statement)
    // The same one may have been prepared twice, one within the other.
    if let other = unsafe statements.updateValue(statement, forKey: sql) {
      unsafe sqlite3_finalize(other)
    }
  }

  /// To be called before the connection closes. What is still in use goes when it is given back.
  func drop() {
    isClosing = true
    while let entry = unsafe statements.popFirst() { unsafe sqlite3_finalize(entry.value) }
  }
}
