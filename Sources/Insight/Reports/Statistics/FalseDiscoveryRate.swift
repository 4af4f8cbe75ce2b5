/// Corrects for multiple tests: Y. Benjamini and Y. Hochberg, "Controlling the false discovery
/// rate", Journal of the Royal Statistical Society B 57, 1995.
public enum FalseDiscoveryRate {
  /// Returns the q value of each p value, in the same order: the lowest level at which the step-up
  /// procedure would call it a discovery. Among all results with q up to 0.05, at most one in
  /// twenty is due to chance, on average over many families.
  /// - Parameter p: the p values of all hypotheses of the family, 0...1, in any order.
  public static func qValues(_ p: [Double]) -> [Double] {
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
