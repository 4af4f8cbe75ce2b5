internal import TouchModel

/// What is added up for one key.
struct Tally {
  var sessions: UInt64 = 0
  var touches: UInt64 = 0
  var shownMilliseconds: UInt64 = 0
  /// Those on which the sessions began.
  var days: Set<String> = []
  /// Lists of placements, by their number.
  var placements: [Int64: [Placement]] = [:]
  /// Where touches were masked.
  var masks: Set<Rectangle> = []
  /// Of one layer; nil before the first grid.
  var sum: GridSum?

  var allPlacements: [Placement] { Placement.union(placements.values) }

  /// Adds a row with the columns `sessions`, `touches`, `shown_ms`, `placement`, `day` and `mask` from
  /// `column` on.
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

/// What is added up for all keys.
struct Tallies {
  var byKey: [GridKey: Tally] = [:]
  var lookup = Lookup()

  /// Adds the views of sessions.
  /// - Parameter condition: on `session` and `screen_view`.
  mutating func addViews(
    where condition: String, _ values: [SQLValue], in database: borrowing Database
  ) throws(StoreError) {
    let statement = try database.prepare(
      """
      SELECT display, screen, geometry, 1, screen_view.touches, shown_ms, placement, day, mask
      FROM session JOIN screen_view ON screen_view.session = session.id WHERE \(condition)
      """)
    try statement.bind(values)
    while try statement.step() {
      let key = try lookup.key(statement, 0, in: database)
      try byKey[key, default: Tally()].add(statement, 3, &lookup, in: database)
    }
  }

  /// Adds the views of days' sums.
  /// - Parameter condition: on `daily_view`.
  mutating func addDailyViews(
    where condition: String, _ values: [SQLValue], in database: borrowing Database
  ) throws(StoreError) {
    let statement = try database.prepare(
      """
      SELECT display, screen, geometry, sessions, touches, shown_ms, placement, day, mask
      FROM daily_view WHERE \(condition)
      """)
    try statement.bind(values)
    while try statement.step() {
      let key = try lookup.key(statement, 0, in: database)
      try byKey[key, default: Tally()].add(statement, 3, &lookup, in: database)
    }
  }

  /// Adds the grids of sessions.
  /// - Parameter condition: on `session` and `grid`, that picks one layer.
  mutating func addGrids(
    where condition: String, _ values: [SQLValue], in database: borrowing Database
  ) throws(StoreError) {
    let statement = try database.prepare(
      """
      SELECT display, screen, geometry, bytes_per_cell, cells, session, layer
      FROM session JOIN grid ON grid.session = session.id WHERE \(condition)
      """)
    try statement.bind(values)
    while try statement.step() {
      let key = try lookup.key(statement, 0, in: database)
      let count = key.geometry.columns * key.geometry.rows
      guard let counters = Cells(statement, 3).counters(count: count) else {
        throw database.damagedGrid(session: statement.integer(5), key, try statement.text(6))
      }
      try byKey[key, default: Tally()].sum[orEmpty: count].add(counters)
    }
  }

  /// Adds days' sums.
  /// - Parameter condition: on `daily`, that picks one layer.
  mutating func addSums(
    where condition: String, _ values: [SQLValue], in database: borrowing Database
  ) throws(StoreError) {
    let statement = try database.prepare(
      """
      SELECT display, screen, geometry, \(GridSum.columns), day, layer
      FROM daily WHERE \(condition)
      """)
    try statement.bind(values)
    while try statement.step() {
      let key = try lookup.key(statement, 0, in: database)
      let count = key.geometry.columns * key.geometry.rows
      guard let sum = GridSum(statement, 3, count: count) else {
        throw database.damagedSum(try statement.text(9), key, try statement.text(10))
      }
      try byKey[key, default: Tally()].sum[orEmpty: count].add(sum)
    }
  }
}

extension GridSum {
  /// Of `daily`.
  static let columns = "sum_bytes, sum, square_bytes, square, touched_bytes, touched"

  /// - Returns: nil where one of the three is not `count` cells.
  init?(_ row: borrowing Statement, _ column: Int32, count: Int) {
    guard let sum = Cells(row, column).counters(count: count),
      let squares = Cells(row, column + 2).wide(count: count),
      let touched = Cells(row, column + 4).counters(count: count)
    else { return nil }
    self.init(sum: sum, squares: squares, touched: touched)
  }

  func values() throws(StoreError) -> [SQLValue] {
    try Cells(sum).values + Cells(squares).values + Cells(touched).values
  }
}

extension GridSum? {
  fileprivate subscript(orEmpty count: Int) -> GridSum {
    get { self ?? GridSum(count: count) }
    set { self = newValue }
    // In place: a copy of all cells for every session would cost more than the sums.
    _modify {
      var sum = self ?? GridSum(count: count)
      self = nil
      defer { self = sum }
      yield &sum
    }
  }
}
