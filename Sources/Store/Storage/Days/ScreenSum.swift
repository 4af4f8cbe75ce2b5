internal import TouchModel

/// The sums for one key: one screen on one display and geometry.
struct ScreenSum {
  var sessions: UInt64 = 0
  var touches: UInt64 = 0
  var shownMilliseconds: UInt64 = 0
  /// The days on which the sessions began.
  var days: Set<String> = []
  /// The lists of placements, by their row id.
  var placements: [Int64: [Placement]] = [:]
  /// The rectangles in which touches were masked.
  var masks: Set<Rectangle> = []
  /// The sum of the grids of one layer; nil before the first grid.
  var sum: GridSum?
  /// The counts of single sessions, in any order; nil if they are not added up.
  var counts: [SessionCount]?

  var allPlacements: [Placement] { Placement.union(placements.values) }

  /// Adds a row. Its columns from `column` on are `sessions`, `touches`, `shown_ms`, `placement`,
  /// `day` and `mask`.
  mutating func add(
    _ row: borrowing Statement, _ column: Int32, _ lookup: inout Lookup,
    in database: borrowing Database
  ) throws(StoreError) {
    try sessions.add(try row.count(column), "sessions")
    try touches.add(try row.count(column + 1), "touches")
    try shownMilliseconds.add(try row.count(column + 2), "time shown")
    days.insert(try row.text(column + 4))
    let number = row.integer(column + 3)
    if placements[number] == nil {
      placements[number] = try lookup.placements(number, in: database)
    }
    if !row.isNull(column + 5) {
      masks.formUnion(try lookup.masks(row, column + 5, in: database))
    }
  }
}

/// The sums for all keys.
struct ScreenSums {
  /// The values to add up; everything else is skipped.
  enum Pass {
    case all
    case views
    case grids(Set<GridKey>)
    /// The counts of single sessions in the marked blocks, and their number. A damaged store may
    /// have more; `SummedGrid.adopt` detects it.
    case sessionCounts([GridKey: (marked: [Bool], counts: Int)])
  }

  var pass = Pass.all
  var byKey: [GridKey: ScreenSum] = [:]
  var lookup = Lookup()
  let inflater = Inflater()
  /// The prepared statements, by their SQL. A query for a year runs the same one for every day.
  private var statements: [String: PreparedStatement] = [:]
  private let interruption: QueryCancellation?

  /// - Parameter interruption: checked before each grid; stops the query.
  init(_ interruption: QueryCancellation? = nil) { self.interruption = interruption }

  private var takesViews: Bool {
    switch pass {
    case .all, .views: true
    case .grids, .sessionCounts: false
    }
  }
  private var takesGrids: Bool {
    switch pass {
    case .all, .grids, .sessionCounts: true
    case .views: false
    }
  }

  private func takesGrid(_ key: GridKey) throws(StoreError) -> Bool {
    try interruption?.check()
    return switch pass {
    case .grids(let keys): keys.contains(key)
    case .sessionCounts(let blocks): blocks[key] != nil
    case .all, .views: true
    }
  }

  /// Prepares the pass that adds the counts of single sessions, which follows the pass of the
  /// grids.
  /// - Parameters:
  ///   - limit: selects the blocks that fewer sessions touched.
  ///   - left: the number of counts that may still be added. A grid with more gets none.
  mutating func countSessions(touchedBelow limit: UInt64, _ keys: [GridKey], left: inout Int) {
    var blocks: [GridKey: (marked: [Bool], counts: Int)] = [:]
    for key in keys {
      guard let sum = byKey[key]?.sum else { continue }
      let (marked, counts) = sum.blocks(touchedBelow: limit)
      guard counts <= left else { continue }
      left -= counts
      byKey[key]?.counts = []
      byKey[key]?.counts?.reserveCapacity(counts)
      if counts > 0 { blocks[key] = (marked, counts) }
    }
    pass = .sessionCounts(blocks)
  }

  private mutating func prepare(
    _ sql: String, _ values: [SQLValue], in database: borrowing Database
  ) throws(StoreError) -> PreparedStatement {
    if let known = statements[sql] {
      try known.row.bind(values)
      return known
    }
    let prepared = PreparedStatement(try database.prepare(sql))
    statements[sql] = prepared
    try prepared.row.bind(values)
    return prepared
  }

  /// Adds the views of sessions or days.
  /// - Parameter condition: an SQL condition on the table; for sessions, also on `session`.
  mutating func addViews(
    of owner: CountOwner, where condition: String, _ values: [SQLValue],
    in database: borrowing Database
  ) throws(StoreError) {
    guard takesViews else { return }
    let statement = try prepare(
      """
      SELECT display, screen, geometry, \(owner == .session ? "1" : "sessions"), touches, shown_ms,
        placement, day, mask
      FROM \(owner.source(owner.views)) WHERE \(condition)
      """, values, in: database)
    while try statement.row.step() {
      let key = try lookup.key(statement.row, 0, in: database)
      try byKey[key, default: ScreenSum()].add(statement.row, 3, &lookup, in: database)
    }
  }

