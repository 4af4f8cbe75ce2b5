import Glibc

/// Student's t distribution.
public struct StudentT: Hashable, Sendable {
  /// The degrees of freedom: any real number above 0.
  public let degreesOfFreedom: Double

  /// Creates the distribution.
  /// - Precondition: `degreesOfFreedom` is above 0 and finite.
  public init(degreesOfFreedom: Double) {
    precondition(degreesOfFreedom > 0 && degreesOfFreedom.isFinite)
    self.degreesOfFreedom = degreesOfFreedom
  }

  /// Returns the probability of a value at least as far from 0 as `t`, on either side: 0...1.
  /// Probabilities below about 1e-308 become 0.
  public func twoSidedP(_ t: Double) -> Double {
    guard t.isFinite else { return t.isNaN ? .nan : 0 }
    let square = t * t
    guard square.isFinite else { return 0 }
    let sum = degreesOfFreedom + square
    return IncompleteBeta.withHalf(
      a: degreesOfFreedom / 2, x: degreesOfFreedom / sum, y: square / sum)
  }

  /// Returns the value that |t| exceeds with the probability `p`: the inverse of `twoSidedP`.
  /// - Parameter p: 0...1; 0 gives infinity, and 1 gives 0.
  public func critical(twoSidedP p: Double) -> Double {
    guard p < 1 else { return 0 }
    guard p > 0 else { return .infinity }
    var (low, high) = (0.0, 1.0)
    while twoSidedP(high) > p {
      (low, high) = (high, high * 2)
      if high > 1e300 { return .infinity }
    }
    // Newton's method on ln p, which is nearly a parabola or a line. If a step leaves the bracket,
    // take the middle of the bracket.
    var t = (low + high) / 2
    for _ in 0..<200 {
      let value = twoSidedP(t)
      if value > p { low = t } else { high = t }
      let step = value > 0 ? log(value / p) * value / (2 * density(t)) : .nan
      var next = t + step
      if !(next > low && next < high) { next = (low + high) / 2 }
      if abs(next - t) <= 1e-15 * t { return next }
      t = next
    }
    return t
  }

  /// Returns the density at `t`.
  public func density(_ t: Double) -> Double {
    let half = degreesOfFreedom / 2
    return exp(
      IncompleteBeta.logInverseBeta(half) - 0.5 * log(degreesOfFreedom)
        - (half + 0.5) * log1p(t * t / degreesOfFreedom))
  }
}
