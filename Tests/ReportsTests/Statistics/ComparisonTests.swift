import TestSupport
import Testing

@testable import Reports

@Suite struct ComparisonTests {
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
      let level = Double.random(in: 0.001...1, using: &generator)
      let last = sorted.indices.last { sorted[$0] <= level * Double($0 + 1) / Double(p.count) }
      let discoveries = FalseDiscoveryRate.qValues(p).filter { $0 <= level }.count
      #expect(discoveries == last.map { $0 + 1 } ?? 0)
    }
    #expect(FalseDiscoveryRate.qValues([]) == [])
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
