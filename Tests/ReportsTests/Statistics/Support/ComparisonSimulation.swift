import TestSupport

@testable import Reports

/// Compares two sides of a simulated kiosk repeatedly, and measures how many findings are due to
/// chance, and how many real differences are found.
struct ComparisonSimulation {
  var sessionsA: Int
  var sessionsB: Int
  /// How much people differ on each side: the `shape` of `SimulatedKiosk`.
  var shapeA = 1.0
  var shapeB = 1.0
  /// How many of the 200 most touched blocks differ between the sides, and by which factor.
  var planted = 0
  var factor = 1.0
  /// Whether `planted` counts whole buttons of 3 x 3 blocks instead.
  var plantsButtons = false

  struct Outcome {
    /// The average share of findings that are due to chance, and its standard error.
    var falseDiscoveries = 0.0
    var error = 0.0
    /// The same share with Welch's standard error alone.
    var falseByWelch = 0.0
    /// The average share of the planted blocks or buttons that are found, at least in part.
    var power = 0.0
    /// The same without merging.
    var powerAlone = 0.0
    var compared = 0.0
    /// The average number of merged cells, which are among the compared ones.
    var merged = 0.0
  }

  func play(repetitions: Int) -> Outcome {
    var generator = SeededGenerator(seed: UInt64(sessionsA * 1000 + sessionsB))
    var outcome = Outcome()
    var squares = 0.0
    for _ in 0..<repetitions {
      var kiosk = SimulatedKiosk(shape: shapeA, using: &generator)
      let a = kiosk.side(sessions: sessionsA, using: &generator)
      let changes =
        plantsButtons
        ? Array(kiosk.buttons.shuffled(using: &generator).prefix(planted))
        : kiosk.busiest.shuffled(using: &generator).prefix(planted).map { [$0] }
      let changed = Set(changes.joined())
      for block in changed { kiosk.rates[block] *= factor }
      kiosk.shape = shapeB
      let b = kiosk.side(sessions: sessionsB, using: &generator)

      var blocks = Self.blocks(a, b)
      let alone = Comparison(blocks, level: 0.05)
      let cells = MergedCell.merging(blocks, columns: SimulatedKiosk.columns, a.counts, b.counts)
      for block in cells.flatMap(\.blocks) { blocks[block].isMerged = true }
      let comparison = Comparison(blocks, merged: cells.map(\.counts), level: 0.05)
      // The blocks of each block and of each merged cell.
      let units = blocks.indices.map { [$0] } + cells.map(\.blocks)
      let found = Self.found(comparison).map { units[$0] }
      let part = Self.falsePart(found, changed)
      outcome.falseDiscoveries += part
      squares += part * part
      outcome.power += Self.power(Set(found.joined()), changes)
      outcome.powerAlone += Self.power(Set(Self.found(alone)), changes)
      outcome.merged += Double(cells.count)
      outcome.compared += Double(comparison.compared)
      outcome.falseByWelch += Self.falsePart(
        Self.foundByWelch(comparison).map { units[$0] }, changed)
    }
    let count = Double(repetitions)
    outcome.falseDiscoveries /= count
    outcome.falseByWelch /= count
    outcome.power /= count
    outcome.powerAlone /= count
    outcome.compared /= count
    outcome.merged /= count
    let variance = squares / count - outcome.falseDiscoveries * outcome.falseDiscoveries
    outcome.error = (max(0, variance) / count).squareRoot()
    return outcome
  }

  private static func found(_ comparison: Comparison) -> [Int] {
    comparison.findings.indices.filter { comparison.findings[$0].verdict.isDiscovery }
  }

  private static func power(_ found: Set<Int>, _ changes: [[Int]]) -> Double {
    Double(changes.count { !found.isDisjoint(with: $0) }) / Double(max(1, changes.count))
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

  /// Returns the share of findings that are due to chance: none of their blocks changed. It is 0 without findings, as in the
  /// definition of the false discovery rate.
  private static func falsePart(_ found: [[Int]], _ changed: Set<Int>) -> Double {
    Double(found.count { changed.isDisjoint(with: $0) }) / Double(max(1, found.count))
  }
}