  /// Adds the grids of sessions, days or months.
  /// - Parameter condition: an SQL condition that selects one layer, on the table; for sessions,
  ///   also on `session`.
  mutating func addGrids(
    of owner: CountOwner, where condition: String, _ values: [SQLValue],
    in database: borrowing Database
  ) throws(StoreError) {
    guard takesGrids else { return }
    let statement = try prepare(
      """
      SELECT display, screen, geometry, layer, \(owner.rawValue), \(owner.cells)
      FROM \(owner.source(owner.grids)) WHERE \(condition)
      """, values, in: database)
    while try statement.row.step() {
      let key = try lookup.key(statement.row, 0, in: database)
      guard try takesGrid(key) else { continue }
      let count = key.geometry.columns * key.geometry.rows
      for part in owner.parts {
        let width = try inflater.inflate(part, of: owner, statement.row, key, in: database)
        if case .sessionCounts(let blocks) = pass, let wanted = blocks[key] {
          let session = statement.row.integer(4)
          inflater.cells.forEachCount(width: width, count: count) { block, value in
            guard wanted.marked[block], byKey[key]?.counts?.count ?? 0 <= wanted.counts else {
              return
            }
            byKey[key]?.counts?.append(
              SessionCount(block: block, session: session, count: value))
          }
        } else if owner == .session {
          try byKey[key, default: ScreenSum()].sum[orEmpty: count]
            .add(session: inflater.cells, width: width)
        } else {
          try byKey[key, default: ScreenSum()].sum[orEmpty: count]
            .add(part, cells: inflater.cells, width: width)
        }
      }
    }
  }
}

extension Inflater {
  /// Inflates a part of the grid in a row with the columns `display`, `screen`, `geometry`,
  /// `layer`, the owner, and the owner's `cells`.
  /// - Returns: the bytes per cell.
  /// - Throws: `.damaged` if the data does not fit the key's geometry.
  func inflate(
    _ part: GridSum.Part, of owner: CountOwner, _ row: borrowing Statement, _ key: GridKey,
    in database: borrowing Database
  ) throws(StoreError) -> Int {
    let count = key.geometry.columns * key.geometry.rows
    let width = try inflate(
      row, 5 + 2 * part.rawValue, count: count, widest: part == .squares ? 16 : 8)
    guard let width else { throw try database.damagedGrid(of: owner, row, key) }
    return width
  }
}

private final class PreparedStatement {
  let row: Statement
  init(_ statement: consuming Statement) { row = statement }
}

extension Database {
  /// Returns the error for a row as in `Inflater.inflate` whose cells do not fit its geometry.
  func damagedGrid(
    of owner: CountOwner, _ row: borrowing Statement, _ key: GridKey
  ) throws(StoreError) -> StoreError {
    let name = try owner == .session ? "session \(row.integer(4))" : row.text(4)
    return damaged(
      "\(owner.grids) of \(name), display \(key.display), screen \(key.screen), layer "
        + "\(try row.text(3)): the cells are not \(key.geometry.columns) x \(key.geometry.rows) counters"
    )
  }

  /// Writes the sum of a day's views into `daily_view`.
  /// - Parameter key: the columns `day`, `display`, `screen` and `geometry`.
  func write(_ view: ScreenSum, of grid: GridKey, _ key: [SQLValue]) throws(StoreError) {
    try run(
      """
      INSERT OR REPLACE INTO daily_view
        (day, display, screen, geometry, placement, sessions, shown_ms, touches, mask)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
      """,
      key + [
        .integer(try number(ofList: view.allPlacements)), try .count(view.sessions, "sessions"),
        try .count(view.shownMilliseconds, "time shown"), try .count(view.touches, "touches"),
        try number(of: Rectangle.union([view.masks], on: grid.geometry)),
      ])
  }
}

extension Statement {
  /// The columns `day`, `display`, `screen` and `geometry`, which are the first of the row.
  var viewKey: [SQLValue] {
    get throws(StoreError) {
      [.text(try text(0)), .text(try text(1)), .text(try text(2)), .integer(integer(3))]
    }
  }

  /// The columns of `viewKey`, and `layer`; the first may be a month.
  var layerKey: [SQLValue] { get throws(StoreError) { try viewKey + [.text(try text(4))] } }
}

extension GridSum {
  /// The columns of `daily` and `monthly` that hold the sums.
  static let columns = "sum_bytes, sum, square_bytes, square, touched_bytes, touched"

  /// Writes the sum of a day or month.
  /// - Parameter key: the other columns: period, `display`, `screen`, `geometry`, `layer`.
  func write(
    _ owner: CountOwner, _ key: [SQLValue], in database: borrowing Database
  ) throws(StoreError) {
    try database.run(
      """
      INSERT OR REPLACE INTO \(owner.grids)
        (\(owner.rawValue), display, screen, geometry, layer, \(Self.columns))
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
      """,
      key + Cells(sum).values + Cells(sumOfSquares).values + Cells(touched).values)
  }
}

extension GridSum? {
  fileprivate subscript(orEmpty count: Int) -> GridSum {
    get { self ?? GridSum(count: count) }
    set { self = newValue }
    // Modifies the sum in place. Copying all cells for every session would take longer than adding
    // them.
    _modify {
      var sum = self ?? GridSum(count: count)
      self = nil
      defer { self = sum }
      yield &sum
    }
  }
}
