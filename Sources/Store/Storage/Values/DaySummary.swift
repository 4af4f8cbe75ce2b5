internal import Text
public import TouchModel

/// A day of the kiosk's calendar, and the sessions of a span that began on it.
public struct DaySummary: Hashable, Sendable {
  public var day: Day
  public var sessions: UInt64
  /// The totals of these sessions; nil if they are no longer known.
  public var totals: SessionTotals?
  /// The number of sessions that began in each of the 24 hours of the kiosk's clock; nil if no
  /// longer known.
  public var hours: [UInt64]?
  /// The number of suspected ghosts on this day outside of sessions.
  public var ghostsOutside: UInt64

  public init(
    day: Day, sessions: UInt64 = 0, totals: SessionTotals? = SessionTotals(),
    hours: [UInt64]? = Array(repeating: 0, count: 24), ghostsOutside: UInt64 = 0
  ) {
    self.day = day
    self.sessions = sessions
    self.totals = totals
    self.hours = hours
    self.ghostsOutside = ghostsOutside
  }

  /// Adds a session.
  /// - Parameter hour: the hour in which it began, 0 to 23; nil if it is unknown.
  mutating func add(_ session: SessionTotals, hour: Int?) throws(StoreError) {
    try sessions.add(1, "sessions")
    try totals?.add(session)
    if let hour { hours?[hour] += 1 } else { hours = nil }
  }

  /// Adds sessions of the same day.
  mutating func add(_ other: DaySummary) throws(StoreError) {
    try sessions.add(other.sessions, "sessions")
    try ghostsOutside.add(other.ghostsOutside, "suspected ghosts")
    if let theirs = other.totals { try totals?.add(theirs) } else { totals = nil }
    guard var sums = hours, let theirs = other.hours else { return hours = nil }
    for hour in sums.indices { try sums[hour].add(theirs[hour], "sessions") }
    hours = sums
  }
}

extension SessionTotals {
  /// The fields, with their columns in `session` and `day`.
  static let fields: [(any WritableKeyPath<SessionTotals, UInt64> & Sendable, column: String)] = [
    (\.begun, "begun"), (\.counted, "counted"), (\.masked, "masked"), (\.palms, "palms"),
    (\.ghosts, "ghosts"), (\.swallowed, "swallowed"), (\.stillDown, "still_down"),
    (\.preexisting, "preexisting"), (\.cancelled, "cancelled"), (\.clamped, "clamped"),
    (\.drops, "drops"),
  ]
  static let columns = fields.map(\.column).joined(separator: ", ")

  /// Reads the columns of `fields`, of which the first is `column`.
  init(_ row: borrowing Statement, _ column: Int32) throws(StoreError) {
    self.init()
    for (offset, field) in Self.fields.enumerated() {
      self[keyPath: field.0] = try row.count(column + Int32(offset))
    }
  }

  /// The values of the columns.
  var values: [SQLValue] {
    get throws(StoreError) {
      try Self.fields.map { field, column throws(StoreError) in
        try .count(self[keyPath: field], column)
      }
    }
  }

  mutating func add(_ other: SessionTotals) throws(StoreError) {
    for (field, name) in Self.fields { try self[keyPath: field].add(other[keyPath: field], name) }
  }
}

/// The totals and hours in a row of the table `day`. They remain after the sessions are deleted.
struct DayTotals {
  /// The totals in the order of `SessionTotals.fields`, then the hours.
  static let columns = SessionTotals.columns + ", hours"
  static let names = SessionTotals.fields.map(\.column) + ["hours"]

  static func places(from first: Int) -> String {
    names.indices.map { "?\(first + $0)" }.joined(separator: ", ")
  }

  /// The assignments of an upsert. They overwrite the earlier values, which the new ones include.
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
    totals = try SessionTotals(row, column)
    let numbers = (try? JSONValue(parsing: try row.text(column + count)))?.elements
    let hours = numbers?.compactMap { $0.digits.flatMap { UInt64($0) } }
    guard let hours, hours.count == 24, numbers?.count == 24 else {
      throw database.damaged("day \(day): the column hours does not contain 24 numbers")
    }
    self.hours = hours
  }

  static func values(_ totals: DayTotals?) throws(StoreError) -> [SQLValue] {
    guard let totals else { return names.map { _ in .null } }
    return try totals.totals.values
      + [.text(JSONValue.array(totals.hours.map { .integer($0) }).exactText)]
  }
}

/// One screen on one geometry, over the sessions that showed it.
public struct ScreenSummary: Hashable, Sendable {
  public var key: GridKey
  /// The number of sessions that showed it.
  public var sessions: UInt64
  /// The number of touches counted on it.
  public var touches: UInt64
  public var shownMilliseconds: UInt64
  /// Every placement that was applied to a touch on it, each once.
  public var placements: [Placement]
}
