import TestSupport

@testable import Reports

/// Draws counts of one block on two sides repeatedly, and measures how often the 95 % interval
/// contains the true difference, and how wide it is.
struct IntervalSimulation {
  var sessionsA: Int
  var sessionsB: Int
  var meanA: Double
  var meanB: Double
  /// The shape of the gamma distribution by which people differ, so that counts are negative
  /// binomial; nil for Poisson counts.
  var shape: Double?

  struct Outcome {
    /// The shares of cases, 0...1, in which the interval contains the true difference: that of
    /// `WelchTest`, and that with Welch's standard error alone.
    var coverage = 0.0
    var welchCoverage = 0.0
    /// The average width of the interval, relative to that with Welch's standard error alone.
    var width = 0.0
  }

  func play(repetitions: Int) -> Outcome {
    var generator = SeededGenerator(seed: UInt64(sessionsA * 1000 + sessionsB))
    var outcome = Outcome()
    var (reaches, welchReaches) = (0.0, 0.0)
    for _ in 0..<repetitions {
      let a = side(sessionsA, meanA, &generator)
      let b = side(sessionsB, meanB, &generator)
      // Without any variance there is no interval. The case then counts as one without the true
      // difference.
      guard let test = WelchTest(a, b) else { continue }
      let interval = test.interval(confidence: 0.95)
      let reach = test.difference - interval.lowerBound
      let welchReach = reach * test.welchStandardError / test.standardError
      outcome.coverage += interval.contains(meanB - meanA) ? 1 : 0
      outcome.welchCoverage += abs(test.difference - (meanB - meanA)) <= welchReach ? 1 : 0
      reaches += reach
      welchReaches += welchReach
    }
    outcome.coverage /= Double(repetitions)
    outcome.welchCoverage /= Double(repetitions)
    outcome.width = reaches / welchReaches
    return outcome
  }

  private func side(
    _ sessions: Int, _ mean: Double, _ generator: inout SeededGenerator
  ) -> Sample {
    var sample = Sample(count: UInt64(sessions), sum: 0, sumOfSquares: 0)
    for _ in 0..<sessions {
      let activity = shape.map { generator.gamma($0) / $0 } ?? 1
      let count = generator.poisson(mean * activity)
      sample.sum += count
      sample.sumOfSquares += UInt128(count) * UInt128(count)
    }
    return sample
  }
}
