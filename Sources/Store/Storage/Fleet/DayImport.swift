package import Text
public import TouchModel

/// The properties that distinguish suspected ghosts.
package struct GhostKey: Hashable {
  package var device: ExactName
  package var x: Int32
  package var y: Int32
  package var period: Int64

  package init(_ ghost: GhostTally) {
    device = ExactName(ghost.device)
    x = ghost.x
    y = ghost.y
    period = ghost.periodMilliseconds
  }
}

/// The contents of one day of several stores, added up.
public struct ImportedDay {
  public let day: Day
  private var summary: DaySummary
  private var began: ClosedRange<WallTime>?
  private var ghosts: [GhostKey: UInt64] = [:]
  private var views: [GridKey: ScreenSum] = [:]
  private var counts: [CountSubject: CountSum] = [:]
  private let kinds: CountKinds
  /// The grids of all contents, with only the touched blocks. They are added up one grid at a time.
  private var grids: [GridKey: [DayContent.LayerSums]] = [:]

  public init(_ day: Day, kinds: CountKinds = .all) {
    self.day = day
    self.kinds = kinds
    summary = DaySummary(day: day)
  }

  /// Adds a content.
  /// - Parameter kiosk: the name that kinds of counts add to their subjects (`CountKind.key`); nil for
  ///   none.
  /// - Precondition: it is of the same day.
  /// - Throws: `.overflow` if a sum exceeds 64 bits, or a sum of squares 128. The sums are then
  ///   unusable.
  public mutating func add(_ content: DayContent, of kiosk: String? = nil) throws(StoreError) {
    precondition(content.day == day)
    try summary.add(content.summary)
    if let theirs = content.began {
      let ours = began ?? theirs
      began =
        min(ours.lowerBound, theirs.lowerBound)...max(ours.upperBound, theirs.upperBound)
    }
    for ghost in content.ghosts {
      try ghosts[GhostKey(ghost), default: 0].add(ghost.touches, "suspected ghosts")
    }
    for view in content.views { try add(view) }
    for part in content.counts {
      var subject = part.subject
      if let kiosk, let kind = kinds[subject.kind] {
        subject = CountSubject(kind: kind.name, key: kind.key(subject.key, at: kiosk))
      }
      try counts[subject, default: CountSum()]
        .add(CountSum(sessions: part.sessions, numbers: part.numbers))
    }
  }

  private mutating func add(_ view: DayContent.View) throws(StoreError) {
    try views[view.key, default: ScreenSum()].add(view)
    grids[view.key, default: []] += view.layers
  }

  /// - Returns: nil if the layer has no counts.
  private func sum(_ key: GridKey, _ layer: Layer) throws(StoreError) -> GridSum? {
    let parts = (grids[key] ?? []).filter { $0.layer == layer }
    guard !parts.isEmpty else { return nil }
    var sum = GridSum(count: key.geometry.columns * key.geometry.rows)
    for part in parts {
      for (index, block) in part.blocks.enumerated() {
        try sum.add(
          part.sums[index], squares: part.squares[index], touched: part.touched[index], at: block)
      }
    }
    return sum
  }

  /// Writes the day. Call it within a transaction.
  fileprivate func write(to store: Store) throws(StoreError) {
    try write(to: store.database)
    for (subject, sum) in counts.sorted(by: { CountSubject.isBefore($0.key, $1.key) }) {
      guard kinds.shape(of: subject)?.isPlausible(sum.numbers, sum.sessions) ?? false else {
        throw StoreError(
          .overflow, message: "a sum of counts of the kind \(subject.kind) is too large")
      }
      if kinds[subject.kind]?.isOnlyOfDays == true { continue }
      try store.write(sum, of: store.database.number(of: subject), on: day.text)
    }
    for kind in kinds.onlyOfDays {
      let own = counts.filter { $0.key.kind == kind }
      if own.isEmpty { continue }
      guard try store.write(own, of: kind, on: day, limit: Store.sumSizeLimit) else {
        throw StoreError(.overflow, message: "the counts of the kind \(kind) are too many")
      }
    }
    try store.noteDayKinds(of: day.text)
  }

  private func write(to database: borrowing Database) throws(StoreError) {
    let date = SQLValue.text(day.text)
    for (ghost, touches) in ghosts {
      try database.run(
        """
        INSERT INTO ghost (day, device, x, y, period_ms, touches) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        """,
        [
          date, .text(ghost.device.text), .integer(Int64(ghost.x)), .integer(Int64(ghost.y)),
          .integer(ghost.period), try .count(touches, "suspected ghosts"),
        ])
    }
    guard let began else { return }
    try database.run(
      """
      INSERT INTO day (day, sessions, first_began, last_began, \(DayTotals.columns))
      VALUES (?1, ?2, ?3, ?4, \(DayTotals.places(from: 5)))
      """,
      [
        date, try .count(summary.sessions, "sessions"),
        .integer(began.lowerBound.milliseconds), .integer(began.upperBound.milliseconds),
      ] + DayTotals.values(DayTotals(summary)))
    for (key, view) in views.sorted(by: { GridKey.isBefore($0.key, $1.key) }) {
      let columns = [date] + (try database.values(of: key))
      try database.write(view, of: key, columns)
      for layer in Layer.allCases {
        guard let sum = try sum(key, layer) else { continue }
        try sum.write(.day, columns + [.text(layer.rawValue)], in: database)
      }
    }
  }
}

extension ScreenSum {
  fileprivate mutating func add(_ view: DayContent.View) throws(StoreError) {
    try sessions.add(view.sessions, "sessions")
    try touches.add(view.touches, "touches")
    try shownMilliseconds.add(view.shownMilliseconds, "time shown")
    masks.formUnion(view.masks)
    placements[0] = Placement.union([placements[0] ?? [], view.placements])
  }
}

extension Store {
  /// Writes a day that is missing in the store, in one transaction.
  /// - Throws: `.refused` if the store has the day; `.overflow` if a total exceeds 63 bits.
  public func write(_ day: ImportedDay) throws(StoreError) {
    try transaction(.write, "writing \(day.day)") { () throws(StoreError) in
      try day.write(to: self)
    }
  }

  /// Completes a store that was made from imported days: adds up the months that have ended, and
  /// moves everything from the WAL into the file.
  /// - Parameter today: the current day.
  public func finishImport(today: Day) throws(StoreError) {
    try addUpMonths(before: today)
    try during("completing the store") { () throws(StoreError) in try checkpointWAL() }
  }
}
