import Glibc

extension SeededGenerator {
  /// Returns a number between 0 and 1, both excluded.
  public mutating func uniform() -> Double { (Double(next() >> 12) + 0.5) * 0x1p-52 }

  /// Draws from a gamma distribution with scale 1. Source: G. Marsaglia and W. W. Tsang, "A simple
  /// method for generating gamma variables", 2000.
  public mutating func gamma(_ shape: Double) -> Double {
    if shape < 1 { return gamma(shape + 1) * pow(uniform(), 1 / shape) }
    let d = shape - 1.0 / 3
    let c = 1 / (9 * d).squareRoot()
    while true {
      let normal = (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform())
      let v = (1 + c * normal) * (1 + c * normal) * (1 + c * normal)
      guard v > 0 else { continue }
      if log(uniform()) < 0.5 * normal * normal + d - d * v + d * log(v) { return d * v }
    }
  }

  /// Draws from a Poisson distribution, by counting how many exponential waiting times fit into
  /// `mean`.
  public mutating func poisson(_ mean: Double) -> UInt64 {
    var count: UInt64 = 0
    var time = -log(uniform())
    while time < mean {
      count += 1
      time -= log(uniform())
    }
    return count
  }
}
