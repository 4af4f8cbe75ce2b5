import Glibc

/// Tests whether the mean counts of two sets of sessions, A and B, differ by more than chance: B.
/// L. Welch, "The generalization of 'Student's' problem when several different population variances
/// are involved", Biometrika 34, 1947; degrees of freedom after Satterthwaite.
///
/// The standard error is Welch's, but at least that of the classical t test, which pools the
/// variance within the sides. Welch's alone trusts the accidental variance of a small side. If few
/// sessions touch a block and none of them is on the small side, that side has a mean of 0 without
/// any variance, which looks certain. Most discoveries would then be due to chance
/// (`docs/statistics.md` has the figures). With equally many sessions on both sides the two
/// standard errors are equal. Satterthwaite's degrees of freedom are used for both. They never
/// exceed the classical n_A + n_B - 2, and the result does not jump where the larger standard error
/// changes.
public struct WelchTest: Hashable, Sendable {
  /// The mean of B minus the mean of A.
  public let difference: Double
  /// The standard error of the difference: the larger of Welch's and the classical one with pooled
  /// variance. Above 0.
  public let standardError: Double
  /// Welch's standard error alone. Above 0.
  public let welchStandardError: Double
  /// The degrees of freedom after Satterthwaite: at least the smaller n - 1, at most n_A + n_B - 2.
  public let degreesOfFreedom: Double

  /// Tests two samples.
  /// - Returns: nil if a side has fewer than two sessions, or if neither side has any variance.
  public init?(_ a: Sample, _ b: Sample) {
    guard let varianceA = a.variance, let varianceB = b.variance else { return nil }
    let (countA, countB) = (Double(a.count), Double(b.count))
    let (shareA, shareB) = (varianceA / countA, varianceB / countB)
    let squared = shareA + shareB
    guard squared > 0 else { return nil }
    difference = Self.difference(a, b)
    welchStandardError = squared.squareRoot()
    let pooled =
      (varianceA * (countA - 1) + varianceB * (countB - 1)) / (countA + countB - 2)
    standardError = max(squared, pooled * (1 / countA + 1 / countB)).squareRoot()
    // Computed from the shares of the sum, because the squares of tiny variances would be rounded
    // to 0.
    let (partA, partB) = (shareA / squared, shareB / squared)
    degreesOfFreedom = 1 / (partA * partA / (countA - 1) + partB * partB / (countB - 1))
  }

  /// Returns the difference of the means. Its numerator is computed in integers, because two large
  /// means may differ by little.
  private static func difference(_ a: Sample, _ b: Sample) -> Double {
    let ofB = UInt128(b.sum) * UInt128(a.count)
    let ofA = UInt128(a.sum) * UInt128(b.count)
    let size = Double(ofB > ofA ? ofB - ofA : ofA - ofB) / (Double(a.count) * Double(b.count))
    return ofB > ofA ? size : -size
  }

  private var distribution: StudentT { StudentT(degreesOfFreedom: degreesOfFreedom) }

  /// The two-sided p value: the probability that chance alone shows a difference at least as large.
  public var p: Double { distribution.twoSidedP(difference / standardError) }

  /// The p value with Welch's standard error alone, as other programs give it.
  public var welchP: Double { distribution.twoSidedP(difference / welchStandardError) }

  /// Returns the confidence interval of the difference for this block alone.
  /// - Parameter confidence: 0..<1, such as 0.95.
  public func interval(confidence: Double) -> ClosedRange<Double> {
    let reach = distribution.critical(twoSidedP: 1 - confidence) * standardError
    return difference - reach...difference + reach
  }

  /// Returns the difference of means that the test would find with a probability of 80 %, if p
  /// values up to `p` count as findings.
  public func detectable(p: Double) -> Double {
    // 0.8416 is the 80 % quantile of the normal distribution.
    (distribution.critical(twoSidedP: p) + 0.841_621_233_572_914_3) * standardError
  }
}
