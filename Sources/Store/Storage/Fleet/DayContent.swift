public import TouchModel

/// The data that a store has about sessions of one day, added up. A kiosk uploads it, and
/// `touchgrid import` writes it into another store.
public struct DayContent: Hashable, Sendable {
  /// The totals of the day's sessions.
  public var summary: DaySummary
  /// The start of the first and of the last session; nil without sessions.
  public var began: ClosedRange<WallTime>?
  /// Suspected ghosts outside of sessions.
  public var ghosts: [GhostTally]
  /// The screens that the sessions showed, in the order of their names.
  public var views: [View]
  /// The other counts, in a fixed order.
  public var counts: [SummedCounts]

  public var day: Day { summary.day }
  /// Whether the day has neither sessions nor suspected ghosts, perhaps because it was forgotten.
  public var isEmpty: Bool { summary.sessions == 0 && ghosts.isEmpty }

  public init(
    summary: DaySummary, began: ClosedRange<WallTime>? = nil, ghosts: [GhostTally] = [],
    views: [View] = [], counts: [SummedCounts] = []
  ) {
    self.summary = summary
    self.began = began
    self.ghosts = ghosts
    self.views = views
    self.counts = counts
  }

  /// One screen on one display and geometry.
  public struct View: Hashable, Sendable {
    public var key: GridKey
    /// The number of sessions that showed it.
    public var sessions: UInt64
    public var shownMilliseconds: UInt64
    /// The touches counted on it.
    public var touches: UInt64
    public var masks: [Rectangle]
    public var placements: [Placement]
    /// The layers that have counts.
    public var layers: [LayerSums]

    public init(
      key: GridKey, sessions: UInt64, shownMilliseconds: UInt64, touches: UInt64,
      masks: [Rectangle] = [], placements: [Placement] = [], layers: [LayerSums] = []
    ) {
      self.key = key
      self.sessions = sessions
      self.shownMilliseconds = shownMilliseconds
      self.touches = touches
      self.masks = masks
      self.placements = placements
      self.layers = layers
    }
  }

  /// The touched blocks of one layer. All lists have one element for each of these blocks.
  public struct LayerSums: Hashable, Sendable {
    public var layer: Layer
    /// The indexes of the blocks, row by row from the top left; rising.
    public var blocks: [Int]
    /// The sum over the sessions.
    public var sums: [UInt64]
    /// The sum of the squares of the sessions' counts.
    public var squares: [UInt128]
    /// The number of sessions that touched the block.
    public var touched: [UInt64]

    /// - Precondition: the lists have equal lengths.
    public init(
      _ layer: Layer, blocks: [Int], sums: [UInt64], squares: [UInt128], touched: [UInt64]
    ) {
      precondition(
        blocks.count == sums.count && blocks.count == squares.count
          && blocks.count == touched.count)
      self.layer = layer
      self.blocks = blocks
      self.sums = sums
      self.squares = squares
      self.touched = touched
    }

    init(_ layer: Layer, _ sum: GridSum) {
      let (sums, squares, touched) = (sum.sum, sum.sumOfSquares, sum.touched)
      let blocks = touched.indices.filter { touched[$0] > 0 }
      self.init(
        layer, blocks: blocks, sums: blocks.map { sums[$0] }, squares: blocks.map { squares[$0] },
        touched: blocks.map { touched[$0] })
    }
  }
}

extension Store {
  /// The id of the last session that was ever written, even if it has been deleted; 0 if none was.
  public var lastSessionID: Int64 { get throws(StoreError) { try nextSessionID - 1 } }

  /// Returns the days that have ended, oldest first. A day may still change if sessions are
  /// forgotten or the clock is set back.
  /// - Parameter today: the current day.
  public func completeDays(before today: Day) throws(StoreError) -> [Day] {
    try days(
      """
      SELECT day FROM (
        SELECT day FROM day
        UNION SELECT day FROM session WHERE day < ?1
        UNION SELECT day FROM ghost WHERE day < ?1)
      WHERE day NOT IN (\(Self.incomplete)) ORDER BY day
      """, [.text(today.text)])
  }

  /// Returns the days with a running session, and the days from today on whose sums do not yet
  /// include all sessions.
  public func incompleteDays(from today: Day) throws(StoreError) -> [Day] {
    try days(Self.incomplete, [.text(today.text)])
  }

  private static let incomplete = """
    SELECT day FROM session WHERE ended IS NULL OR rolled_up = 0 AND day >= ?1
    """

