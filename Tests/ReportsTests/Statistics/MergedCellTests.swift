import TestSupport
import Testing
import TouchModel

@testable import Reports

/// Merging blocks that too few sessions touched.
@Suite struct MergedCellTests {
  /// A side of a comparison, session by session: the counts by block.
  private struct Side {
    var sessions: [[Int: UInt64]]

    func sample(_ blocks: [Int]) -> (Sample, touched: UInt64) {
      let counts = sessions.map { counts in blocks.reduce(0) { $0 + (counts[$1] ?? 0) } }
      return (
        Sample(
          count: UInt64(counts.count), sum: counts.reduce(0, +),
          sumOfSquares: counts.reduce(0) { $0 + UInt128($1) * UInt128($1) }),
        UInt64(counts.count { $0 > 0 })
      )
    }

    var counts: [SessionCount] {
      sessions.enumerated().flatMap { session, counts in
        counts.map { SessionCount(block: $0.key, session: Int64(session), count: $0.value) }
      }
    }
  }

  private func blocks(
    _ a: Side, _ b: Side, count: Int, masked: Set<Int> = []
  ) -> [Comparison.Block] {
    (0..<count).map { block in
      let (ofA, ofB) = (a.sample([block]), b.sample([block]))
      return Comparison.Block(
        a: ofA.0, b: ofB.0, touchedSessions: ofA.touched + ofB.touched,
        isMasked: masked.contains(block))
    }
  }

  /// Random touches on a grid of random shape. The expected squares are found from the definition,
  /// with every session at hand.
  @Test(arguments: 0..<40) func `Squares are merged as defined`(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    let columns = Int.random(in: 1...11, using: &dice)
    let rows = Int.random(in: 1...9, using: &dice)
    let count = columns * rows
    let rate = Double.random(in: 0.005...0.15, using: &dice)
    func side() -> Side {
      Side(
        sessions: (0..<Int.random(in: 2...40, using: &dice)).map { _ in
          (0..<count).reduce(into: [:]) { counts, block in
            guard Double.random(in: 0...1, using: &dice) < rate else { return }
            counts[block] = UInt64.random(in: 1...5, using: &dice)
          }
        })
    }
    let (a, b) = (side(), side())
    let masked = Set((0..<count).filter { _ in Int.random(in: 0...9, using: &dice) == 0 })
    let blocks = blocks(a, b, count: count, masked: masked)
    let cells = MergedCell.merging(blocks, columns: columns, a.counts.shuffled(), b.counts)

    var left = (0..<count).filter {
      (1..<10).contains(blocks[$0].touchedSessions) && !masked.contains($0)
    }
    var expected: [MergedCell] = []
    for side in [2, 4] {
      for row in 0..<(rows + side - 1) / side {
        for column in 0..<(columns + side - 1) / side {
          let members = left.filter { $0 / columns / side == row && $0 % columns / side == column }
          let (ofA, ofB) = (a.sample(members), b.sample(members))
          guard ofA.touched + ofB.touched >= 10 else { continue }
          left.removeAll { members.contains($0) }
          expected.append(
            MergedCell(
              side: side, column: column, row: row, blocks: members,
              counts: Comparison.Block(
                a: ofA.0, b: ofB.0, touchedSessions: ofA.touched + ofB.touched, isMasked: false),
              touchedA: ofA.touched, touchedB: ofB.touched))
        }
      }
    }
    #expect(cells == expected)
    // Exchanging the sides changes nothing but the sides.
    let swapped = MergedCell.merging(
      self.blocks(b, a, count: count, masked: masked), columns: columns, b.counts, a.counts)
    #expect(swapped.map(\.blocks) == cells.map(\.blocks))
  }

  @Test func `A single session on a side merges nothing`() {
    let many = Side(sessions: (0..<40).map { [$0 % 8: 1] })
    let one = Side(sessions: [[0: 1]])
    #expect(
      MergedCell.merging(blocks(many, one, count: 64), columns: 8, many.counts, one.counts) == [])
  }
}
