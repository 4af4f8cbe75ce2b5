public import TouchModel

/// One layer of one screen on one geometry, summed over sessions. All formats are made from it.
public struct SummedGrid: Hashable, Sendable {
  public var key: GridKey
  public var layer: Layer
  /// The number of sessions that showed the screen. The mean divides by it.
  public var sessions: UInt64
  /// The number of days of the local calendar on which these sessions began.
  public var days: UInt64
  /// How long these sessions showed the screen in total, in ms.
  public var shownMilliseconds: UInt64
  /// Touches counted on the screen.
  public var touches: UInt64
  /// The rectangles that were masked in at least one of these sessions, in points of the display.
  /// Counts there are incomplete.
  public var masks: [Rectangle]
  /// For each block, row-major: the sum of the sessions' counts.
  public var sum: [UInt64]
  /// For each block, row-major: the sum of the squares of the sessions' counts.
  public var sumOfSquares: [UInt128]
  /// For each block, row-major: the number of sessions that touched it.
  public var touchedSessions: [UInt64]

  /// - Precondition: `sum`, `sumOfSquares` and `touchedSessions` have one element for each block of
  ///   the geometry.
  public init(
    key: GridKey, layer: Layer, sessions: UInt64, days: UInt64, shownMilliseconds: UInt64,
    touches: UInt64, masks: [Rectangle] = [], sum: [UInt64], sumOfSquares: [UInt128],
    touchedSessions: [UInt64]
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
    self.sum = sum
    self.sumOfSquares = sumOfSquares
    self.touchedSessions = touchedSessions
  }

  /// For each block, row-major: the mean count of a session; 0 without sessions.
  public var means: [Double] { values(.mean) }

  /// Returns the displayed value of each block, row-major; 0 if there are no sessions or no time to
  /// divide by.
  public func values(_ value: GridValue) -> [Double] {
    let divisor =
      switch value {
      case .sum: 1.0
      case .mean: Double(sessions)
      case .rate: Double(shownMilliseconds) / 60_000
      }
    return sum.map { divisor == 0 ? 0 : Double($0) / divisor }
  }
}

/// How the displayed value of a block follows from its counts.
public enum GridValue: String, CaseIterable, Sendable {
  /// The mean of the sessions: `sum / sessions`.
  case mean
  /// The sum over all sessions.
  case sum
  /// The sum divided by the minutes that the screen was shown.
  case rate
}
