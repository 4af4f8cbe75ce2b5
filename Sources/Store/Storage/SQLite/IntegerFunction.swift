internal import CSQLite

/// A function of one integer that SQL statements of a connection can call.
final class IntegerFunction {
  private let body: (Int64) -> Int64

  init(_ body: @escaping (Int64) -> Int64) { self.body = body }

  /// Defines the function for a connection, in place of an earlier one with this name. The
  /// corresponding C function is `sqlite3_create_function_v2`.
  func define(as name: String, in database: borrowing Database) throws(StoreError) {
    var code = SQLITE_OK
    unsafe database.withHandle { handle in
      // SQLITE_DIRECTONLY: a view or trigger in a hostile file cannot call it.
      code = unsafe sqlite3_create_function_v2(
        handle, name, 1, SQLITE_UTF8 | SQLITE_DIRECTONLY,
        Unmanaged.passRetained(self).toOpaque(),
        { context, _, arguments in
          guard let function = unsafe sqlite3_user_data(context),
            let argument = unsafe arguments?[0]
          else { return }
          let this = unsafe Unmanaged<IntegerFunction>.fromOpaque(function).takeUnretainedValue()
          unsafe sqlite3_result_int64(context, this.body(sqlite3_value_int64(argument)))
        }, nil, nil,
        { function in
          // SQLite calls this when the connection closes, and if the call above fails.
          guard let function = unsafe function else { return }
          unsafe Unmanaged<IntegerFunction>.fromOpaque(function).release()
        })
    }
    guard code == SQLITE_OK else { throw database.error(code) }
  }
}
