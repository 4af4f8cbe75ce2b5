/// What is left of a set of sessions' counts in one block: enough for means and variances.
public struct Sample: Hashable, Sendable {
  /// Sessions, those that did not touch the block included.
  public var count: UInt64
  /// Of their counts.
  public var sum: UInt64
  /// Of the squares of their counts.
  public var sumOfSquares: UInt128

  public init(count: UInt64, sum: UInt64, sumOfSquares: UInt128) {
    self.count = count
    self.sum = sum
    self.sumOfSquares = sumOfSquares
  }

  /// 0 without sessions.
  public var mean: Double { count == 0 ? 0 : Double(sum) / Double(count) }

  /// With n - 1, an estimate for sessions to come; nil for fewer than two sessions.
  public var variance: Double? { Self.variance([self]) }

  /// The variance of all sessions of some samples about their common mean; nil for fewer than two.
  ///
  /// n Σx² - (Σx)² is taken in whole numbers: as floating point it is the difference of two large ones.
  static func variance(_ samples: [Sample]) -> Double? {
    let count = samples.reduce(UInt128(0)) { $0 + UInt128($1.count) }
    guard count > 1 else { return nil }
    let sum = samples.reduce(UInt128(0)) { $0 + UInt128($1.sum) }
    let squares = samples.reduce(Wide()) { $0 + Wide(count, times: $1.sumOfSquares) }
    return (squares - Wide(sum, times: sum)).double / (Double(count) * Double(count - 1))
  }
}

/// A whole number of 256 bits.
private struct Wide {
  private var high: UInt128 = 0
  private var low: UInt128 = 0

  init() {}

  init(_ one: UInt128, times other: UInt128) {
    (high, low) = one.multipliedFullWidth(by: other)
  }

  var double: Double { Double(high) * 0x1p128 + Double(low) }

  static func + (one: Wide, other: Wide) -> Wide {
    var result = Wide()
    let (low, carries) = one.low.addingReportingOverflow(other.low)
    result.low = low
    result.high = one.high &+ other.high &+ (carries ? 1 : 0)
    return result
  }

  /// 0 where the other is larger: no sums of squares are so small, but those that came as rounded numbers.
  static func - (one: Wide, other: Wide) -> Wide {
    guard (one.high, one.low) > (other.high, other.low) else { return Wide() }
    var result = Wide()
    let (low, borrows) = one.low.subtractingReportingOverflow(other.low)
    result.low = low
    result.high = one.high - other.high - (borrows ? 1 : 0)
    return result
  }
}
