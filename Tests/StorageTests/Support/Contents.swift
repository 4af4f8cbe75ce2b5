import Testing

@testable import Storage

/// The contents of a store, without the ids of lists and geometries, which depend only on the order
/// of writing.
struct Contents: Equatable {
  var rows: [String: Set<String>] = [:]

  private static let geometry = """
    (SELECT pixel_width || ' ' || pixel_height || ' ' || scale || ' ' || rotation || ' ' || block_size \
    FROM geometry WHERE geometry.id = geometry)
    """
  private static let lists = """
    (SELECT list FROM placement WHERE placement.id = placement), \
    (SELECT list FROM mask WHERE mask.id = mask)
    """
  private static let subject =
    "(SELECT kind || key FROM subject WHERE subject.id = subject)"
  private static let sums =
    "sum_bytes, hex(sum), square_bytes, hex(square), touched_bytes, hex(touched)"

  /// The columns of each table that are compared; nil for all columns.
  private static let tables: [String: String?] = [
    "session": nil,
    "screen_view":
      "session, display, screen, \(geometry), \(lists), shown_ms, touches",
    "grid": "session, display, screen, \(geometry), layer, bytes_per_cell, hex(cells)",
    "session_count": "session, \(subject), bytes, hex(counts)",
    "day_count": "day, \(subject), sessions, bytes, hex(counts)",
    "day_kind": nil,
    "day_only": "day, kind, bytes, hex(counts)",
    "subject": "kind, key",
    "day": nil,
    "daily_view":
      "day, display, screen, \(geometry), sessions, shown_ms, touches, \(lists)",
    "daily": "day, display, screen, \(geometry), layer, \(sums)",
    "month": nil,
    "monthly": "month, display, screen, \(geometry), layer, \(sums)",
    "ghost": nil,
    "geometry": "pixel_width, pixel_height, scale, rotation, block_size, columns, rows",
    "placement": "list",
    "mask": "list",
  ]

  init(_ store: Store) throws(StoreError) {
    for (table, columns) in Self.tables {
      let all = try store.database.first(
        "SELECT group_concat(name) FROM pragma_table_info(?1)", [.text(table)]
      ) { row throws(StoreError) in try row.text(0) }
      try add(table, "SELECT json_array(\(columns ?? all ?? "")) FROM \(table)", of: store)
    }
  }

  /// Adds the result of a query under a name.
  /// - Parameter question: a query that returns rows of one column.
  mutating func add(_ name: String, _ question: String, of store: Store) throws(StoreError) {
    var found: Set<String> = []
    try store.database.each(question) { row throws(StoreError) in found.insert(try row.text(0)) }
    rows[name] = found
  }

  /// Describes the differences between two stores, for a message.
  func differences(from other: Contents) -> [String] {
    rows.keys.sorted().flatMap { table in
      let (mine, theirs) = (rows[table] ?? [], other.rows[table] ?? [])
      return mine.subtracting(theirs).map { "\(table) has \($0.prefix(300))" }
        + theirs.subtracting(mine).map { "\(table) lacks \($0.prefix(300))" }
    }
  }
}
