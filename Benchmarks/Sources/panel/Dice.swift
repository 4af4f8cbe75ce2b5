import Foundation

/// Reproducible random numbers (SplitMix64, public domain, Sebastiano Vigna).
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// A number from 0 to below 1.
  mutating func share() -> Double { Double(next() >> 11) / 0x1p53 }

  mutating func chance(_ probability: Double) -> Bool { share() < probability }

  mutating func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * share() }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  /// A number of the normal distribution.
  mutating func normal(_ deviation: Double = 1) -> Double {
    deviation * (-2 * log(1 - share())).squareRoot() * cos(2 * .pi * share())
  }

  /// A number of Poisson's distribution.
  mutating func count(_ mean: Double) -> Int {
    guard mean < 50 else { return max(0, Int((mean + normal(mean.squareRoot())).rounded())) }
    let limit = exp(-mean)
    var (product, count) = (1 - share(), 0)
    while product > limit {
      product *= 1 - share()
      count += 1
    }
    return count
  }

  /// An index, with these weights.
  mutating func choose(_ weights: [Double]) -> Int {
    var left = share() * weights.reduce(0, +)
    for (index, weight) in weights.enumerated() {
      left -= weight
      if left < 0 { return index }
    }
    return weights.count - 1
  }
}
