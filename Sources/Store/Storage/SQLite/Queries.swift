/// Runs statements. Each is prepared, run and finalized. If `keeping` is true, it stays prepared.
extension Database {
  /// Runs a statement that returns no rows.
  func run(
    _ sql: String, _ values: [SQLValue] = [], keeping: Bool = false
  ) throws(StoreError) {
    let statement = try prepare(sql, keeping: keeping)
    try statement.bind(values)
    while try statement.step() {}
  }

  /// Calls `body` with every row.
  func each(
    _ sql: String, _ values: [SQLValue] = [], keeping: Bool = false,
    _ body: (borrowing Statement) throws(StoreError) -> Void
  ) throws(StoreError) {
    let statement = try prepare(sql, keeping: keeping)
    try statement.bind(values)
    while try statement.step() { try body(statement) }
  }

  /// - Returns: the result of `body` for every row.
  func all<Result>(
    _ sql: String, _ values: [SQLValue] = [],
    _ body: (borrowing Statement) throws(StoreError) -> Result
  ) throws(StoreError) -> [Result] {
    var results: [Result] = []
    try each(sql, values) { row throws(StoreError) in results.append(try body(row)) }
    return results
  }

  /// - Returns: the result of `body` for the first row; nil if there is no row.
  func first<Result>(
    _ sql: String, _ values: [SQLValue] = [], keeping: Bool = false,
    _ body: (borrowing Statement) throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    let statement = try prepare(sql, keeping: keeping)
    try statement.bind(values)
    return try statement.step() ? try body(statement) : nil
  }

  /// Returns the first column of the first row; 0 if it is NULL or there is no row.
  func integer(_ sql: String, _ values: [SQLValue] = []) throws(StoreError) -> Int64 {
    try first(sql, values) { $0.integer(0) } ?? 0
  }
}
