/// The search for rows of `mask`, `placement` and `geometry` that nothing refers to any more.
///
/// Only reading all views tells that a list is unused. A store may have millions of views, so a search reads some at
/// each keeping of house, from the newest session to the oldest. Sessions go on meanwhile: what they refer to is read
/// once more before anything is removed.
struct UnusedLists {
  static let tables = ["mask", "placement", "geometry"]

  /// The ids that no reference was found to, table by table.
  private var ids: [Set<Int64>] = []
  /// Views of sessions from this one on have been read.
  private var session = Int64.max
  /// Sessions below this one were over when the search began, and no longer change.
  private let firstOpen: Int64

  /// - Parameter running: the first session that runs; nil: none.
  init(in database: borrowing Database, running: Int64?) throws(StoreError) {
    let next = try database.integer("SELECT ifnull(max(id), 0) + 1 FROM session")
    firstOpen = min(running ?? next, next)
    for table in Self.tables {
      var all: Set<Int64> = []
      try database.each("SELECT id FROM \(table)") { all.insert($0.integer(0)) }
      ids.append(all)
    }
    // Of a kiosk whose masks and devices stay the same, the sums refer to all of them.
    try readSums(in: database)
  }

  /// Whether no list is left to look for.
  var isEmpty: Bool { ids.allSatisfy(\.isEmpty) }

  /// Reads further views.
  /// - Parameter limit: how many, but for those of one session.
  /// - Returns: whether all have been read, or no list is left to look for.
  mutating func read(_ limit: Int, in database: borrowing Database) throws(StoreError) -> Bool {
    let row = try database.prepare(
      """
      SELECT mask, placement, geometry, session FROM screen_view
      WHERE session < ?1 ORDER BY session DESC
      """)
    try row.bind([.integer(session)])
    var count = 0
    while !isEmpty, try row.step() {
      let next = row.integer(3)
      if next != session, count >= limit { return false }
      session = next
      count += 1
      use(row)
    }
    session = .min
    return true
  }

  /// Takes out what sessions and sums refer to that came since the search began.
  mutating func readAgain(in database: borrowing Database) throws(StoreError) {
    try database.each(
      "SELECT mask, placement, geometry FROM screen_view WHERE session >= ?1",
      [.integer(firstOpen)]
    ) { use($0) }
    try readSums(in: database)
  }

  /// - Returns: so many rows at the most, by table; they are no longer looked for.
  mutating func next(_ limit: Int) -> [(table: String, id: Int64)] {
    var next: [(table: String, id: Int64)] = []
    for (index, table) in Self.tables.enumerated() {
      while next.count < limit, let id = ids[index].popFirst() { next.append((table, id)) }
    }
    return next
  }

  private mutating func readSums(in database: borrowing Database) throws(StoreError) {
    try database.each("SELECT mask, placement, geometry FROM daily_view") { use($0) }
    try database.each("SELECT geometry FROM monthly") { ids[2].remove($0.integer(0)) }
  }

  /// - Parameter row: with the columns `mask`, `placement` and `geometry`.
  private mutating func use(_ row: borrowing Statement) {
    for index in ids.indices where !ids[index].isEmpty && !row.isNull(Int32(index)) {
      ids[index].remove(row.integer(Int32(index)))
    }
  }
}

extension Store {
  /// Views read in one keeping of house: less than 1 MiB of the file, some milliseconds.
  private static let viewsAtOnce = 1 << 14
  /// Rows removed in one keeping of house, in one transaction.
  private static let rowsAtOnce = 1 << 12

  /// Goes on with the search for lists that nothing refers to, and removes them once all views have been read.
  /// - Parameter begins: whether a search is begun where none is under way.
  func removeUnusedLists(
    begins: Bool, views: Int = viewsAtOnce, rows: Int = rowsAtOnce
  ) throws(StoreError) {
    guard begins || unusedLists != nil else { return }
    try doing("removing unused lists") { () throws(StoreError) in
      // Where this fails, the next search begins anew.
      var search: UnusedLists
      if let begun = unusedLists.take() {
        search = begun
      } else {
        search = try UnusedLists(in: database, running: running.keys.min())
      }
      guard try search.read(views, in: database) else {
        unusedLists = search
        return
      }
      guard !search.isEmpty else { return }
      try transactionWithoutReferences { () throws(StoreError) in
        try search.readAgain(in: database)
        for (table, id) in search.next(rows) {
          try database.run("DELETE FROM \(table) WHERE id = ?1", [.integer(id)], keeping: true)
        }
      }
      if !search.isEmpty { unusedLists = search }
    }
  }

  /// Removes all lists and geometries that nothing refers to, in one go: reads all views.
  func removeUnused() throws(StoreError) {
    for table in UnusedLists.tables {
      try database.run("DELETE FROM \(table) WHERE \(Self.isUnused(table))")
    }
  }

  /// How many rows `removeUnused` would remove.
  func countUnused() throws(StoreError) -> Int64 {
    var count: Int64 = 0
    for table in UnusedLists.tables {
      count += try database.integer("SELECT count(*) FROM \(table) WHERE \(Self.isUnused(table))")
    }
    return count
  }

  /// A condition on a row of such a table.
  private static func isUnused(_ table: String) -> String {
    let users = ["screen_view", "daily_view"] + (table == "geometry" ? ["monthly"] : [])
    let used = users.map { "SELECT \(table) FROM \($0) WHERE \(table) IS NOT NULL" }
    return "id NOT IN (\(used.joined(separator: " UNION ")))"
  }

  /// A transaction that keeps references whole by itself: for every list that goes, SQLite would look through all
  /// views for one that refers to it.
  func transactionWithoutReferences<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try database.execute("PRAGMA foreign_keys = OFF")
    defer { try? database.execute("PRAGMA foreign_keys = ON") }
    return try database.transaction(.write, body)
  }
}
