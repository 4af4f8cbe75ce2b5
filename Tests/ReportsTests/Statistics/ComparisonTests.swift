import TestSupport
import Testing

@testable import Reports

@Suite struct ComparisonTests {
  /// The expected values come from `scipy.stats.false_discovery_control`, SciPy 1.17.
  @Test func `Q values equal SciPy's`() {
    let p = [
      0.0001, 0.03, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
      0.5719, 0.6528, 0.7590, 1.0,
    ]
    let expected = [
      0.0016, 0.06, 0.0032, 0.010133333333333333, 0.038, 0.06, 0.06, 0.06, 0.06115555555555555,
      0.07344, 0.4712727272727273, 0.5682666666666667, 0.7038769230769231, 0.7460571428571429,
      0.8096, 1.0,
    ]
    for (q, value) in zip(FalseDiscoveryRate.qValues(p), expected) {
      #expect(abs(q - value) < 1e-15)
    }
    #expect(FalseDiscoveryRate.qValues([]) == [])
  }

  /// A fifth of the accepted findings by chance is for merged cells, however many they are.
  @Test func `Many merged cells cost blocks little`() {
    let quiet = Sample(count: 20, sum: 0, sumOfSquares: 0)
    let many = Sample(count: 20, sum: 20, sumOfSquares: 40)
    let found = Comparison.Block(a: quiet, b: many, touchedSessions: 10, isMasked: false)
    let same = Comparison.Block(a: many, b: many, touchedSessions: 20, isMasked: false)
    let alone = Comparison([found], level: 0.05)
    for count in [1, 10, 1000] {
      let merged = Array(repeating: same, count: count)
      let comparison = Comparison([found], merged: merged, level: 0.05)
      #expect(comparison.compared == count + 1)
      #expect(abs((comparison.findings[0].q ?? 1) / (alone.findings[0].q ?? 1) - 1.25) < 1e-9)
      // The other way round, merged cells pay for their smaller part, and not for the number of
      // blocks.
      let cell = Comparison(merged, merged: [found], level: 0.05)
      #expect(abs((cell.findings[count].q ?? 1) / (alone.findings[0].q ?? 1) - 5) < 1e-9)
    }
  }

  /// Compares with the step-up procedure as its authors define it: with the largest k for which the
  /// k-th smallest p is at most k/m α, the k smallest p values are discoveries.
  @Test func `Q values decide like the step-up procedure`() {
    var generator = SeededGenerator(seed: 12)
    for _ in 0..<300 {
      let p = (0..<Int.random(in: 1...60, using: &generator)).map { _ in
        let uniform = Double.random(in: 0...1, using: &generator)
        return uniform * uniform * uniform
      }
      let sorted = p.sorted()
      let last = sorted.indices.last { sorted[$0] <= 0.05 * Double($0 + 1) / Double(p.count) }
      let discoveries = FalseDiscoveryRate.qValues(p).filter { $0 <= 0.05 }.count
      #expect(discoveries == last.map { $0 + 1 } ?? 0)
    }
  }

  @Test func `Masked, untouched and rarely touched blocks are not compared`() {
    let quiet = Sample(count: 20, sum: 0, sumOfSquares: 0)
    let some = Sample(count: 20, sum: 9, sumOfSquares: 9)
    let many = Sample(count: 20, sum: 20, sumOfSquares: 40)
    let ones = Sample(count: 20, sum: 20, sumOfSquares: 20)
    let twos = Sample(count: 20, sum: 40, sumOfSquares: 80)
    func block(_ a: Sample, _ b: Sample, _ touched: UInt64, masked: Bool = false)
      -> Comparison.Block
    {
      Comparison.Block(a: a, b: b, touchedSessions: touched, isMasked: masked)
    }
    let comparison = Comparison(
      [
        block(quiet, many, 10), block(many, quiet, 10), block(many, many, 20),
        block(quiet, some, 9), block(quiet, quiet, 0), block(quiet, many, 10, masked: true),
        block(ones, twos, 40), block(ones, ones, 40),
      ], level: 0.05)
    #expect(
      comparison.findings.map(\.verdict) == [
        .more, .less, .unclear, .tooFew, .untouched, .masked, .unclear, .unclear,
      ])
    #expect(comparison.compared == 5)
    #expect(
      comparison.findings.map { $0.q != nil } == [
        true, true, true, false, false, false, true, true,
      ])
    // On each side, all sessions have the same count. Without any variance there is no test,
    // although the means differ.
    #expect(comparison.findings[6].test == nil && comparison.findings[6].p == 1)
    #expect(comparison.count(.unclear) == 3)
  }

  @Test func `One session on a side is too few`() {
    let one = Sample(count: 1, sum: 30, sumOfSquares: 900)
    let many = Sample(count: 20, sum: 20, sumOfSquares: 40)
    let comparison = Comparison(
      [Comparison.Block(a: one, b: many, touchedSessions: 11, isMasked: false)], level: 0.05)
    #expect(comparison.findings[0].verdict == .tooFew && comparison.compared == 0)
    #expect(comparison.detectable == nil)
  }
}
