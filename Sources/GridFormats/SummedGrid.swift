public import TouchModel

/// One layer of one screen on one geometry, added up over sessions: what every format is made of.
public struct SummedGrid: Hashable, Sendable {
  public var key: GridKey
  public var layer: Layer
  /// Sessions that showed the screen: what a mean divides by.
  public var sessions: UInt64
  /// Touches counted on the screen.
  public var touches: UInt64
  /// For each block, row-major: the sum over the sessions.
  public var sum: [UInt64]
  /// For each block: the sum of the squares of the sessions' counts.
  public var sumOfSquares: [UInt128]

  /// - Precondition: as many sums and squares as the geometry has blocks.
  public init(
    key: GridKey, layer: Layer, sessions: UInt64, touches: UInt64, sum: [UInt64],
    sumOfSquares: [UInt128]
  ) {
    let blocks = key.geometry.columns * key.geometry.rows
    precondition(sum.count == blocks && sumOfSquares.count == blocks)
    self.key = key
    self.layer = layer
    self.sessions = sessions
    self.touches = touches
    self.sum = sum
    self.sumOfSquares = sumOfSquares
  }

  /// For each block, row-major: the mean count of a session; 0 without sessions.
  public var means: [Double] {
    sum.map { sessions == 0 ? 0 : Double($0) / Double(sessions) }
  }
}
