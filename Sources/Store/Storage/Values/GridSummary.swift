public import TouchModel

/// One layer of one screen on one geometry, over the sessions that showed it.
public struct GridSummary: Hashable, Sendable {
  public var key: GridKey
  public var layer: Layer
  /// The number of sessions that showed the screen on this geometry, touched or not: the divisor of
  /// a mean.
  public var sessions: UInt64
  /// The number of days on which these sessions began.
  public var days: UInt64
  /// The time that these sessions showed the screen, in ms, added up.
  public var shownMilliseconds: UInt64
  /// The rectangles in which at least one of these sessions masked touches, each once.
  public var masks: [Rectangle]
  /// For each block, row-major: the sum over the sessions.
  public var sum: Counters
  /// For each block: the sum of the squares of the sessions' counts.
  public var sumOfSquares: [UInt128]
  /// For each block: the number of sessions that touched it.
  public var touchedSessions: Counters
  /// Every placement that was applied to a touch in it, each once.
  public var placements: [Placement]
  /// The number of touches counted on the screen.
  public var touches: UInt64

  /// - Parameters: `sum`, `sumOfSquares` and `touchedSessions` of `columns * rows` blocks each.
  public init(
    key: GridKey, layer: Layer, sessions: UInt64, days: UInt64, shownMilliseconds: UInt64,
    masks: [Rectangle], sum: Counters, sumOfSquares: [UInt128], touchedSessions: Counters,
    placements: [Placement], touches: UInt64
  ) {
    self.key = key
    self.layer = layer
    self.sessions = sessions
    self.days = days
    self.shownMilliseconds = shownMilliseconds
    self.masks = masks
    self.sum = sum
    self.sumOfSquares = sumOfSquares
    self.touchedSessions = touchedSessions
    self.placements = placements
    self.touches = touches
  }

  /// The mean count of a session in a block; nil without sessions.
  /// - Parameter index: the block, row-major.
  public func mean(at index: Int) -> Double? {
    sessions == 0 ? nil : Double(sum[index]) / Double(sessions)
  }

  /// The variance of the sessions' counts in a block, with divisor n - 1: an estimate for future
  /// sessions. nil for fewer than two sessions.
  /// - Parameter index: the block, row-major.
  public func variance(at index: Int) -> Double? {
    guard sessions > 1 else { return nil }
    let n = Double(sessions)
    let (total, squares) = (UInt128(sum[index]), sumOfSquares[index])
    // n Σx² - (Σx)², in integers if they are wide enough: in floating point it would be the
    // difference of two large numbers. 64 bits come first because they are faster, and a query for
    // a year has tens of thousands of blocks.
    if squares <= UInt128(UInt64.max) {
      let (scaled, overflows) = UInt64(truncatingIfNeeded: squares)
        .multipliedReportingOverflow(by: sessions)
      let (square, overflowsToo) = sum[index].multipliedReportingOverflow(by: sum[index])
      if !overflows, !overflowsToo, scaled >= square {
        return Double(scaled - square) / n / (n - 1)
      }
    }
    let (scaled, overflows) = squares.multipliedReportingOverflow(by: UInt128(sessions))
    let spread =
      overflows || scaled < total * total
      ? max(0, n * Double(squares) - Double(total) * Double(total))
      : Double(scaled - total * total)
    return spread / n / (n - 1)
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
