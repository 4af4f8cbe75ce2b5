/// The counts of a set of sessions in one block, reduced to the sums that means and variances need.
public struct Sample: Hashable, Sendable {
  /// The number of sessions, including those that did not touch the block.
  public var count: UInt64
  /// The sum of the sessions' counts.
  public var sum: UInt64
  /// The sum of the squares of the sessions' counts.
  public var sumOfSquares: UInt128

  public init(count: UInt64, sum: UInt64, sumOfSquares: UInt128) {
    self.count = count
    self.sum = sum
    self.sumOfSquares = sumOfSquares
  }

  /// The mean count; 0 without sessions.
  public var mean: Double { count == 0 ? 0 : Double(sum) / Double(count) }

  /// The sample variance, with the divisor n - 1; nil for fewer than two sessions.
  ///
  /// n Σx² - (Σx)² is computed in integers. In floating point, the subtraction of two large numbers
  /// would lose most digits.
  public var variance: Double? {
    guard count > 1 else { return nil }
    let size = UInt128(count)
    let squares = Wide(size, times: sumOfSquares) - Wide(UInt128(sum), times: UInt128(sum))
    return squares.double / (Double(size) * Double(size - 1))
  }
}

/// An unsigned integer of 256 bits.
private struct Wide {
  private var high: UInt128 = 0
  private var low: UInt128 = 0

  init() {}

  init(_ one: UInt128, times other: UInt128) {
    (high, low) = one.multipliedFullWidth(by: other)
  }

  var double: Double { Double(high) * 0x1p128 + Double(low) }

  /// Returns the difference; 0 if `other` is larger, which only rounded input can cause.
  static func - (one: Wide, other: Wide) -> Wide {
    guard (one.high, one.low) > (other.high, other.low) else { return Wide() }
    var result = Wide()
    let (low, borrows) = one.low.subtractingReportingOverflow(other.low)
    result.low = low
    result.high = one.high - other.high - (borrows ? 1 : 0)
    return result
  }
}
