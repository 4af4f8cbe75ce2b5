import Glibc
import Testing

@testable import Reports

/// Simulates how many findings are due to chance, how many real differences are found, and how many
/// intervals contain the true difference. With `TOUCHGRID_SIMULATIONS=2000`, the simulations print
/// the figures of `docs/statistics.md`.
///
/// Seeds are fixed, and each bound is close to the result of 2,000 repetitions. A rule that finds
/// more differences due to chance, or fewer real ones, fails.
@Suite struct SimulationTests {
  struct Scenario: Sendable, CustomTestStringConvertible {
    var name: String
    var simulation: ComparisonSimulation
    /// The largest allowed share of findings that are due to chance, 0...1.
    var mostFalse: Double
    /// The number of repetitions, unless `TOUCHGRID_SIMULATIONS` is set.
    var repetitions = 50
    /// The expected share of real differences that are found, 0...1.
    var power = 0.0...0.0

    var testDescription: String { name }
  }

  /// The number of repetitions in `TOUCHGRID_SIMULATIONS`; nil if that is not set.
  private static let asked =
    unsafe getenv("TOUCHGRID_SIMULATIONS").flatMap { unsafe Int(String(cString: $0)) }

  @Test(arguments: [
    Scenario(
      name: "no difference",
      simulation: ComparisonSimulation(sessionsA: 200, sessionsB: 200), mostFalse: 0.021),
    Scenario(
      name: "no difference, few sessions",
      simulation: ComparisonSimulation(sessionsA: 20, sessionsB: 20), mostFalse: 0.03,
      repetitions: 200),
    Scenario(
      name: "no difference, five a side",
      simulation: ComparisonSimulation(sessionsA: 5, sessionsB: 5), mostFalse: 0),
    Scenario(
      name: "no difference, a small side",
      simulation: ComparisonSimulation(sessionsA: 400, sessionsB: 20), mostFalse: 0),
    Scenario(
      name: "no difference, a small side, people differ more",
      simulation: ComparisonSimulation(sessionsA: 400, sessionsB: 20, shapeA: 0.3, shapeB: 0.3),
      mostFalse: 0),
    Scenario(
      name: "other people, unequal sides",
      simulation: ComparisonSimulation(sessionsA: 200, sessionsB: 60, shapeA: 3, shapeB: 0.5),
      mostFalse: 0.002),
    Scenario(
      name: "20 blocks three times as often",
      simulation: ComparisonSimulation(sessionsA: 300, sessionsB: 300, planted: 20, factor: 3),
      mostFalse: 0.03, power: 0.36...0.42),
    Scenario(
      name: "20 blocks never again",
      simulation: ComparisonSimulation(sessionsA: 300, sessionsB: 300, planted: 20, factor: 0),
      mostFalse: 0.03, power: 0.38...0.46),
    Scenario(
      name: "20 blocks three times as often, unequal sides",
      simulation: ComparisonSimulation(sessionsA: 400, sessionsB: 100, planted: 20, factor: 3),
      mostFalse: 0.005, power: 0.045...0.07),
    Scenario(
      name: "20 blocks never again, unequal sides",
      simulation: ComparisonSimulation(sessionsA: 400, sessionsB: 100, planted: 20, factor: 0),
      mostFalse: 0.005, power: 0.03...0.06),
    Scenario(
      name: "2 buttons three times as often",
      simulation: ComparisonSimulation(
        sessionsA: 60, sessionsB: 60, planted: 2, factor: 3, plantsButtons: true),
      mostFalse: 0.03, power: 0.18...0.26),
    Scenario(
      name: "2 buttons three times as often, few sessions",
      simulation: ComparisonSimulation(
        sessionsA: 30, sessionsB: 30, planted: 2, factor: 3, plantsButtons: true),
      mostFalse: 0.05, power: 0.08...0.14),
    Scenario(
      name: "2 buttons never again",
      simulation: ComparisonSimulation(
        sessionsA: 60, sessionsB: 60, planted: 2, factor: 0, plantsButtons: true),
      mostFalse: 0.03, power: 0.25...0.36),
  ])
  func `At most one finding in twenty is due to chance`(_ scenario: Scenario) {
    let outcome = scenario.simulation.play(repetitions: Self.asked ?? scenario.repetitions)
    #expect(outcome.falseDiscoveries <= scenario.mostFalse)
    #expect(scenario.power.contains(outcome.power))
    // Squares may cost the other findings little.
    #expect(outcome.power >= 0.85 * outcome.powerAlone)
    if Self.asked != nil { print(Self.line(scenario, outcome)) }
  }

