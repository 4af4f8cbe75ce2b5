public import TouchModel

/// One layer of one screen on one geometry, over the sessions that showed it.
public struct GridSummary: Hashable, Sendable {
  public var key: GridKey
  public var layer: Layer
  /// Sessions that showed the screen on this geometry, touched or not: what a mean divides by.
  public var sessions: UInt64
  /// Days on which these sessions began.
  public var days: UInt64
  /// How long these sessions showed it, in sum.
  public var shownMilliseconds: UInt64
  /// Where touches of one of these sessions, or more, were masked: each rectangle once.
  public var masks: [Rectangle]
  /// For each block, row-major: the sum over the sessions.
  public var sum: Counters
  /// For each block: the sum of the squares of the sessions' counts.
  public var sumOfSquares: [UInt128]
  /// For each block: how many sessions touched it.
  public var touchedSessions: Counters
  /// Every placement that was applied to a touch in it, each once.
  public var placements: [Placement]
  /// Touches counted on the screen.
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

  /// A session's mean count in the block; nil without sessions.
  /// - Parameter index: row-major.
  public func mean(at index: Int) -> Double? {
    sessions == 0 ? nil : Double(sum[index]) / Double(sessions)
  }

  /// The variance of the sessions' counts in the block, with n - 1: an estimate for sessions to come.
  /// nil for fewer than two sessions.
  /// - Parameter index: row-major.
  public func variance(at index: Int) -> Double? {
    guard sessions > 1 else { return nil }
    let n = Double(sessions)
    let (total, squares) = (UInt128(sum[index]), sumOfSquares[index])
    // n Σx² - (Σx)², exactly where it fits: as floating point the difference of two large numbers. In 64 bits
    // where these do: of a year's blocks there are tens of thousands.
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
  /// Sessions that showed it.
  public var sessions: UInt64
  /// Touches counted on it.
  public var touches: UInt64
  public var shownMilliseconds: UInt64
  /// Every placement that was applied to a touch on it, each once.
  public var placements: [Placement]
}
