public import TouchModel

/// A square of blocks that are compared together, because too few sessions touched each of them.
///
/// Such blocks in a square of 2 x 2 blocks, and then of 4 x 4, are merged if at least
/// `Comparison.minimumTouchedSessions` sessions touched any of them. Each block takes part in one
/// test at most. As for single blocks, the side of a session does not matter: the p values stay
/// valid.
public struct MergedCell: Hashable, Sendable {
  /// The sides of the squares, in blocks, in the order in which they are tried.
  public static let sides = [2, 4]

  /// The side of the square, in blocks.
  public var side: Int
  /// The place of the square, in squares of this size from the left and from the top.
  public var column: Int
  public var row: Int
  /// The merged blocks, by their row-major indices in the grid, ascending: the blocks of the square
  /// that were touched and are not compared otherwise.
  public var blocks: [Int]
  /// Their counts: for each session the sum over the blocks.
  public var counts: Comparison.Block
  /// The numbers of sessions in A and in B that touched at least one of the blocks.
  public var touchedA: UInt64
  public var touchedB: UInt64

  /// Merges the blocks of a grid.
  /// - Parameters:
  ///   - blocks: all blocks, row by row.
  ///   - columns: the number of blocks in a row.
  ///   - countsA: the counts of A in all blocks that fewer sessions touched than
  ///     `Comparison.minimumTouchedSessions`; counts in other blocks are ignored.
  ///   - countsB: the same of B.
  /// - Returns: the squares, small ones first, each size row by row. Empty if a side has fewer than
  ///   two sessions.
  public static func merging(
    _ blocks: [Comparison.Block], columns: Int, _ countsA: [SessionCount], _ countsB: [SessionCount]
  ) -> [MergedCell] {
    guard let first = blocks.first, first.a.count > 1, first.b.count > 1 else { return [] }
    var left = Set(
      blocks.indices.filter { index in
        let block = blocks[index]
        return !block.isMasked
          && (1..<Comparison.minimumTouchedSessions).contains(block.touchedSessions)
      })
    var cells: [MergedCell] = []
    for side in sides {
      let squaresAcross = (columns + side - 1) / side
      func square(_ block: Int) -> Int {
        block / columns / side * squaresAcross + block % columns / side
      }
      func sums(_ counts: [SessionCount]) -> [Int: [Int64: UInt64]] {
        counts.reduce(into: [:]) { sums, count in
          guard left.contains(count.block) else { return }
          let sum = sums[square(count.block), default: [:]][count.session, default: 0]
          sums[square(count.block), default: [:]][count.session] = sum.addingClamped(count.count)
        }
      }
      let (sumsA, sumsB) = (sums(countsA), sums(countsB))
      for (number, members) in Dictionary(grouping: left, by: square).sorted(by: { $0.key < $1.key }
      ) {
        let (a, b) = (sumsA[number] ?? [:], sumsB[number] ?? [:])
        let touched = UInt64(a.count + b.count)
        guard touched >= Comparison.minimumTouchedSessions else { continue }
        left.subtract(members)
        cells.append(
          MergedCell(
            side: side, column: number % squaresAcross, row: number / squaresAcross,
            blocks: members.sorted(),
            counts: Comparison.Block(
              a: Sample(count: first.a.count, a.values), b: Sample(count: first.b.count, b.values),
              touchedSessions: touched, isMasked: false),
            touchedA: UInt64(a.count), touchedB: UInt64(b.count)))
      }
    }
    return cells
  }
}

extension Sample {
  /// - Parameters:
  ///   - count: the number of sessions.
  ///   - counts: the counts of the sessions that have one.
  fileprivate init(count: UInt64, _ counts: some Sequence<UInt64>) {
    self.init(count: count, sum: 0, sumOfSquares: 0)
    for count in counts {
      sum = sum.addingClamped(count)
      let (squares, overflows) = sumOfSquares.addingReportingOverflow(
        UInt128(count) * UInt128(count))
      sumOfSquares = overflows ? .max : squares
    }
  }
}

extension UInt64 {
  /// Returns the sum, or the greatest representable number if the sum exceeds it.
  fileprivate func addingClamped(_ other: UInt64) -> UInt64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }
}
