internal import TouchModel

/// What has a fault.
enum FaultOwner: Hashable {
  case session(Int64)
  /// The sums of a day.
  case day(String)
  case store
}

/// The rules that every store must obey, checked part by part; `docs/store.md` lists them.
final class Inspection {
  enum Part: String, CaseIterable {
    case pages
    case rules
    case references
    case lists
    case sessions
    case views
    case grids
    case counts
    case dayCounts = "changes of screens"
    case days
    case sums = "sums of days"
    case wholeDays = "days recomputed"
    case months = "sums of months"
  }

  /// Receives a fault, with the session or day that has it.
  typealias Report = (_ owner: FaultOwner, _ text: String) -> Void

  let store: Store
  let progress: (MaintenanceProgress) -> Void
  let inflater = Inflater()
  var lookup = Lookup()
  var database: Database { _read { yield store.database } }

  init(_ store: Store, _ progress: @escaping (MaintenanceProgress) -> Void = { _ in }) {
    self.store = store
    self.progress = progress
  }

  /// Checks one part, and reports its faults.
  /// - Returns: a description of the checked items, such as "1204 sessions".
  func inspect(_ part: Part, _ report: Report) throws(StoreError) -> String {
    switch part {
    case .pages: try pages(report)
    case .rules: try rules(report)
    case .references: try references(report)
    case .lists: try lists(report)
    case .sessions: try sessions(report)
    case .views: try views(of: .session, report)
    case .grids: try grids(of: .session, report)
    case .counts: try counts(report)
    case .dayCounts: try dayCounts(report)
    case .days: try days(report)
    case .sums: try sums(report)
    case .wholeDays: try wholeDays(report)
    case .months: try months(report)
    }
  }

  /// Counts the rows of a table, and reports the count as progress.
  /// - Returns: the count with its unit, such as "12 views".
  func begin(_ table: String, _ unit: String, where condition: String = "TRUE") throws(StoreError)
    -> String
  {
    let count = Int(try database.integer("SELECT count(*) FROM \(table) WHERE \(condition)"))
    progress(.begins(count, unit))
    return "\(count) \(count == 1 ? String(unit.dropLast()) : unit)"
  }

  /// Runs `body`, which reads one row. A row that cannot be read is reported as a fault of `owner`.
  /// - Returns: nil if the row cannot be read.
  func reading<Result>(
    _ owner: FaultOwner, _ report: Report, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    do throws(StoreError) {
      return try body()
    } catch  where error.code == .damaged && error.sqliteCode == 0 || error.code == .overflow {
      report(owner, error.message)
      return nil
    }
  }

  // MARK: The file

  /// Runs SQLite's own check of every page, index and type.
  private func pages(_ report: Report) throws(StoreError) -> String {
    let count = try database.integer("PRAGMA page_count")
    for text in try database.faults("integrity_check(\(CheckResult.faultLimit + 1))") {
      report(.store, text)
    }
    return "\(count) pages"
  }

  private func references(_ report: Report) throws(StoreError) -> String {
    var count = 0
    try database.each("PRAGMA foreign_key_check") { row throws(StoreError) in
      count += 1
      let id = row.isNull(1) ? "" : " (row \(row.integer(1)))"
      report(
        .store,
        "a row of \(try row.text(0))\(id) refers to a row of \(try row.text(2)) that does not "
          + "exist")
    }
    return "every table"
  }

  /// Checks the geometries, placements, masks and subjects.
  private func lists(_ report: Report) throws(StoreError) -> String {
    var count = 0
    for table in UnusedRowSearch.tables {
      try database.each("SELECT id FROM \(table)") { row throws(StoreError) in
        count += 1
        _ = try reading(.store, report) { () throws(StoreError) in
          try lookup.check(row.integer(0), of: table, store.options.kinds, in: database)
        }
      }
    }
    // Unused rows are not a fault: the next housekeeping removes them.
    let unused = try store.countUnused()
    return "\(count) geometries, placements, masks and subjects"
      + (unused > 0 ? " (\(unused) unused)" : "")
  }
}

extension Database {
  /// Returns the faults that one of SQLite's checks finds, such as `quick_check(1)`; empty if there
  /// are none.
  func faults(_ check: String) throws(StoreError) -> [String] {
    var faults: [String] = []
    try each("PRAGMA \(check)") { row throws(StoreError) in
      // SQLite reports all faults of pages in one row, below a line that names the database.
      faults += try row.text(0).split(separator: "\n").map(String.init)
        .filter { $0 != "ok" && !$0.hasPrefix("*** in database") }
    }
    return faults
  }
}

extension Inflater {
  /// Whether the cells that were inflated last are as narrow as possible.
  /// - Parameter count: the number of cells, of `width` bytes each.
  func isNarrowest(width: Int, count: Int) -> Bool {
    guard width > 1 else { return true }
    let half = width / 2
    return (0..<count).contains { cell in
      cells[(cell * width + half)..<(cell * width + width)].contains { $0 != 0 }
    }
  }

  /// Returns the sum of the cells that were inflated last; nil if it does not fit in 64 bits.
  func sum(width: Int, count: Int) -> UInt64? {
    var sum: UInt64 = 0
    for cell in 0..<count {
      let (next, overflows) = sum.addingReportingOverflow(value(cell, width: width))
      if overflows { return nil }
      sum = next
    }
    return sum
  }

  /// Returns the lower 64 bits of a cell.
  func value(_ cell: Int, width: Int) -> UInt64 {
    var value: UInt64 = 0
    for place in (0..<min(width, 8)).reversed() {
      value = value << 8 | UInt64(cells[cell * width + place])
    }
    return value
  }
}
