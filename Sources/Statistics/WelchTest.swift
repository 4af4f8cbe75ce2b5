import Glibc

/// Whether the mean count of two sets of sessions, A and B, differs by more than chance: B. L. Welch, "The
/// generalization of 'Student's' problem when several different population variances are involved",
/// Biometrika 34, 1947; degrees of freedom after Satterthwaite.
///
/// The standard error is Welch's, but never smaller than that of the classical t test, which takes the variance
/// within the sides as one. Welch's alone trusts what a small side shows of its own variance. Where
/// a block is touched by few, a small side that happens not to touch it seems certain of its 0, and most of
/// what is then found is chance (`docs/statistics.md` has the figures). With as many sessions on both sides
/// the two are the same number. Satterthwaite's degrees of freedom serve both: they are never more than the
/// classical n_A + n_B - 2, and nothing jumps where the larger one changes.
public struct WelchTest: Hashable, Sendable {
  /// The mean of B minus that of A.
  public let difference: Double
  /// Of the difference: the larger of Welch's and the classical one, of the pooled variance. Above 0.
  public let standardError: Double
  /// By Welch alone; 0 where neither side varies.
  public let welchStandardError: Double
  /// By Satterthwaite; from the smaller n - 1 to both together.
  public let degreesOfFreedom: Double

  /// - Returns: nil where there is nothing to test with: fewer than two sessions on a side, or no
  ///   variance on both.
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
    // By parts, as squares of tiny variances would vanish.
    let (partA, partB) = (shareA / squared, shareB / squared)
    degreesOfFreedom = 1 / (partA * partA / (countA - 1) + partB * partB / (countB - 1))
  }

  /// In whole numbers up to the division: two large means may differ by little.
  private static func difference(_ a: Sample, _ b: Sample) -> Double {
    let ofB = UInt128(b.sum) * UInt128(a.count)
    let ofA = UInt128(a.sum) * UInt128(b.count)
    let size = Double(ofB > ofA ? ofB - ofA : ofA - ofB) / (Double(a.count) * Double(b.count))
    return ofB > ofA ? size : -size
  }

  private var distribution: StudentT { StudentT(degreesOfFreedom: degreesOfFreedom) }

  /// Two-sided: how often chance alone would show such a difference or a larger one.
  public var p: Double { distribution.twoSidedP(difference / standardError) }

  /// By Welch's standard error alone, as other programs give it.
  public var welchP: Double { distribution.twoSidedP(difference / welchStandardError) }

  /// Where the true difference lies, as far as these sessions tell, for this block by itself.
  /// - Parameter confidence: 0..<1, such as 0.95.
  public func interval(confidence: Double) -> ClosedRange<Double> {
    let reach = distribution.critical(twoSidedP: 1 - confidence) * standardError
    return difference - reach...difference + reach
  }

  /// The difference that would be found four times out of five where only p up to a bound counts.
  public func detectable(p: Double) -> Double {
    // 0.8416 is the normal distribution's upper fifth.
    (distribution.critical(twoSidedP: p) + 0.841_621_233_572_914_3) * standardError
  }
}
