/// Corrects for multiple tests: Y. Benjamini and Y. Hochberg, "Controlling the false discovery
/// rate", Journal of the Royal Statistical Society B 57, 1995; with weights: C. R. Genovese,
/// K. Roeder and L. Wasserman, "False discovery control with p-value weighting", Biometrika 93,
/// 2006.
public enum FalseDiscoveryRate {
  /// Returns the q value of each p value, in the same order: the lowest level at which the step-up
  /// procedure would call it a discovery. Among all results with q up to 0.05, at most one in
  /// twenty is due to chance, on average over many families.
  /// - Parameters:
  ///   - p: the p values of all hypotheses of the family, 0...1, in any order.
  ///   - weights: the importance of each of them, above 0, with an average of 1. They must not
  ///     depend on the p values. nil if all are equally important.
  public static func qValues(_ p: [Double], weights: [Double]? = nil) -> [Double] {
    let p = weights.map { zip(p, $0).map { $0 / $1 } } ?? p
    let order = p.indices.sorted { p[$0] < p[$1] }
    var result = p
    var least = 1.0
    for (rank, index) in zip(1..., order).reversed() {
      least = min(least, p[index] * Double(p.count) / Double(rank))
      result[index] = least
    }
    return result
  }
}
