public import TouchModel

extension API {
  /// What a grid counts: `taps`, `trail` or `dwell`.
  public typealias Layer = TouchModel.Layer

  /// A screen on one display geometry, with the sums of those sessions of a span that showed it.
  public struct Screen: Codable, Hashable, Sendable {
    /// The name of the screen.
    public var screen: String
    /// The name of the display.
    public var display: String
    /// The geometry of the display while it showed the screen.
    public var geometry: Geometry
    /// The number of sessions that showed the screen.
    public var sessions: Int64
    /// The number of touches counted on it.
    public var touches: Int64
    /// How long these sessions showed it in total, in ms.
    public var shownMs: Int64

    /// Creates the value. Numbers above `Int64.max` become `Int64.max`.
    package init(key: GridKey, sessions: UInt64, touches: UInt64, shownMilliseconds: UInt64) {
      screen = key.screen
      display = key.display
      geometry = Geometry(key.geometry)
      self.sessions = Int64(clamping: sessions)
      self.touches = Int64(clamping: touches)
      shownMs = Int64(clamping: shownMilliseconds)
    }
  }

  /// One layer of one screen on one display geometry, summed over sessions. The arrays have
  /// `columns * rows` elements of the geometry, row by row from the top left. The unit of their
  /// values is touches (`taps`), blocks entered (`trail`) or milliseconds of contact (`dwell`).
  public struct Grid: Codable, Hashable, Sendable {
    /// The name of the screen.
    public var screen: String
    /// The name of the display.
    public var display: String
    /// The geometry of the display. It determines the shape of the arrays.
    public var geometry: Geometry
    /// What the grid counts.
    public var layer: Layer
    /// The number of sessions that showed the screen, with or without touches. `mean` divides by
    /// it.
    public var sessions: Int64
    /// The number of days of the local calendar on which these sessions began.
    public var days: Int64
    /// How long these sessions showed the screen in total, in ms.
    public var shownMs: Int64
    /// The number of touches counted on the screen.
    public var touches: Int64
    /// The rectangles that were masked in at least one of the sessions, in points. A low count
    /// inside them does not mean that few people touched there.
    public var masks: [Rectangle]
    /// For each block, the sum of the sessions' counts.
    public var sum: [Int64]
    /// For each block, the sum of the squares of the sessions' counts, modulo 2^63.
    public var sumOfSquares: [Int64]
    /// For each block, the sum of the squares divided by 2^63, rounded down. nil if all are 0. The
    /// sum can exceed 64 bits.
    public var sumOfSquaresHigh: [Int64]?
    /// For each block, the mean of the sessions' counts.
    public var mean: [Double]
    /// For each block, the sample variance (divided by n - 1) of the sessions' counts. nil for
    /// fewer than two sessions.
    public var variance: [Double]?
    /// For each block, the number of sessions that touched it.
    public var touchedSessions: [Int64]
    /// The counts of single sessions in the blocks that few sessions touched, by block and session.
    /// nil if the call did not ask for them, if some of the sessions have been deleted, or if there
    /// are too many.
    public var sessionCounts: [SessionCount]?

    /// Creates the value. Numbers above `Int64.max` become `Int64.max`.
    package init(_ grid: SummedGrid) {
      screen = grid.key.screen
      display = grid.key.display
      geometry = Geometry(grid.key.geometry)
      layer = grid.layer
      sessions = Int64(clamping: grid.sessions)
      days = Int64(clamping: grid.days)
      shownMs = Int64(clamping: grid.shownMilliseconds)
      touches = Int64(clamping: grid.touches)
      masks = grid.masks.map { Rectangle($0) }
      sum = grid.sum.map { Int64(clamping: $0) }
      sumOfSquares = grid.sumOfSquares.map { Int64(truncatingIfNeeded: $0) & .max }
      let high = grid.sumOfSquares.map { Int64(clamping: $0 >> 63) }
      sumOfSquaresHigh = high.allSatisfy { $0 == 0 } ? nil : high
      let blocks = grid.sum.indices
      mean = blocks.map { grid.mean(at: $0) ?? 0 }
      variance = grid.sessions < 2 ? nil : blocks.map { grid.variance(at: $0) ?? 0 }
      touchedSessions = grid.touchedSessions.map { Int64(clamping: $0) }
      sessionCounts = grid.sessionCounts?.map { SessionCount($0) }
    }
  }

  /// The count of one session in one block.
  public struct SessionCount: Codable, Hashable, Sendable {
    /// The index of the block, row by row from the top left.
    public var block: Int
    /// The id of the session.
    public var session: Int64
    /// The count, above 0, in the unit of the grid's layer.
    public var count: Int64

    /// Creates the value. Counts above `Int64.max` become `Int64.max`.
    package init(_ count: TouchModel.SessionCount) {
      block = count.block
      session = count.session
      self.count = Int64(clamping: count.count)
    }
  }
}

extension SummedGrid {
  /// Creates the model's grid from a grid that a daemon sent.
  /// - Parameter limit: the `sessionCountsBelow` of the call; without it, no counts of single
  ///   sessions are taken.
  /// - Returns: nil if its shape or a number is invalid, or if counts of single sessions do not agree
  ///   with the sums.
  package init?(_ grid: API.Grid, sessionCountsBelow limit: UInt64? = nil) {
    guard let geometry = grid.geometry.displayGeometry,
      let sessions = UInt64(exactly: grid.sessions), let days = UInt64(exactly: grid.days),
      let shown = UInt64(exactly: grid.shownMs), let touches = UInt64(exactly: grid.touches)
    else { return nil }
    let blocks = geometry.columns * geometry.rows
    let low = grid.sumOfSquares
    let lists = [grid.sum, low, grid.touchedSessions] + [grid.sumOfSquaresHigh].compactMap(\.self)
    guard lists.allSatisfy({ $0.count == blocks && $0.allSatisfy { $0 >= 0 } }) else { return nil }
    self.init(
      key: GridKey(display: grid.display, screen: grid.screen, geometry: geometry),
      layer: grid.layer, sessions: sessions, days: days, shownMilliseconds: shown,
      touches: touches, masks: grid.masks.compactMap(\.rectangle),
      sum: Counters(grid.sum.map { UInt64($0) }),
      sumOfSquares: low.indices.map { index in
        UInt128(grid.sumOfSquaresHigh?[index] ?? 0) << 63 | UInt128(low[index])
      },
      touchedSessions: Counters(grid.touchedSessions.map { UInt64($0) }))
    guard let limit, let counts = grid.sessionCounts else { return }
    adopt(
      counts.map {
        TouchModel.SessionCount(
          block: $0.block, session: $0.session, count: UInt64(clamping: $0.count))
      }, touchedBelow: limit)
    if sessionCounts == nil { return nil }
  }
}

extension TouchModel.Layer: Codable {}
