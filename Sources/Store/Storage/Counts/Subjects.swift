internal import TouchModel

/// A subject in the store.
struct KnownSubject {
  var subject: CountSubject
  var kind: any CountKind
  var shape: CountShape
}

extension Lookup {
  /// - Throws: `.damaged` if the row is missing, or is not a subject of a known kind.
  mutating func subject(
    _ id: Int64, _ kinds: CountKinds, in database: borrowing Database
  ) throws(StoreError) -> KnownSubject {
    if let known = subjects[id] { return known }
    let row = try database.first("SELECT kind, key FROM subject WHERE id = ?1", [.integer(id)]) {
      row throws(StoreError) in CountSubject(kind: try row.text(0), key: try row.text(1))
    }
    guard let subject = row, let kind = kinds[subject.kind],
      let shape = kind.shape(of: subject.key)
    else { throw database.damaged("the subject number \(id) is missing or invalid") }
    let known = KnownSubject(subject: subject, kind: kind, shape: shape)
    subjects[id] = known
    return known
  }
}

extension Database {
  /// Returns the id of a subject, and inserts the subject if it is new.
  func number(of subject: CountSubject) throws(StoreError) -> Int64 {
    let values: [SQLValue] = [.text(subject.kind), .text(subject.key)]
    let sql = "SELECT id FROM subject WHERE kind = ?1 AND key = ?2"
    if let id = try first(sql, values, keeping: true, { $0.integer(0) }) { return id }
    let id = try unusedID(for: subject.kind + subject.key, in: "subject")
    try run(
      "INSERT INTO subject (kind, key, id) VALUES (?1, ?2, ?3)", values + [.integer(id)],
      keeping: true)
    return id
  }
}

/// What has grids and other counts. Each kind of owner has tables of its own, which differ only in
/// the first column, and in the columns of sums. The raw value is the name of that column.
enum CountOwner: String {
  case session, day, month

  /// The table of grids.
  var grids: String {
    switch self {
    case .session: "grid"
    case .day: "daily"
    case .month: "monthly"
    }
  }

  /// The table of views. Months have none.
  var views: String { self == .session ? "screen_view" : "daily_view" }

  /// The table of the other counts. Months have none.
  var counts: String { "\(rawValue)_count" }

  /// The columns of a grid's cells.
  var cells: String { self == .session ? "bytes_per_cell, cells" : GridSum.columns }

  /// What these columns hold. Those of sessions hold only one part of a sum.
  var parts: [GridSum.Part] { self == .session ? [.sum] : GridSum.Part.allCases }

  /// Returns the source of a query for rows of a table, by a condition on `session` or the table.
  func source(_ table: String) -> String {
    // CROSS JOIN makes SQLite read the sessions first. Queries for past days need few sessions, and
    // SQLite would otherwise scan the whole table.
    self == .session ? "session CROSS JOIN \(table) ON \(table).session = session.id" : table
  }
}
