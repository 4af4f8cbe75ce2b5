public import TouchModel

/// One layer of one screen on one geometry, added up over sessions: what every format is made of.
public struct SummedGrid: Hashable, Sendable {
  public var key: GridKey
  public var layer: Layer
  /// Sessions that showed the screen: what a mean divides by.
  public var sessions: UInt64
  /// Days of the kiosk's calendar on which these sessions began.
  public var days: UInt64
  /// How long these sessions showed the screen, in sum.
  public var shownMilliseconds: UInt64
  /// Touches counted on the screen.
  public var touches: UInt64
  /// Where touches of one of these sessions, or more, were masked, in points of the display. No count there
  /// says nothing.
  public var masks: [Rectangle]
  /// For each block, row-major: the sum over the sessions.
  public var sum: [UInt64]
  /// For each block: the sum of the squares of the sessions' counts.
  public var sumOfSquares: [UInt128]
  /// For each block: how many sessions touched it.
  public var touchedSessions: [UInt64]

  /// - Precondition: as many sums, squares and touched sessions as the geometry has blocks.
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

  /// For each block, row-major: what is to be shown of it; 0 where there is nothing to divide by.
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

/// What is shown of a block.
public enum GridValue: String, CaseIterable, Sendable {
  /// Of a session: `sum / sessions`.
  case mean
  /// Over all sessions.
  case sum
  /// For each minute that the screen was shown.
  case rate
}