  private func days(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> [Day] {
    try during("listing days") { () throws(StoreError) in
      try database.all(sql, values) { row throws(StoreError) in
        let text = try row.text(0)
        guard let day = Day(text) else { throw database.damaged("the day '\(text)' is not a date") }
        return day
      }
    }
  }

  /// Returns the content of a day: all of its sessions, without suspected ghosts.
  /// - Returns: nil if the hours in which the sessions began are unknown only because this process
  ///   is in another time zone than the daemon.
  /// - Throws: `.overflow` if a sum exceeds 64 bits, or a sum of squares 128.
  public func content(of day: Day) throws(StoreError) -> DayContent? {
    try transaction(.read, "adding up \(day)") { () throws(StoreError) in
      try wholeContent(of: day)
    }
  }

  /// Returns the content of a day for the sessions with ids in a range, without suspected ghosts.
  /// - Returns: nil if it is unknown because sessions of the day were deleted and only their sums
  ///   remain, or for the reason given for `content(of:)`.
  public func content(
    of day: Day, sessions: Range<Int64>
  ) throws(StoreError) -> DayContent? {
    try transaction(.read, "adding up \(day)") { () throws(StoreError) in
      let values = [SQLValue.text(day.text)]
      let known = try database.integer(
        """
        SELECT ifnull((SELECT sessions FROM day WHERE day = ?1), 0)
          + (SELECT count(*) FROM session WHERE \(Share.pending.condition))
        """, values)
      let stored = try database.integer("SELECT count(*) FROM session WHERE day = ?1", values)
      guard known == stored else { return nil }
      let range: [SQLValue] = [.integer(sessions.lowerBound), .integer(sessions.upperBound)]
      let count = try database.integer(
        "SELECT count(*) FROM session WHERE day = ?1 AND id >= ?2 AND id < ?3", values + range)
      if count == known { return try wholeContent(of: day) }
      return try content(
        DaySummary(day: day), "session.day = ?1 AND session.id >= ?2 AND session.id < ?3",
        values + range, withSums: false)
    }
  }

  private func wholeContent(of day: Day) throws(StoreError) -> DayContent? {
    let (pending, values) = (Share.pending.condition, [SQLValue.text(day.text)])
    let rolledUp = try summary(ofWhole: day)
    guard var content = try content(rolledUp, pending, values, withSums: true) else { return nil }
    for kind in options.kinds.onlyOfDays {
      let own = try dayCounts(of: day, kind)
      // After a recovery, counts may include more sessions than the day has.
      if own.allSatisfy({ $0.sessions <= content.summary.sessions }) { content.counts += own }
    }
    content.counts.sort { CountSubject.isBefore($0.subject, $1.subject) }
    return content
  }

  /// - Parameters:
  ///   - rolledUp: the summary of the sessions in the day's sums, if these are added up too.
  ///   - chosen: an SQL condition on the sessions to be added up; `?1` is the day.
  ///   - withSums: whether the day's sums are added up too.
  private func content(
    _ rolledUp: DaySummary, _ chosen: String, _ values: [SQLValue], withSums: Bool
  ) throws(StoreError) -> DayContent? {
    let day = rolledUp.day
    var days = [day: rolledUp]
    try addSessions(where: chosen, values, but: nil, to: &days)
    let summary = days[day] ?? rolledUp
    guard summary.hours != nil || rolledUp.hours == nil else { return nil }
    let ofSums = withSums ? "day = ?1" : "FALSE AND day = ?1"
    let began = try database.first(
      """
      SELECT min(first), max(last) FROM (
        SELECT first_began AS first, last_began AS last FROM day WHERE \(ofSums)
        UNION ALL SELECT min(began), max(began) FROM session WHERE \(chosen))
      """, values
    ) { row in row.isNull(0) ? nil : (row.integer(0), row.integer(1)) }
    return DayContent(
      summary: summary, began: try range(began ?? nil, of: day),
      views: try views(of: day) { [self] sums, layer throws(StoreError) in
        if let layer {
          let ofLayer = " AND layer = ?\(values.count + 1)"
          let values = values + [.text(layer.rawValue)]
          if withSums {
            try sums.addGrids(of: .day, where: "day = ?1" + ofLayer, values, in: database)
          }
          try sums.addGrids(of: .session, where: chosen + ofLayer, values, in: database)
        } else {
          if withSums { try sums.addViews(of: .day, where: "day = ?1", values, in: database) }
          try sums.addViews(of: .session, where: chosen, values, in: database)
        }
      }, counts: try counts(chosen, values, withSums ? [.day, .session] : [.session]))
  }

  private func counts(
    _ sessions: String, _ values: [SQLValue], _ owners: [CountOwner]
  ) throws(StoreError) -> [SummedCounts] {
    var (lookup, sums) = (Lookup(), CountSums())
    for owner in owners {
      try forEachCount(
        in: owner, where: owner == .day ? "day = ?1" : sessions, values, &lookup
      ) { id, sum, _ throws(StoreError) in try sums.add(sum, to: id) }
    }
    return try summed(sums, &lookup).sorted { CountSubject.isBefore($0.subject, $1.subject) }
  }

  private func range(
    _ began: (Int64, Int64)?, of day: Day
  ) throws(StoreError) -> ClosedRange<WallTime>? {
    guard let (first, last) = began else { return nil }
    guard first <= last else {
      throw database.damaged("day \(day): its first session began after its last one")
    }
    return WallTime(milliseconds: first)...WallTime(milliseconds: last)
  }

  /// - Parameter add: adds the grids of a layer, or the views if the layer is nil.
  private func views(
    of day: Day, _ add: (inout ScreenSums, Layer?) throws(StoreError) -> Void
  ) throws(StoreError) -> [DayContent.View] {
    var sums = ScreenSums()
    try add(&sums, nil)
    var views = sums.byKey.sorted { GridKey.isBefore($0.key, $1.key) }.map { key, view in
      DayContent.View(
        key: key, sessions: view.sessions, shownMilliseconds: view.shownMilliseconds,
        touches: view.touches, masks: Rectangle.union([view.masks], on: key.geometry),
        placements: view.allPlacements)
    }
    // Add one layer at a time, so that only one sum of each screen is in memory.
    for layer in Layer.allCases {
      sums.byKey = [:]
      try add(&sums, layer)
      for index in views.indices {
        guard let sum = sums.byKey.removeValue(forKey: views[index].key)?.sum else { continue }
        let touched = DayContent.LayerSums(layer, sum)
        if !touched.blocks.isEmpty { views[index].layers.append(touched) }
      }
    }
    return views
  }
}
