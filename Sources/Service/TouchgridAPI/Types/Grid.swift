package import TouchModel

extension API.Screen {
  /// Creates the value. Numbers above `Int64.max` become `Int64.max`.
  package init(key: GridKey, sessions: UInt64, touches: UInt64, shownMilliseconds: UInt64) {
    self.init(
      screen: key.screen, display: key.display, geometry: API.Geometry(key.geometry),
      sessions: Int64(clamping: sessions), touches: Int64(clamping: touches),
      shownMs: Int64(clamping: shownMilliseconds))
  }
}

extension API.Grid {
  /// Creates the value. Numbers above `Int64.max` become `Int64.max`.
  package init(_ grid: SummedGrid) {
    let high = grid.sumOfSquares.map { Int64(clamping: $0 >> 63) }
    let blocks = grid.sum.indices
    self.init(
      screen: grid.key.screen, display: grid.key.display, geometry: API.Geometry(grid.key.geometry),
      layer: grid.layer, sessions: Int64(clamping: grid.sessions),
      days: Int64(clamping: grid.days), shownMs: Int64(clamping: grid.shownMilliseconds),
      touches: Int64(clamping: grid.touches), masks: grid.masks.map { API.Rectangle($0) },
      sum: grid.sum.map { Int64(clamping: $0) }, mean: blocks.map { grid.mean(at: $0) ?? 0 },
      variance: grid.sessions < 2 ? nil : blocks.map { grid.variance(at: $0) ?? 0 },
      sumOfSquares: grid.sumOfSquares.map { Int64(truncatingIfNeeded: $0) & .max },
      sumOfSquaresHigh: high.allSatisfy { $0 == 0 } ? nil : high,
      touchedSessions: grid.touchedSessions.map { Int64(clamping: $0) },
      sessionCounts: grid.sessionCounts?.map { API.SessionCount($0) })
  }
}

extension API.SessionCount {
  /// Creates the value. Counts above `Int64.max` become `Int64.max`.
  package init(_ count: TouchModel.SessionCount) {
    self.init(block: count.block, session: count.session, count: Int64(clamping: count.count))
  }
}

extension SummedGrid {
  /// Creates the model's grid from a grid that a daemon sent.
  /// - Parameter limit: the `sessionCountsBelow` of the call; without it, counts of single sessions
  ///   are ignored.
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
