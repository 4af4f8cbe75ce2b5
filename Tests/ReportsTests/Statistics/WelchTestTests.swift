import TestSupport
import Testing

@testable import Reports

@Suite struct WelchTestTests {
  /// The expected values come from `scipy.stats.ttest_ind(b, a, equal_var=False)`, SciPy 1.17, and
  /// its `confidence_interval(0.95)`.
  struct Reference: Sendable {
    /// The number of sessions, Σx, and Σx² of side A; likewise `b` for side B.
    var a: [UInt64]
    var b: [UInt64]
    var t: Double
    var df: Double
    var p: Double
    var low: Double
    var high: Double
    /// Whether Welch's standard error is the larger one, so that `WelchTest` uses it.
    var isWelchs: Bool
  }

  @Test(arguments: [
    Reference(
      a: [12, 5, 7], b: [30, 45, 135], t: 3.1968882975058506, df: 39.51708813815474,
      p: 0.0027330426973330314, low: 0.3981883071561787, high: 1.7684783595104878,
      isWelchs: false),
    Reference(
      a: [5, 35, 403], b: [5, 54, 896], t: 0.7832138655682443, df: 7.2194947814406625,
      p: 0.4584200069539772, low: -7.60236110081148, high: 15.202361100811482, isWelchs: true),
    Reference(
      a: [200, 18, 18], b: [40, 2, 2], t: -0.9909048220327259, df: 68.28218936591557,
      p: 0.3252305602691068, low: -0.12054535919604865, high: 0.040545359196048666,
      isWelchs: false),
    Reference(
      a: [3, 91, 4827], b: [1000, 24536, 1_257_184], t: -0.3120725884188579,
      df: 2.0076232626950974, p: 0.7844162298376772, low: -85.4370293230593,
      high: 73.84236265639265, isWelchs: true),
  ])
  func `Welch's test equals SciPy's`(_ expected: Reference) throws {
    let test = try #require(WelchTest(sample(expected.a), sample(expected.b)))
    #expect(abs(test.difference / test.welchStandardError / expected.t - 1) < 1e-12)
    #expect(abs(test.degreesOfFreedom / expected.df - 1) < 1e-12)
    #expect(abs(test.welchP / expected.p - 1) < 1e-11)
    #expect((test.standardError < test.welchStandardError * (1 + 1e-14)) == expected.isWelchs)
    let interval = test.interval(confidence: 0.95)
    if expected.isWelchs {
      #expect(abs(test.p - test.welchP) < 1e-14)
      #expect(abs(interval.lowerBound - expected.low) < 1e-11)
      #expect(abs(interval.upperBound - expected.high) < 1e-11)
    } else {
      #expect(test.p > test.welchP)
      #expect(interval.lowerBound < expected.low && expected.high < interval.upperBound)
    }
  }

  /// The expected values are computed by hand. A has 6 sessions, 3 of them with one touch each. B
  /// has 2 sessions without a touch. The variances are 0.3 and 0, with 5 and 1 degrees of freedom.
  @Test func `A small side without touches makes the standard error larger`() throws {
    let test = try #require(WelchTest(sample([6, 3, 3]), sample([2, 0, 0])))
    #expect(test.difference == -0.5)
    #expect(abs(test.welchStandardError * test.welchStandardError - 0.3 / 6) < 1e-15)
    #expect(abs(test.standardError * test.standardError - 0.3 * 5 / 6 * (1.0 / 6 + 0.5)) < 1e-15)
    #expect(test.degreesOfFreedom == 5)
  }

  @Test func `Exchanging the sides reverses the difference and keeps p`() throws {
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<300 {
      let a = counts(&generator)
      let b = counts(&generator)
      guard let test = WelchTest(sample(of: a), sample(of: b)) else {
        #expect(Set(a).count == 1 && Set(b).count == 1)
        continue
      }
      let other = try #require(WelchTest(sample(of: b), sample(of: a)))
      #expect(test.difference == -other.difference)
      #expect(abs(test.p - other.p) < 1e-14)
      // Ten times larger counts differ ten times as much, with the same certainty.
      let tenfold = try #require(
        WelchTest(sample(of: a.map { $0 * 10 }), sample(of: b.map { $0 * 10 })))
      #expect(abs(tenfold.difference - 10 * test.difference) <= 1e-12 * abs(tenfold.difference))
      #expect(abs(tenfold.p - test.p) < 1e-12)
      let least = Double(min(a.count, b.count) - 1)
      #expect(
        least * (1 - 1e-12)...Double(a.count + b.count - 2) * (1 + 1e-12)
          ~= test.degreesOfFreedom)
    }
  }

  /// In floating point, these variances would be lost in rounding.
  @Test func `Huge counts lose no precision`() throws {
    // Four sessions with 10^15 ms and 10^15 + 1 ms alternately have the variance 1/3.
    let large: UInt64 = 1_000_000_000_000_000
    let a = sample(of: [large, large + 1, large, large + 1])
    let b = sample(of: [large + 2, large + 3, large + 2, large + 3])
    #expect(abs((a.variance ?? 0) * 3 - 1) < 1e-15)
    let test = try #require(WelchTest(a, b))
    #expect(test.difference == 2)
    #expect(abs(test.welchStandardError - (1.0 / 6).squareRoot()) < 1e-15)
    // The sums are the largest of their type.
    let most = Sample(count: 2, sum: .max, sumOfSquares: .max)
    #expect(try #require(WelchTest(most, most)).difference == 0)
  }

  @Test func `Without variance or with too few sessions there is no test`() {
    #expect(WelchTest(sample(of: [2, 2, 2]), sample(of: [1, 1])) == nil)
    #expect(WelchTest(sample(of: [0, 0]), sample(of: [0, 0])) == nil)
    #expect(WelchTest(sample(of: [1]), sample(of: [0, 3, 4])) == nil)
    #expect(WelchTest(sample(of: []), sample(of: [0, 3, 4])) == nil)
    #expect(WelchTest(sample(of: [1, 1]), sample(of: [0, 3])) != nil)
    // A sum of squares below the possible minimum, as rounding may produce, gives no variance.
    #expect(Sample(count: 3, sum: 10, sumOfSquares: 33).variance == 0)
  }

  private func counts(_ generator: inout SeededGenerator) -> [UInt64] {
    (0..<Int.random(in: 2...40, using: &generator)).map { _ in
      UInt64.random(in: 0...3, using: &generator)
    }
  }

  private func sample(_ numbers: [UInt64]) -> Sample {
    Sample(count: numbers[0], sum: numbers[1], sumOfSquares: UInt128(numbers[2]))
  }

  private func sample(of counts: [UInt64]) -> Sample {
    Sample(
      count: UInt64(counts.count), sum: counts.reduce(0, +),
      sumOfSquares: counts.reduce(0) { $0 + UInt128($1) * UInt128($1) })
  }
}
