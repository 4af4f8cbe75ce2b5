internal import Heatmaps
package import TouchModel

/// The comparison of one screen, on one display and geometry, between two sets of sessions, A and
/// B. All differences are B minus A.
package struct ScreenComparison {
  /// The confidence level of the intervals.
  package static let confidence = 0.95

  package let a: SummedGrid
  package let b: SummedGrid
  package let result: Comparison

  /// - Precondition: both grids have the same key and layer.
  package init(_ a: SummedGrid, _ b: SummedGrid, level: Double) {
    precondition(a.key == b.key && a.layer == b.layer)
    self.a = a
    self.b = b
    let geometry = a.key.geometry
    let masked = a.maskedBlocks.union(b.maskedBlocks)
    result = Comparison(
      a.sum.indices.map { index in
        let block = Block(column: index % geometry.columns, row: index / geometry.columns)
        let (touched, overflows) =
          a.touchedSessions[index].addingReportingOverflow(b.touchedSessions[index])
        return Comparison.Block(
          a: a.sample(index), b: b.sample(index),
          touchedSessions: overflows ? .max : touched, isMasked: masked.contains(block))
      }, level: level)
  }

  package var geometry: DisplayGeometry { a.key.geometry }
  package var layer: Layer { a.layer }

  /// The result for one block.
  package struct BlockFinding {
    package var block: Block
    package var index: Int
    package var finding: Comparison.Finding
    /// The edges of the block in points.
    package var left: Double
    package var top: Double
    package var right: Double
    package var bottom: Double
  }

  /// The results, row by row.
  package var blocks: [BlockFinding] {
    let size = Double(geometry.blockSize)
    return result.findings.enumerated().map { index, finding in
      let block = Block(column: index % geometry.columns, row: index / geometry.columns)
      let (left, top) = (Double(block.column) * size, Double(block.row) * size)
      return BlockFinding(
        block: block, index: index, finding: finding, left: left, top: top,
        right: min(left + size, geometry.width), bottom: min(top + size, geometry.height))
    }
  }

  /// The blocks that differ by more than chance explains, the largest absolute difference first.
  package var discoveries: [(block: BlockFinding, test: WelchTest, q: Double)] {
    blocks.compactMap { block in
      guard block.finding.verdict.isDiscovery, let test = block.finding.test,
        let q = block.finding.q
      else { return nil }
      return (block, test, q)
    }
    .sorted {
      let sizes = (abs($0.test.difference), abs($1.test.difference))
      return sizes.0 == sizes.1 ? $0.block.index < $1.block.index : sizes.0 > sizes.1
    }
  }

  /// The absolute difference that gets the last colour of each side: the 99th percentile of the
  /// absolute differences above 0. It is taken over the blocks that differ by more than chance
  /// explains, or over all tested blocks if none does. 0 if there is no difference.
  package var limit: Double {
    let found = discoveries.map { abs($0.test.difference) }
    let sizes =
      found.isEmpty ? result.findings.compactMap { $0.test.map { abs($0.difference) } } : found
    return ColourScale.percentile(99, of: sizes.filter { $0 > 0 }) ?? 0
  }
}

extension Comparison.Verdict {
  package var isDiscovery: Bool { self == .more || self == .less }
}

extension SummedGrid {
  fileprivate func sample(_ index: Int) -> Sample {
    Sample(count: sessions, sum: sum[index], sumOfSquares: sumOfSquares[index])
  }
}
