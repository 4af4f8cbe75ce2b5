public import TouchModel

/// A day of the kiosk's calendar, and the sessions of a span that began on it.
public struct DaySummary: Hashable, Sendable {
  public var day: Day
  public var sessions: UInt64
  /// The totals of these sessions; nil if they are no longer known.
  public var totals: SessionTotals?
  /// How many sessions began in each of the 24 hours of the kiosk's clock; nil if no longer known.
  public var hours: [UInt64]?
  /// Suspected ghosts that came on this day while no session ran.
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
  static var fields: [(WritableKeyPath<SessionTotals, UInt64>, name: String)] {
    [
      (\.begun, "begun"), (\.counted, "counted"), (\.masked, "masked"), (\.palms, "palms"),
      (\.ghosts, "ghosts"), (\.stillDown, "still down"), (\.preexisting, "preexisting"),
      (\.cancelled, "cancelled"), (\.clamped, "clamped"), (\.drops, "drops"),
    ]
  }

  mutating func add(_ other: SessionTotals) throws(StoreError) {
    for (field, name) in Self.fields { try self[keyPath: field].add(other[keyPath: field], name) }
  }
}