  /// Shows why the standard error is at least the pooled one, and that the other simulations can
  /// fail.
  @Test func `With Welch's standard error alone, most findings would be due to chance`() {
    let small = ComparisonSimulation(sessionsA: 400, sessionsB: 20)
    let outcome = small.play(repetitions: 10)
    #expect(outcome.falseByWelch > 0.9)
    #expect(outcome.falseDiscoveries == 0)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var simulation: IntervalSimulation
    /// The expected share of intervals that contain the true difference.
    var coverage: ClosedRange<Double>
    /// The expected average width of the intervals, relative to that with Welch's standard error.
    var width: ClosedRange<Double>

    init(
      _ sessionsA: Int, _ sessionsB: Int, means: (Double, Double), shape: Double? = nil,
      coverage: ClosedRange<Double>, width: ClosedRange<Double> = 0.999...1.001
    ) {
      simulation = IntervalSimulation(
        sessionsA: sessionsA, sessionsB: sessionsB, meanA: means.0, meanB: means.1, shape: shape)
      (self.coverage, self.width) = (coverage, width)
    }

    var testDescription: String {
      "\(simulation.shape == nil ? "Poisson" : "negative binomial"), \(simulation.sessionsA) and "
        + "\(simulation.sessionsB) sessions, means \(simulation.meanA) and \(simulation.meanB)"
    }
  }

  @Test(arguments: [
    Case(20, 20, means: (1, 6), coverage: 0.925...0.97),
    Case(200, 200, means: (1, 6), coverage: 0.925...0.97),
    Case(20, 20, means: (1, 6), shape: 1, coverage: 0.89...0.95),
    Case(200, 200, means: (1, 6), shape: 1, coverage: 0.925...0.975),
    Case(200, 200, means: (0.1, 0.1), shape: 1, coverage: 0.925...0.975),
    Case(400, 100, means: (1, 6), coverage: 0.925...0.975, width: 0.999...1.01),
    Case(400, 100, means: (1, 6), shape: 1, coverage: 0.915...0.965, width: 0.999...1.01),
    Case(400, 100, means: (6, 1), coverage: 0.985...1, width: 1.5...1.65),
    Case(400, 100, means: (6, 1), shape: 1, coverage: 0.985...1, width: 1.7...2),
    Case(400, 20, means: (0.05, 0.05), shape: 1, coverage: 0.985...1, width: 1.2...1.5),
  ])
  func `Intervals contain the true difference in about 95 % of cases or more`(_ test: Case) {
    let outcome = test.simulation.play(repetitions: Self.asked ?? 500)
    #expect(test.coverage.contains(outcome.coverage))
    #expect(test.width.contains(outcome.width))
    if Self.asked != nil { print(Self.line(test, outcome)) }
  }

  private static func line(
    _ scenario: Scenario, _ outcome: ComparisonSimulation.Outcome
  ) -> String {
    let simulation = scenario.simulation
    return "| \(scenario.name) | \(simulation.sessionsA) | \(simulation.sessionsB) | "
      + "\(Int(outcome.compared.rounded())) | \(Int(outcome.merged.rounded())) | "
      + "\(percent(outcome.falseDiscoveries)) ± "
      + "\(percent(outcome.error)) | \(percent(outcome.falseByWelch)) | "
      + (simulation.planted > 0
        ? "\(percent(outcome.power)) | \(percent(outcome.powerAlone)) |" : "– | – |")
  }

  private static func line(_ test: Case, _ outcome: IntervalSimulation.Outcome) -> String {
    let simulation = test.simulation
    return "| \(simulation.shape == nil ? "Poisson" : "negative binomial") | "
      + "\(simulation.sessionsA) | \(simulation.sessionsB) | \(simulation.meanA) | "
      + "\(simulation.meanB) | \(percent(outcome.coverage)) | "
      + "\(percent(outcome.welchCoverage)) | \((outcome.width * 100).rounded() / 100) |"
  }

  private static func percent(_ part: Double) -> String {
    let tenths = Int((part * 1000).rounded())
    return "\(tenths / 10).\(tenths % 10) %"
  }
}
