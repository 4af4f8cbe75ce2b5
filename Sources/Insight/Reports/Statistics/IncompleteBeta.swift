import Glibc

/// The regularised incomplete beta function I_x(a, b) with a or b equal to 1/2, as Student's t
/// needs it.
///
/// It evaluates the continued fraction with the modified method of Lentz, on the side where the
/// fraction converges fast. The fraction is BFRAC of A. R. Didonato and A. H. Morris, "Significant
/// digit computation of the incomplete beta function ratios", ACM Transactions on Mathematical
/// Software 18, 1992. It uses both x and 1 - x, and so loses no digits if one of them is tiny, as
/// with a million degrees of freedom.
enum IncompleteBeta {
  /// Returns I_x(a, 1/2) with x = 1 - y: 0...1. The caller gives both x and y, because either may
  /// be tiny.
  /// - Parameters: `a` is above 0; `x` and `y` are 0...1.
  static func withHalf(a: Double, x: Double, y: Double) -> Double {
    guard y > 0 else { return 1 }
    guard x > 0 else { return 0 }
    let logX = x < 0.5 ? log(x) : log1p(-y)
    let front = exp(a * logX + logInverseBeta(a) + 0.5 * log(y))
    return a * y > 0.5 * x
      ? min(1, front / fraction(a, 0.5, x, y)) : max(0, 1 - front / fraction(0.5, a, y, x))
  }

  /// Returns -ln B(a, 1/2) = ln Γ(a + 1/2) - ln Γ(a) - ln √π.
  static func logInverseBeta(_ a: Double) -> Double {
    let halfLogPi = 0.572_364_942_924_700_1
    guard a > 30 else { return lgamma(a + 0.5) - lgamma(a) - halfLogPi }
    // F. Tricomi and A. Erdélyi, "The asymptotic expansion of a ratio of gamma functions", 1951.
    // The difference of the two logarithms would lose seven digits at a = 1,000,000.
    let inverse = 1 / a
    let square = inverse * inverse
    let coefficients: [Double] = [
      691.0 / 180_224, 31.0 / 18_432, 17.0 / 14_336, 1.0 / 640, 1.0 / 192, 1.0 / 8,
    ]
    let series = coefficients.reduce(0.0) { (sum: Double, each: Double) in each - square * sum }
    return 0.5 * log(a) - inverse * series - halfLogPi
  }

  /// Returns x^a y^b / (B(a, b) I_x(a, b)), for x up to a / (a + b).
  private static func fraction(_ a: Double, _ b: Double, _ x: Double, _ y: Double) -> Double {
    let tiny = 1e-300
    func apart(_ value: Double) -> Double { abs(value) < tiny ? tiny : value }
    func beta(_ n: Double) -> Double {
      n + n * (b - n) * x / (a + 2 * n - 1)
        + (a + n) * (a * y - b * x + 1 + n * (1 + y)) / (a + 2 * n + 1)
    }
    // This is `beta(0)` without its second term, which has the factor n = 0 but is 0 / 0 for a = 1.
    var result = apart(a * (a * y - b * x + 1) / (a + 1))
    var c = result
    var d = 0.0
    // The fraction converges within about √max(a, b) steps.
    for step in 1...100_000 {
      let n = Double(step)
      let span = a + 2 * n - 1
      let alpha = (a + n - 1) * (a + b + n - 1) * n * (b - n) * x * x / (span * span)
      let next = beta(n)
      d = 1 / apart(next + alpha * d)
      c = apart(next + alpha / c)
      result *= c * d
      if abs(c * d - 1) < 1e-16 { break }
    }
    return result
  }
}
