import Glibc
import TestSupport
import Testing

@testable import Statistics

/// How often what is found is chance, and how often what is there is found: the figures of
/// `docs/statistics.md`, from `TOUCHGRID_SIMULATIONS=2000`.
@Suite struct SimulationTests {
  struct Scenario: Sendable, CustomTestStringConvertible {
    var name: String
    var sessionsA: Int
    var sessionsB: Int
    /// How much people differ (`SimulatedKiosk`).
    var shapeA = 1.0
    var shapeB = 1.0
    /// How many of the 200 most touched blocks differ, and by which factor.
    var planted = 0
    var factor = 1.0
    /// What must be found of it, at least.
    var leastPower = 0.0

    var testDescription: String { name }
  }

  struct Outcome {
    /// The part of what was found that is chance, on average; and its standard error.
    var falseDiscoveries = 0.0
    var error = 0.0
    /// As above, by Welch's standard error alone.
    var falseByWelch = 0.0
    var power = 0.0
    var compared = 0.0
  }

  /// Times that each is played.
  private static let repetitions =
    unsafe getenv("TOUCHGRID_SIMULATIONS").flatMap { unsafe Int(String(cString: $0)) } ?? 50

  @Test(
    "What is found is chance in at most one of twenty",
    arguments: [
      Scenario(name: "no difference", sessionsA: 200, sessionsB: 200),
      Scenario(name: "no difference, few sessions", sessionsA: 20, sessionsB: 20),
      Scenario(name: "no difference, five a side", sessionsA: 5, sessionsB: 5),
      Scenario(name: "no difference, a small side", sessionsA: 400, sessionsB: 20),
      Scenario(
        name: "other people, unequal sides", sessionsA: 200, sessionsB: 60, shapeA: 3, shapeB: 0.5),
      Scenario(
        name: "20 blocks three times as often", sessionsA: 300, sessionsB: 300, planted: 20,
        factor: 3, leastPower: 0.3),
      Scenario(
        name: "20 blocks never again", sessionsA: 300, sessionsB: 300, planted: 20, factor: 0,
        leastPower: 0.3),
      Scenario(
        name: "20 blocks three times as often, unequal sides", sessionsA: 400, sessionsB: 100,
        planted: 20, factor: 3, leastPower: 0.03),
    ])
  func falseDiscoveriesAreBounded(_ scenario: Scenario) {
    let outcome = Self.play(scenario, repetitions: Self.repetitions)
    let chance = (0.05 * 0.95 / Double(Self.repetitions)).squareRoot()
    #expect(outcome.falseDiscoveries <= 0.05 + 2 * chance)
    #expect(outcome.power >= scenario.leastPower)
    if Self.repetitions > 50 { print(Self.line(scenario, outcome)) }
  }

  /// Why the standard error has a floor, and that these simulations can fail.
  @Test func byWelchAloneMostOfItWouldBeChance() {
    let scenario = Scenario(name: "a small side", sessionsA: 400, sessionsB: 20)
    let outcome = Self.play(scenario, repetitions: 10)
    #expect(outcome.falseByWelch > 0.5)
    #expect(outcome.falseDiscoveries <= 0.1)
  }

  private static func play(_ scenario: Scenario, repetitions: Int) -> Outcome {
    var generator = SeededGenerator(seed: UInt64(scenario.sessionsA * 1000 + scenario.sessionsB))
    var outcome = Outcome()
    var squares = 0.0
    for _ in 0..<repetitions {
      var kiosk = SimulatedKiosk(shape: scenario.shapeA, using: &generator)
      let a = kiosk.side(sessions: scenario.sessionsA, using: &generator)
      let busiest = kiosk.rates.indices.sorted { kiosk.rates[$0] > kiosk.rates[$1] }.prefix(200)
      let changed = Set(busiest.shuffled(using: &generator).prefix(scenario.planted))
      for block in changed { kiosk.rates[block] *= scenario.factor }
      kiosk.shape = scenario.shapeB
      let b = kiosk.side(sessions: scenario.sessionsB, using: &generator)

      let comparison = Comparison(blocks(a, b), level: 0.05)
      let found = comparison.findings.indices.filter {
        [.more, .less].contains(comparison.findings[$0].verdict)
      }
      let part = falsePart(found, changed)
      outcome.falseDiscoveries += part
      squares += part * part
      outcome.power +=
        Double(found.filter(changed.contains).count) / Double(max(1, changed.count))
      outcome.compared += Double(comparison.compared)
      outcome.falseByWelch += falsePart(foundByWelch(comparison), changed)
    }
    let count = Double(repetitions)
    outcome.falseDiscoveries /= count
    outcome.falseByWelch /= count
    outcome.power /= count
    outcome.compared /= count
    let variance = squares / count - outcome.falseDiscoveries * outcome.falseDiscoveries
    outcome.error = (max(0, variance) / count).squareRoot()
    return outcome
  }

  private static func blocks(
    _ a: SimulatedKiosk.Side, _ b: SimulatedKiosk.Side
  ) -> [Comparison.Block] {
    a.sum.indices.map { index in
      Comparison.Block(
        a: Sample(count: a.sessions, sum: a.sum[index], sumOfSquares: a.squares[index]),
        b: Sample(count: b.sessions, sum: b.sum[index], sumOfSquares: b.squares[index]),
        touchedSessions: a.touched[index] + b.touched[index], isMasked: false)
    }
  }

  private static func foundByWelch(_ comparison: Comparison) -> [Int] {
    let members = comparison.findings.indices.filter { comparison.findings[$0].p != nil }
    let q = FalseDiscoveryRate.qValues(members.map { comparison.findings[$0].test?.welchP ?? 1 })
    return zip(members, q).filter { $0.1 <= comparison.level }.map(\.0)
  }

  /// 0 where nothing was found, as the false discovery rate has it.
  private static func falsePart(_ found: [Int], _ changed: Set<Int>) -> Double {
    Double(found.filter { !changed.contains($0) }.count) / Double(max(1, found.count))
  }

  private static func line(_ scenario: Scenario, _ outcome: Outcome) -> String {
    func percent(_ part: Double) -> String {
      let tenths = Int((part * 1000).rounded())
      return "\(tenths / 10).\(tenths % 10) %"
    }
    return "| \(scenario.name) | \(scenario.sessionsA) | \(scenario.sessionsB) | "
      + "\(Int(outcome.compared.rounded())) | \(percent(outcome.falseDiscoveries)) ± "
      + "\(percent(outcome.error)) | \(percent(outcome.falseByWelch)) | "
      + (scenario.planted > 0 ? percent(outcome.power) : "–") + " |"
  }
}
