internal import TouchModel

/// Imports salvaged rows into the new store. Rows keep their ids. The entries of indexes go into
/// temporary tables. If a row is found twice, the first one is kept.
final class RecoveryImporter {
  /// The number of rows per transaction, small enough to keep the WAL small.
  private static let batch = 4096
  /// The largest id that is accepted. A greater one is damage, and would leave no ids for later
  /// rows.
  static let largestID: Int64 = 1 << 48

  private let store: Store
  private var statements: [SalvagedTable: Prepared] = [:]
  private var open = 0
  /// The number of rows of `session` and `day` that were found.
  private(set) var found = 0
  /// The number of rows that each table refused.
  private(set) var losses: [SalvagedTable: Int] = [:]
  private var sequences: [String: Int64] = [:]

  init(_ store: Store) throws(StoreError) {
    self.store = store
    for owner in [CountOwner.session, .day] {
      try store.database.execute(
        """
        CREATE TEMP TABLE \(owner.named) (
          \(owner.rawValue) ANY, display TEXT, screen TEXT, geometry INTEGER, layer TEXT,
          row INTEGER, was_found INTEGER DEFAULT 0,
          UNIQUE (\(owner.rawValue), display, screen, geometry, layer)) STRICT;
        CREATE INDEX temp.\(owner.named)_row ON \(owner.named) (row);
        """)
    }
    try store.database.execute(
      "CREATE TEMP TABLE named_session (id INTEGER PRIMARY KEY, began INTEGER)")
  }

  /// Imports one row.
  /// - Parameter row: the row id; 0 if there is none.
  func importRow(_ table: SalvagedTable, _ columns: [SQLValue], row: Int64) throws(StoreError) {
    switch table {
    case .sequence:
      if case .text(let name) = columns[0], case .integer(let last) = columns[1] {
        sequences[name] = max(sequences[name] ?? 0, last)
      }
    case .geometryIndex:
      // The index has the table's columns except the last two, which follow from the others, and
      // then the id.
      if let columns = Self.geometry(columns) { try insert(.geometry, columns) }
    case .placementIndex: try insert(.placement, columns.reversed())
    case .maskIndex: try insert(.mask, columns.reversed())
    case .subjectIndex: try insert(.subject, [columns[2], columns[0], columns[1]])
    case .grid: try insert(columns, row: row, table, of: .session)
    case .daily: try insert(columns, row: row, table, of: .day)
    case .began: try insert(table, columns.reversed())
    case .session, .run:
      if case .integer(let id) = columns[0], id > Self.largestID { return countLoss(table) }
      if table == .session { found += 1 }
      try insert(table, columns)
    case .day:
      found += 1
      try insert(table, columns)
    default: try insert(table, columns)
    }
  }

  /// Inserts a row of `grid` or `daily`, whose key is also in an index. If the two keys differ in
  /// one column, one of them is damaged. The key of the index then replaces that of the row if
  /// `views` lists its screen, and if the row's key is invalid: its screen is not in `views`, its
  /// layer does not exist, or it is the key of another row.
  private func insert(
    _ columns: [SQLValue], row: Int64, _ table: SalvagedTable, of owner: CountOwner
  ) throws(StoreError) {
    let (period, views, named) = (owner.rawValue, owner.views, owner.named)
    func has(_ key: [SQLValue], in table: String, and condition: String) throws(StoreError) -> Bool
    {
      try store.database.first(
        """
        SELECT 1 FROM \(table) WHERE \(period) = ?1 AND display = ?2 AND screen = ?3
        AND geometry = ?4 AND \(condition)
        """, key
      ) { _ in true } ?? false
    }
    let key = Array(columns[..<5])
    let other: [SQLValue]? = try store.database.first(
      "SELECT \(period), display, screen, geometry, layer FROM \(named) WHERE row = ?1",
      [.integer(row)]
    ) { found throws(StoreError) -> [SQLValue] in
      [
        owner == .session ? .integer(found.integer(0)) : .text(try found.text(0)),
        .text(try found.text(1)), .text(try found.text(2)), .integer(found.integer(3)),
        .text(try found.text(4)),
      ]
    }
    var columns = columns
    // If more columns differ, the index entry is of another row: one that was deleted long ago may
    // have had the same row id.
    if let other, zip(key, other).count(where: { $0 != $1 }) == 1 {
      let isShown = try has(Array(key[..<4]), in: views, and: "TRUE")
      let isLayer = Layer.allCases.contains { .text($0.rawValue) == key[4] }
      let isAnothers = try has(key + [.integer(row)], in: named, and: "layer = ?5 AND row <> ?6")
      if !isShown || !isLayer || isAnothers, try has(Array(other[..<4]), in: views, and: "TRUE") {
        columns.replaceSubrange(..<5, with: other)
      }
    }
    if try insert(table, columns) {
      try store.database.run(
        "UPDATE \(named) SET was_found = 1 WHERE row = ?1", [.integer(row)])
    }
  }

