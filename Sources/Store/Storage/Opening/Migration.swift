/// Migrates a store of an earlier version to the current one, step by step. Version 2 gave views
/// masks and days totals, and has tables for the sums of months, which the next housekeeping
/// computes. Version 3 has tables for controls.
enum Migration {
  /// The statements that make a version from the one before it.
  private static func additions(making version: Int64) -> [String] {
    let views = ["screen_view", "daily_view"]
    func add(_ column: String) -> [String] {
      views.map { "ALTER TABLE \($0) ADD COLUMN \(column)" }
    }
    return switch version {
    case 2:
      [Schema.mask, Schema.month, Schema.monthly] + add(Schema.maskColumn)
        + Schema.dayColumns.map { "ALTER TABLE day ADD COLUMN \($0)" }
    case 3:
      [Schema.controlSet, Schema.control, Schema.dailyControl, Schema.dailyControlSet]
        + add(Schema.controlSetsColumn)
    default: []
    }
  }

  /// Migrates the store in one transaction: after a power failure it has one version or the other.
  static func run(_ store: Store) throws(StoreError) {
    let former = try version(store.database)
    guard former < Schema.version else { return }
    store.options.migrating(former, Schema.version)
    store.options.copied(try MigrationBackup.copy(of: store, version: former))
    try during("migrating the store to version \(Schema.version)") { () throws(StoreError) in
      try store.database.transaction(.write) { () throws(StoreError) in
        // Another process may have migrated the store meanwhile.
        let former = try version(store.database)
        guard former < Schema.version else { return }
        for version in (former + 1)...Schema.version {
          for statement in additions(making: version) { try store.database.execute(statement) }
        }
        if former < 2 { try store.addMissingDayTotals() }
        try store.database.execute("PRAGMA user_version = \(Schema.version)")
        // Check before the commit, because a store that cannot be opened again must not be written.
        try Opening.identify(store.database)
      }
    }
  }

  /// Lets a read-only store of an earlier version answer queries as if it had the missing columns
  /// and tables.
  static func pretend(_ database: borrowing Database) throws(StoreError) {
    try database.execute("PRAGMA temp_store = MEMORY")
    for table in ["panel", "daily_panel"] where try !database.hasTable(table) {
      let owner = table == "panel" ? "0 AS session" : "'' AS day, 0 AS sessions"
      let columns = (PanelRow.keyColumns + ["bytes", "counts"]).map { "NULL AS \($0)" }
      try database.execute(
        "CREATE TEMP VIEW \(table) AS SELECT \(owner), \(columns.joined(separator: ", ")) LIMIT 0")
    }
    let former = try version(database)
    guard former < Schema.version else { return }
    let missing = (former < 2 ? ", NULL AS mask" : "") + ", 0 AS control_sets"
    for view in ["screen_view", "daily_view"] {
      try database.execute("CREATE TEMP VIEW \(view) AS SELECT *\(missing) FROM main.\(view)")
    }
    let cells = "geometry AS control_set, 1 AS sessions, 1 AS bytes_per_cell, NULL AS cells"
    for (table, view) in [("control", "screen_view"), ("daily_control", "daily_view")] {
      let period = table == "control" ? "session" : "day"
      try database.execute(
        """
        CREATE TEMP VIEW \(table) AS
        SELECT \(period), display, screen, geometry, \(cells) FROM main.\(view) LIMIT 0
        """)
    }
    try database.execute(
      "CREATE TEMP VIEW control_set AS SELECT id, list FROM main.placement LIMIT 0")
    guard former < 2 else { return }
    let totalsColumns = DayTotals.names.map { "NULL AS \($0)" }.joined(separator: ", ")
    try database.execute("CREATE TEMP VIEW day AS SELECT *, \(totalsColumns) FROM main.day")
    try database.execute(
      "CREATE TEMP VIEW month AS SELECT day AS month, 0 AS days FROM day LIMIT 0")
  }

  private static func version(_ database: borrowing Database) throws(StoreError) -> Int64 {
    try database.integer("PRAGMA user_version")
  }
}
