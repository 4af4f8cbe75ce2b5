public import TouchModel

/// A query for grids: one layer over some sessions.
public struct GridQuery: Sendable {
  public enum Sessions: Sendable {
    /// The sessions that began in the span and pass the filter.
    case span(TimeSpan, SessionFilter = SessionFilter())
    /// The sessions that began on a day of the kiosk's calendar.
    case day(Day)
    case one(Int64)
  }

  public var sessions: Sessions
  public var layer: Layer
  /// The name of the screen; nil for all screens.
  public var screen: String?
  /// The name of the display; nil for all displays.
  public var display: String?
  /// Requests also the counts of single sessions in the blocks that fewer sessions touched than
  /// this, at most `mostSessionCounts`; nil for none.
  public var sessionCountsBelow: UInt64?

  /// The largest value of `sessionCountsBelow`.
  public static let mostSessionCounts: UInt64 = 10
  /// The maximum number of counts of single sessions in an answer, which take 24 bytes each. Grids
  /// that would exceed it have none.
  static let sessionCountLimit = 100_000

  public init(
    _ sessions: Sessions, layer: Layer, screen: String? = nil, display: String? = nil,
    sessionCountsBelow: UInt64? = nil
  ) {
    self.sessions = sessions
    self.layer = layer
    self.screen = screen
    self.display = display
    self.sessionCountsBelow = sessionCountsBelow.map { min($0, Self.mostSessionCounts) }
  }

  /// The query with its names in Unicode's normal form C, in which the daemon stores names.
  public var normalised: GridQuery {
    GridQuery(
      sessions, layer: layer, screen: screen?.normalised, display: display?.normalised,
      sessionCountsBelow: sessionCountsBelow)
  }
}

extension Store {
  /// The number of blocks that are added up at a time. Each takes up to 32 bytes of memory. A grid
  /// with more blocks is added up alone.
  private static let blocksAtATime = 1 << 19

  /// Adds up grids in the order of their names, a few at a time, so that memory does not grow with
  /// their number. All of them come from one snapshot of the store. On the query thread, it stops
  /// as soon as the query is cancelled.
  ///
  /// - Parameters:
  ///   - screens: receives the list of screens first, and returns whether to continue.
  ///   - body: receives each grid, including those without a touch; returns whether to continue.
  /// - Throws: the errors of `grids`.
  public func forEachGrid(
    of query: GridQuery, screens: ([ScreenSummary]) -> Bool = { _ in true },
    _ body: (consuming SummedGrid) -> Bool
  ) throws(StoreError) {
    try transaction(.read, query.sessions.activity) { () throws(StoreError) in
      let addUp = try summation(query)
      var sums = ScreenSums(interruption)
      sums.pass = .views
      try addUp(&sums)
      let views = sums.byKey.filter { view in
        query.display.map { view.key.display.hasSameBytes(as: $0) } ?? true
      }
      let keys = views.keys.sorted { GridKey.isBefore($0, $1) }
      guard screens(keys.compactMap { key in views[key].map { ScreenSummary(key, $0) } }) else {
        return
      }
      let counting = try query.sessionCountsBelow == nil ? nil : countSessions(query, or: addUp)
      var countsLeft = GridQuery.sessionCountLimit
      for part in Self.parts(keys) {
        sums.byKey = [:]
        sums.pass = .grids(Set(part))
        try addUp(&sums)
        if let counting, let limit = query.sessionCountsBelow {
          sums.countSessions(touchedBelow: limit, part, left: &countsLeft)
          try counting(&sums)
        }
        for key in part {
          guard let view = views[key] else { continue }
          let own = sums.byKey.removeValue(forKey: key)
          try checkCancellation()
          var grid = SummedGrid(key, query.layer, view, own?.sum)
          if counting != nil, let limit = query.sessionCountsBelow {
            grid.adopt(own == nil ? [] : own?.counts, touchedBelow: limit)
          }
          guard body(grid) else { return }
        }
      }
    }
  }

  /// Throws `.interrupted` if no client waits for the answer any longer.
  public func checkCancellation() throws(StoreError) { try interruption?.check() }

  public func hasSession(_ id: Int64) throws(StoreError) -> Bool {
    try during("looking for session \(id)") { () throws(StoreError) in
      try database.integer("SELECT count(*) FROM session WHERE id = ?1", [.integer(id)]) > 0
    }
  }

  private static func parts(_ keys: [GridKey]) -> [[GridKey]] {
    var parts: [[GridKey]] = []
    var part: [GridKey] = []
    var blocks = 0
    for key in keys {
      let count = key.geometry.columns * key.geometry.rows
      if !part.isEmpty, blocks + count > blocksAtATime {
        parts.append(part)
        (part, blocks) = ([], 0)
      }
      part.append(key)
      blocks += count
    }
    return part.isEmpty ? parts : parts + [part]
  }
}

extension GridQuery.Sessions {
  fileprivate var activity: String {
    switch self {
    case .span: "adding up grids"
    case .day(let day): "adding up grids of \(day)"
    case .one(let session): "reading the grids of session \(session)"
    }
  }
}

extension ScreenSummary {
  init(_ key: GridKey, _ sum: ScreenSum) {
    self.init(
      key: key, sessions: sum.sessions, touches: sum.touches,
      shownMilliseconds: sum.shownMilliseconds, placements: sum.allPlacements)
  }
}

extension SummedGrid {
  /// - Parameters:
  ///   - view: the sum of the views.
  ///   - sum: nil if no session has a grid.
  fileprivate init(_ key: GridKey, _ layer: Layer, _ view: ScreenSum, _ sum: GridSum?) {
    let sum = sum ?? GridSum(count: key.geometry.columns * key.geometry.rows)
    self.init(
      key: key, layer: layer, sessions: view.sessions, days: UInt64(view.days.count),
      shownMilliseconds: view.shownMilliseconds, touches: view.touches,
      masks: Rectangle.union([view.masks], on: key.geometry), placements: view.allPlacements,
      sum: sum.sum, sumOfSquares: sum.sumOfSquares, touchedSessions: sum.touched)
  }
}
