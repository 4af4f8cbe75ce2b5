/// Migrates a store from version 1 to version 2: views get masks, and days get totals. New tables
/// hold the sums of months, which the next housekeeping computes.
enum Migration {
  private static let additions =
    [
      Schema.mask, Schema.month, Schema.monthly,
      "ALTER TABLE screen_view ADD COLUMN \(Schema.maskColumn)",
      "ALTER TABLE daily_view ADD COLUMN \(Schema.maskColumn)",
    ] + Schema.dayColumns.map { "ALTER TABLE day ADD COLUMN \($0)" }

  /// Migrates the store in one transaction: after a power failure it has one version or the other.
  static func run(_ store: Store) throws(StoreError) {
    let former = try version(store.database)
    guard former < Schema.version else { return }
    store.options.migrating(former, Schema.version)
    store.options.copied(try MigrationBackup.copy(of: store, version: former))
    try during("migrating the store to version \(Schema.version)") { () throws(StoreError) in
      try store.database.transaction(.write) { () throws(StoreError) in
        // Another process may have migrated the store meanwhile.
        guard try version(store.database) < Schema.version else { return }
        for statement in additions { try store.database.execute(statement) }
        try store.addMissingDayTotals()
        try store.database.execute("PRAGMA user_version = \(Schema.version)")
        // Check before the commit, because a store that cannot be opened again must not be written.
        try Opening.identify(store.database)
      }
    }
  }

  /// Lets a read-only store of version 1 answer queries as if it had the missing columns.
  static func pretend(_ database: borrowing Database) throws(StoreError) {
    guard try version(database) < Schema.version else { return }
    try database.execute("PRAGMA temp_store = MEMORY")
    for view in ["screen_view", "daily_view"] {
      try database.execute(
        "CREATE TEMP VIEW \(view) AS SELECT *, NULL AS mask FROM main.\(view)")
    }
    let totalsColumns = DayTotals.names.map { "NULL AS \($0)" }.joined(separator: ", ")
    try database.execute("CREATE TEMP VIEW day AS SELECT *, \(totalsColumns) FROM main.day")
    try database.execute(
      "CREATE TEMP VIEW month AS SELECT day AS month, 0 AS days FROM day LIMIT 0")
  }

  private static func version(_ database: borrowing Database) throws(StoreError) -> Int64 {
    try database.integer("PRAGMA user_version")
  }
}
