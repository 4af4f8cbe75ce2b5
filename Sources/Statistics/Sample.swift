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
  ///
  /// n Σx² - (Σx)² is taken in whole numbers: as floating point it is the difference of two large ones.
  public var variance: Double? {
    guard count > 1 else { return nil }
    let size = UInt128(count)
    let squares = Wide(size, times: sumOfSquares) - Wide(UInt128(sum), times: UInt128(sum))
    return squares.double / (Double(size) * Double(size - 1))
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
