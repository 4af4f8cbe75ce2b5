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

  /// Returns a value near 0, mostly within `spread`: the scaled sum of three uniform numbers.
  mutating func scatter(_ spread: Double) -> Double {
    (0..<3).reduce(0) { sum, _ in sum + Double.random(in: -spread...spread, using: &self) } / 1.7
  }
}