  private func countLoss(_ table: SalvagedTable) { losses[table, default: 0] += 1 }

  /// - Returns: whether the row was inserted.
  @discardableResult
  private func insert(
    _ table: SalvagedTable, _ columns: [SQLValue]
  ) throws(StoreError) -> Bool {
    if open == 0 { try store.database.execute("BEGIN IMMEDIATE") }
    let statement = try prepared(table, columns.count)
    try statement.row.bind(columns)
    var isInserted = false
    do throws(StoreError) {
      while try statement.row.step() {}
      isInserted = store.database.changes > 0
    } catch  where error.code == .refused {
      // The row breaks a rule of the table, so something in it is damaged.
      countLoss(table)
    }
    open += 1
    if open == Self.batch { try commit() }
    return isInserted
  }

  private func prepared(_ table: SalvagedTable, _ count: Int) throws(StoreError) -> Prepared {
    if let known = statements[table] { return known }
    let into =
      switch table {
      case .gridIndex: "named_grid (session, display, screen, geometry, layer, row)"
      case .dailyIndex: "named_daily (day, display, screen, geometry, layer, row)"
      case .began: "named_session"
      default: "main." + table.rawValue
      }
    let places = (1...count).map { "?\($0)" }.joined(separator: ", ")
    let made = Prepared(
      // OR IGNORE would also skip rows that break a rule, without an error.
      try store.database.prepare(
        "INSERT INTO \(into) VALUES (\(places)) ON CONFLICT DO NOTHING"))
    statements[table] = made
    return made
  }

  private func commit() throws(StoreError) {
    for statement in statements.values { try statement.row.bind([]) }
    if open > 0 { try store.database.execute("COMMIT") }
    open = 0
  }

  /// Commits the last rows. No row may be imported afterwards.
  func finish() throws(StoreError) {
    try commit()
    statements = [:]
  }

  /// Ensures that ids that were used before are not used again. Call it after `RecoveryFilter` has
  /// removed invalid sessions.
  func restoreSequences() throws(StoreError) {
    let named = try store.database.integer(
      """
      SELECT max(id) FROM (SELECT id FROM named_session UNION ALL SELECT session FROM named_grid)
      WHERE id <= ?1
      """, [.integer(Self.largestID)])
    for table in ["session", "run"] {
      let known = [sequences[table] ?? 0, table == "session" ? named : 0]
      let last = max(
        known.filter { $0 <= Self.largestID }.max() ?? 0,
        try store.database.integer("SELECT max(id) FROM \(table)"))
      try store.database.run("DELETE FROM sqlite_sequence WHERE name = ?1", [.text(table)])
      try store.database.run(
        "INSERT INTO sqlite_sequence VALUES (?1, ?2)", [.text(table), .integer(last)])
    }
  }

  private static func geometry(_ columns: [SQLValue]) -> [SQLValue]? {
    guard case .integer(let width) = columns[0], case .integer(let height) = columns[1],
      case .integer(let turned) = columns[3], case .integer(let size) = columns[4],
      let rotation = Rotation(rawValue: Int(turned))
    else { return nil }
    let scale: Double
    switch columns[2] {
    case .integer(let whole): scale = Double(whole)
    case .real(let real): scale = real
    default: return nil
    }
    guard
      let geometry = DisplayGeometry(
        pixelWidth: Int(width), pixelHeight: Int(height), scale: scale, rotation: rotation,
        blockSize: Int(size))
    else { return nil }
    return [columns[5]] + columns[..<5] + [
      .integer(Int64(geometry.columns)), .integer(Int64(geometry.rows)),
    ]
  }

  private final class Prepared {
    let row: Statement
    init(_ statement: consuming Statement) { row = statement }
  }
}

extension CountOwner {
  /// The temporary table of the keys that the index of `grids` has.
  var named: String { "named_" + grids }
}
