internal import Text
internal import TouchModel

/// The totals and hours in a row of `day`. They stay known after the sessions are deleted.
struct DayTotals {
  /// The totals in the order of `SessionTotals.fields`, then the hours.
  static let columns = """
    begun, counted, masked, palms, ghosts, still_down, preexisting, cancelled, clamped, drops, hours
    """
  static let names = [
    "begun", "counted", "masked", "palms", "ghosts", "still_down", "preexisting", "cancelled",
    "clamped", "drops", "hours",
  ]

  static func places(from first: Int) -> String {
    names.indices.map { "?\(first + $0)" }.joined(separator: ", ")
  }

  /// The assignments of an upsert. The new values include the former ones.
  static let changes = names.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")

  var totals: SessionTotals
  var hours: [UInt64]

  init?(_ summary: DaySummary) {
    guard let totals = summary.totals, let hours = summary.hours else { return nil }
    self.totals = totals
    self.hours = hours
  }

  /// - Returns: nil if the row, with `columns` from `column` on, has no totals.
  init?(
    _ row: borrowing Statement, _ column: Int32, day: Day, in database: borrowing Database
  ) throws(StoreError) {
    let count = Int32(SessionTotals.fields.count)
    for offset in 0...count where row.isNull(column + offset) { return nil }
    totals = SessionTotals()
    for (offset, field) in SessionTotals.fields.enumerated() {
      totals[keyPath: field.0] = try row.count(column + Int32(offset))
    }
    let numbers = (try? JSONValue(parsing: try row.text(column + count)))?.elements
    let hours = numbers?.compactMap { $0.digits.flatMap { UInt64($0) } }
    guard let hours, hours.count == 24, numbers?.count == 24 else {
      throw database.damaged("day \(day): the column hours does not contain 24 numbers")
    }
    self.hours = hours
  }

  static func values(_ books: DayTotals?) throws(StoreError) -> [SQLValue] {
    guard let books else { return names.map { _ in .null } }
    return try SessionTotals.fields.map { field throws(StoreError) in
      try .count(books.totals[keyPath: field.0], field.name)
    } + [.text(JSONValue.array(books.hours.map { .integer($0) }).exactText)]
  }
}
