/// A search for rows of `mask`, `placement`, `geometry` and `subject` that are no longer used.
///
/// A row is unused if no view, no counts and no sum refer to it. A store may have millions of views,
/// so each housekeeping reads only some sessions, from the newest to the oldest. Sessions change
/// meanwhile, so those that may have changed are read again before anything is removed.
struct UnusedRowSearch {
  static let tables = ["mask", "placement", "geometry", "subject"]
  private static let subjects = 3

  /// The ids without a known reference, one set per table.
  private var ids: [Set<Int64>] = []
  /// Sessions with this id or a greater one have been read.
  private var session = Int64.max
  /// Sessions with smaller ids had ended when the search began, and no longer change.
  private let firstOpen: Int64

  /// - Parameter running: the id of the first running session; nil if no session is running.
  init(in database: borrowing Database, running: Int64?) throws(StoreError) {
    let next = try database.integer("SELECT ifnull(max(id), 0) + 1 FROM session")
    firstOpen = min(running ?? next, next)
    for table in Self.tables {
      var all: Set<Int64> = []
      try database.each("SELECT id FROM \(table)") { all.insert($0.integer(0)) }
      ids.append(all)
    }
    // If masks and devices never change, the sums refer to every row, and the search is complete.
    try readSums(in: database)
  }

  /// Whether no row remains that might be unused.
  var isEmpty: Bool { ids.allSatisfy(\.isEmpty) }

  /// Reads further sessions.
  /// - Parameter limit: the number of sessions and views; exceeded only to complete a session.
  /// - Returns: whether all sessions have been read, or no row remains that might be unused.
  mutating func read(_ limit: Int, in database: borrowing Database) throws(StoreError) -> Bool {
    let sessions = try database.prepare("SELECT id FROM session WHERE id < ?1 ORDER BY id DESC")
    try sessions.bind([.integer(session)])
    let views = try database.prepare(
      "SELECT mask, placement, geometry FROM screen_view WHERE session = ?1")
    let counts = try database.prepare("SELECT subject FROM session_count WHERE session = ?1")
    var count = 0
    while !isEmpty, try sessions.step() {
      if count >= limit { return false }
      session = sessions.integer(0)
      count += 1
      try views.bind([.integer(session)])
      while try views.step() {
        count += 1
        use(views)
      }
      if ids[Self.subjects].isEmpty { continue }
      try counts.bind([.integer(session)])
      while try counts.step() { ids[Self.subjects].remove(counts.integer(0)) }
    }
    session = .min
    return true
  }

  /// Removes the ids that sums refer to by now, and those that sessions refer to that began or ran
  /// since the search began.
  mutating func readAgain(in database: borrowing Database) throws(StoreError) {
    try database.each(
      "SELECT mask, placement, geometry FROM screen_view WHERE session >= ?1",
      [.integer(firstOpen)]
    ) { use($0) }
    try database.each(
      "SELECT subject FROM session_count WHERE session >= ?1", [.integer(firstOpen)]
    ) { ids[Self.subjects].remove($0.integer(0)) }
    try readSums(in: database)
  }

  /// Removes up to `limit` ids from the search.
  /// - Returns: these ids with their tables.
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
    try database.each("SELECT DISTINCT subject FROM day_count") {
      ids[Self.subjects].remove($0.integer(0))
    }
  }

  /// Removes the ids that a row refers to.
  /// - Parameter row: with the columns `mask`, `placement` and `geometry`.
  private mutating func use(_ row: borrowing Statement) {
    for index in 0..<Self.subjects where !ids[index].isEmpty && !row.isNull(Int32(index)) {
      ids[index].remove(row.integer(Int32(index)))
    }
  }
}

extension Store {
  /// The number of sessions and views read per housekeeping.
  private static let viewsAtOnce = 1 << 14
  /// The number of rows removed per housekeeping, in one transaction.
  private static let rowsAtOnce = 1 << 12

  /// Continues the search for unused rows, and removes these once all views have been read.
  /// - Parameter begins: whether to begin a search if none is in progress.
  func removeUnusedLists(
    begins: Bool, views: Int = viewsAtOnce, rows: Int = rowsAtOnce
  ) throws(StoreError) {
    guard begins || unusedLists != nil else { return }
    try during("removing unused lists") { () throws(StoreError) in
      // Take the search out of the property, so that after an error a new search begins.
      var search: UnusedRowSearch
      if let begun = unusedLists.take() {
        search = begun
      } else {
        search = try UnusedRowSearch(in: database, running: running.keys.min())
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

  /// Removes all unused rows in one pass. Reads all views.
  func removeUnused() throws(StoreError) {
    for table in UnusedRowSearch.tables {
      try database.run("DELETE FROM \(table) WHERE \(Self.isUnused(table))")
    }
  }

  /// Returns the number of rows that `removeUnused` would remove.
  func countUnused() throws(StoreError) -> Int64 {
    var count: Int64 = 0
    for table in UnusedRowSearch.tables {
      count += try database.integer("SELECT count(*) FROM \(table) WHERE \(Self.isUnused(table))")
    }
    return count
  }

  /// Returns an SQL condition: the row of the table is unused.
  private static func isUnused(_ table: String) -> String {
    let users =
      table == "subject"
      ? ["session_count", "day_count"]
      : ["screen_view", "daily_view"] + (table == "geometry" ? ["monthly"] : [])
    let used = users.map { "SELECT \(table) FROM \($0) WHERE \(table) IS NOT NULL" }
    return "id NOT IN (\(used.joined(separator: " UNION ")))"
  }

  /// Runs a transaction without SQLite's checks of foreign keys; `body` must keep the keys valid.
  /// With the checks, SQLite would scan all views for each deleted row.
  func transactionWithoutReferences<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try database.execute("PRAGMA foreign_keys = OFF")
    defer { try? database.execute("PRAGMA foreign_keys = ON") }
    return try database.transaction(.write, body)
  }
}
