internal import Glibc

/// The normal distribution.
enum Normal {
  /// Returns the probability of a value below `z` standard deviations above the mean.
  static func below(_ z: Double) -> Double { erfc(-z / 2.0.squareRoot()) / 2 }

  /// Returns the probability of a value in a range.
  static func within(_ low: Double, _ high: Double, mean: Double, deviation: Double) -> Double {
    guard deviation > 0 else { return low <= mean && mean <= high ? 1 : 0 }
    return below((high - mean) / deviation) - below((low - mean) / deviation)
  }
}

/// A share of a whole with Wilson's score interval, which also holds for low counts and 0.
package struct Share: Hashable, Sendable {
  package let value: Double
  package let low: Double
  package let high: Double

  /// - Parameters:
  ///   - part: 0...`whole`.
  ///   - z: half the width of the interval, in standard errors; 1.96 for 95 %.
  package init(_ part: Double, of whole: Double, z: Double = 1.96) {
    guard whole > 0 else {
      (value, low, high) = (0, 0, 1)
      return
    }
    let share = min(1, max(0, part / whole))
    let square = z * z / whole
    let middle = (share + square / 2) / (1 + square)
    let half = z * (share * (1 - share) / whole + square / (4 * whole)).squareRoot() / (1 + square)
    value = share
    low = max(0, min(share, middle - half))
    high = min(1, max(share, middle + half))
  }

  init(_ value: Double, in interval: ClosedRange<Double>) {
    (self.value, low, high) = (value, interval.lowerBound, interval.upperBound)
  }
}
