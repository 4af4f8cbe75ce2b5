package import TouchModel

extension API.Totals {
  /// Creates the value from the model's totals. Numbers above `Int64.max` become `Int64.max`.
  package init(_ totals: SessionTotals) {
    self.init(
      begun: Int64(clamping: totals.begun), counted: Int64(clamping: totals.counted),
      masked: Int64(clamping: totals.masked), palms: Int64(clamping: totals.palms),
      suspectedGhosts: Int64(clamping: totals.ghosts),
      swallowed: Int64(clamping: totals.swallowed),
      stillDown: Int64(clamping: totals.stillDown),
      preexisting: Int64(clamping: totals.preexisting),
      cancelled: Int64(clamping: totals.cancelled),
      clampedSamples: Int64(clamping: totals.clamped), drops: Int64(clamping: totals.drops))
  }

  /// The model's totals. Negative numbers become 0; the daemon never sends any.
  package var sessionTotals: SessionTotals {
    var totals = SessionTotals()
    totals.begun = UInt64(clamping: begun)
    totals.counted = UInt64(clamping: counted)
    totals.masked = UInt64(clamping: masked)
    totals.palms = UInt64(clamping: palms)
    totals.ghosts = UInt64(clamping: suspectedGhosts)
    totals.swallowed = UInt64(clamping: swallowed)
    totals.stillDown = UInt64(clamping: stillDown)
    totals.preexisting = UInt64(clamping: preexisting)
    totals.cancelled = UInt64(clamping: cancelled)
    totals.clamped = UInt64(clamping: clampedSamples)
    totals.drops = UInt64(clamping: drops)
    return totals
  }
}

extension API.Session {
  /// Creates the value from a record, without a day. Ignores the record's views and grids.
  package init(_ record: SessionRecord) { self.init(record, day: nil) }

  /// Creates the value from a record. Ignores the record's views and grids.
  /// - Parameter day: the day on which the session began, `YYYY-MM-DD`; nil to omit it.
  package init(_ record: SessionRecord, day: String?) {
    self.init(
      id: record.id, day: day, beganAtMs: record.began.milliseconds,
      lastActiveAtMs: record.lastActive.milliseconds, end: record.end, tags: record.tags,
      totals: API.Totals(record.totals))
  }

  /// The model's record of this session, without views and grids.
  package var sessionRecord: SessionRecord {
    SessionRecord(
      id: id, began: WallTime(milliseconds: beganAtMs),
      lastActive: WallTime(milliseconds: lastActiveAtMs), end: end, tags: tags,
      totals: totals.sessionTotals)
  }
}

extension API.Day {
  /// Creates the value. Numbers above `Int64.max` become `Int64.max`.
  /// - Parameters:
  ///   - day: the day, `YYYY-MM-DD`.
  ///   - hours: the number of sessions that began in each local hour: 24 numbers; nil if unknown.
  package init(
    _ day: String, sessions: UInt64, totals: SessionTotals?, hours: [UInt64]?,
    ghostsOutside: UInt64
  ) {
    self.init(
      day: day, sessions: Int64(clamping: sessions), totals: totals.map { API.Totals($0) },
      hours: hours?.map { Int64(clamping: $0) }, ghostsOutside: Int64(clamping: ghostsOutside))
  }
}

extension API.Span {
  /// Creates the span from the model's times.
  package init(since: WallTime?, until: WallTime? = nil) {
    self.init(sinceAtMs: since?.milliseconds, untilAtMs: until?.milliseconds)
  }

  /// The start of the span as the model's type.
  package var since: WallTime? { sinceAtMs.map(WallTime.init(milliseconds:)) }
  /// The end of the span as the model's type.
  package var until: WallTime? { untilAtMs.map(WallTime.init(milliseconds:)) }
}
