/// The count of one session in one block.
public struct SessionCount: Hashable, Sendable {
  /// The row-major index of the block.
  public var block: Int
  /// The session's id.
  public var session: Int64
  public var count: UInt64

  public init(block: Int, session: Int64, count: UInt64) {
    self.block = block
    self.session = session
    self.count = count
  }
}

/// One layer of one screen on one geometry, summed over the sessions that showed the screen. The
/// store computes it, the daemon sends it, and pictures, tables and reports use it.
public struct SummedGrid: Hashable, Sendable {
  public var key: GridKey
  public var layer: Layer
  /// The number of sessions that showed the screen on this geometry, touched or not. The mean
  /// divides by it.
  public var sessions: UInt64
  /// The number of days of the local calendar on which these sessions began.
  public var days: UInt64
  /// The total time for which these sessions showed the screen, in ms.
  public var shownMilliseconds: UInt64
  /// The number of touches counted on the screen.
  public var touches: UInt64
  /// The rectangles that were masked in at least one of these sessions, each once, in points of the
  /// display. Counts there are incomplete.
  public var masks: [Rectangle]
  /// Every placement that was applied to a touch on the screen, each once; empty if unknown.
  public var placements: [Placement]
  /// For each block, row-major: the sum of the sessions' counts.
  public var sum: Counters
  /// For each block, row-major: the sum of the squares of the sessions' counts.
  public var sumOfSquares: [UInt128]
  /// For each block, row-major: the number of sessions that touched it.
  public var touchedSessions: Counters
  /// The counts of single sessions in the blocks that few sessions touched, by block and session;
  /// nil if they were not requested, if sessions have been deleted, or if there are too many.
  public var sessionCounts: [SessionCount]?

  /// - Precondition: `sum`, `sumOfSquares` and `touchedSessions` have one element for each block of
  ///   the geometry.
  public init(
    key: GridKey, layer: Layer, sessions: UInt64, days: UInt64, shownMilliseconds: UInt64,
    touches: UInt64, masks: [Rectangle] = [], placements: [Placement] = [], sum: Counters,
    sumOfSquares: [UInt128], touchedSessions: Counters
  ) {
    let blocks = key.geometry.columns * key.geometry.rows
    precondition(
      sum.count == blocks && sumOfSquares.count == blocks && touchedSessions.count == blocks)
    self.key = key
    self.layer = layer
    self.sessions = sessions
    self.days = days
    self.shownMilliseconds = shownMilliseconds
    self.touches = touches
    self.masks = masks
    self.placements = placements
    self.sum = sum
    self.sumOfSquares = sumOfSquares
    self.touchedSessions = touchedSessions
  }

  /// Creates the sum of a single session.
  /// - Parameters:
  ///   - grid: the counters of one layer.
  ///   - view: the view of the same screen, with its touches, its time shown and its masks.
  public init(_ grid: Grid, view: ScreenView) {
    self.init(
      key: grid.key, layer: grid.layer, sessions: 1, days: 1,
      shownMilliseconds: view.shownMilliseconds, touches: view.touches, masks: view.masks,
      sum: grid.counters, sumOfSquares: grid.counters.map { UInt128($0) * UInt128($0) },
      touchedSessions: Counters(grid.counters.map { min($0, 1) }))
  }

  /// Adopts the counts of single sessions, in any order, if they agree with the sums.
  /// - Parameter limit: the counts are those of blocks that fewer sessions touched.
  public mutating func adopt(_ counts: [SessionCount]?, touchedBelow limit: UInt64) {
    sessionCounts = nil
    guard let counts = counts?.sorted(by: { ($0.block, $0.session) < ($1.block, $1.session) })
    else {
      return
    }
    var rest = counts[...]
    for block in sum.indices where 0 < touchedSessions[block] && touchedSessions[block] < limit {
      let own = rest.prefix { $0.block == block }
      rest = rest.dropFirst(own.count)
      let differ = zip(own, own.dropFirst()).allSatisfy { $0.session != $1.session }
      var left = sum[block]
      for count in own {
        guard 0 < count.count, count.count <= left else { return }
        left -= count.count
      }
      guard differ, left == 0, UInt64(own.count) == touchedSessions[block] else { return }
    }
    guard rest.isEmpty else { return }
    sessionCounts = counts
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
