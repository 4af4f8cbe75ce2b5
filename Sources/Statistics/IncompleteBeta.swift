import Glibc

/// The regularised incomplete beta function I_x(a, b) where a or b is 1/2, as Student's t needs it.
///
/// Its continued fraction, by the modified method of Lentz, on the side where it converges fast. Of the
/// fraction's forms it is the one of A. R. Didonato and A. H. Morris, "Significant digit computation of the
/// incomplete beta function ratios", ACM Transactions on Mathematical Software 18, 1992 (BFRAC): it is told x and
/// 1 - x, and loses no digits where one of them is tiny, as with a million degrees of freedom.
enum IncompleteBeta {
  /// I_x(a, 1/2) with x = 1 - y, both given since either may be tiny: 0...1.
  /// - Parameters: `a`: above 0. `x`, `y`: 0...1.
  static func withHalf(a: Double, x: Double, y: Double) -> Double {
    guard y > 0 else { return 1 }
    guard x > 0 else { return 0 }
    let logX = x < 0.5 ? log(x) : log1p(-y)
    let front = exp(a * logX + logInverseBeta(a) + 0.5 * log(y))
    return a * y > 0.5 * x
      ? min(1, front / fraction(a, 0.5, x, y)) : max(0, 1 - front / fraction(0.5, a, y, x))
  }

  /// -ln B(a, 1/2) = ln Γ(a + 1/2) - ln Γ(a) - ln √π.
  static func logInverseBeta(_ a: Double) -> Double {
    let halfLogPi = 0.572_364_942_924_700_1
    guard a > 30 else { return lgamma(a + 0.5) - lgamma(a) - halfLogPi }
    // F. Tricomi and A. Erdélyi, "The asymptotic expansion of a ratio of gamma functions", 1951: the
    // difference of the two would lose seven digits at a million.
    let inverse = 1 / a
    let square = inverse * inverse
    let coefficients: [Double] = [
      691.0 / 180_224, 31.0 / 18_432, 17.0 / 14_336, 1.0 / 640, 1.0 / 192, 1.0 / 8,
    ]
    let series = coefficients.reduce(0.0) { (sum: Double, each: Double) in each - square * sum }
    return 0.5 * log(a) - inverse * series - halfLogPi
  }

  /// x^a y^b / (B(a, b) I_x(a, b)), for x up to a / (a + b).
  private static func fraction(_ a: Double, _ b: Double, _ x: Double, _ y: Double) -> Double {
    let tiny = 1e-300
    func apart(_ value: Double) -> Double { abs(value) < tiny ? tiny : value }
    func beta(_ n: Double) -> Double {
      n + n * (b - n) * x / (a + 2 * n - 1)
        + (a + n) * (a * y - b * x + 1 + n * (1 + y)) / (a + 2 * n + 1)
    }
    // Without `n / (a - 1)`, which is 0 / 0 for a of 1.
    var result = apart(a * (a * y - b * x + 1) / (a + 1))
    var c = result
    var d = 0.0
    // Converges within some √max(a, b) steps.
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
