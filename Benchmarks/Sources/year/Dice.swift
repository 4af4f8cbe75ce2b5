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

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

  /// Round 0, most within `spread` of it: the sum of three dice.
  mutating func scatter(_ spread: Double) -> Double {
    (0..<3).reduce(0) { sum, _ in sum + Double.random(in: -spread...spread, using: &self) } / 1.7
  }
}
