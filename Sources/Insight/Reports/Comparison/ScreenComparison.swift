internal import Heatmaps
package import TouchModel

/// The comparison of one screen, on one display and geometry, between two sets of sessions, A and
/// B. All differences are B minus A.
package struct ScreenComparison {
  /// The confidence level of the intervals.
  package static let confidence = 0.95

  package let a: SummedGrid
  package let b: SummedGrid
  /// The findings of all blocks, row by row, and then those of the merged cells.
  package let result: Comparison
  /// The squares of blocks that are compared together, because too few sessions touched each.
  package let merged: [MergedCell]

  /// - Precondition: both grids have the same key and layer.
  package init(_ a: SummedGrid, _ b: SummedGrid, level: Double) {
    precondition(a.key == b.key && a.layer == b.layer)
    self.a = a
    self.b = b
    let geometry = a.key.geometry
    let masked = a.maskedBlocks.union(b.maskedBlocks)
    var blocks = a.sum.indices.map { index in
      let block = Block(column: index % geometry.columns, row: index / geometry.columns)
      let (touched, overflows) =
        a.touchedSessions[index].addingReportingOverflow(b.touchedSessions[index])
      return Comparison.Block(
        a: a.sample(index), b: b.sample(index),
        touchedSessions: overflows ? .max : touched, isMasked: masked.contains(block))
    }
    merged =
      if let countsA = a.sessionCounts, let countsB = b.sessionCounts {
        MergedCell.merging(blocks, columns: geometry.columns, countsA, countsB)
      } else {
        []
      }
    for index in merged.flatMap(\.blocks) { blocks[index].isMerged = true }
    result = Comparison(blocks, merged: merged.map(\.counts), level: level)
  }

  package var geometry: DisplayGeometry { a.key.geometry }
  package var layer: Layer { a.layer }

  /// Whether the counts of single sessions, which merging needs, are unknown: not all sessions are
  /// stored, or too many blocks were touched rarely.
  package var lacksSessions: Bool { a.sessionCounts == nil || b.sessionCounts == nil }

  /// The result for one block.
  package struct BlockFinding {
    package var block: Block
    package var index: Int
    package var finding: Comparison.Finding
    /// The merged cell that the block is part of, as an index; nil if it is part of none.
    package var cell: Int?
    /// The finding that maps show: that of the merged cell, or the block's own.
    package var shown: Comparison.Finding
    /// The difference that maps show. The difference of a merged cell is spread evenly over its
    /// blocks.
    package var shownDifference: Double
  }

  /// The results, row by row.
  package var blocks: [BlockFinding] {
    let count = a.sum.count
    var cells = [Int?](repeating: nil, count: count)
    for (number, cell) in merged.enumerated() {
      for block in cell.blocks { cells[block] = number }
    }
    return (0..<count).map { index in
      let finding = result.findings[index]
      let shown = cells[index].map { result.findings[count + $0] } ?? finding
      let part = Double(cells[index].map { merged[$0].blocks.count } ?? 1)
      return BlockFinding(
        block: block(index), index: index, finding: finding, cell: cells[index], shown: shown,
        shownDifference: (shown.test?.difference ?? 0) / part)
    }
  }

  private func block(_ index: Int) -> Block {
    Block(column: index % geometry.columns, row: index / geometry.columns)
  }

  /// A block or a merged cell, compared or not.
  package struct Cell {
    /// The block at the top left, even if that one is not part of the merged cell.
    package var block: Block
    /// The side of the square, in blocks: 1 for a block.
    package var side: Int
    /// The blocks, row by row.
    package var blocks: [Block]
    package var a: Sample
    package var b: Sample
    /// The numbers of sessions that touched it.
    package var touchedA: UInt64
    package var touchedB: UInt64
    package var finding: Comparison.Finding
    /// The edges of the square in points, cut off at the display's edges.
    package var left: Double
    package var top: Double
    package var right: Double
    package var bottom: Double
  }

  /// All blocks by themselves, row by row, and then the merged cells.
  package var cells: [Cell] {
    a.sum.indices.map { index in
      cell(
        block(index), side: 1, blocks: [block(index)], a.sample(index), b.sample(index),
        a.touchedSessions[index], b.touchedSessions[index], result.findings[index])
    } + mergedCells
  }

  package var mergedCells: [Cell] {
    merged.enumerated().map { number, cell in
      self.cell(
        Block(column: cell.column * cell.side, row: cell.row * cell.side), side: cell.side,
        blocks: cell.blocks.map(block), cell.counts.a, cell.counts.b, cell.touchedA, cell.touchedB,
        result.findings[a.sum.count + number])
    }
  }

  private func cell(
    _ block: Block, side: Int, blocks: [Block], _ sampleA: Sample, _ sampleB: Sample,
    _ touchedA: UInt64, _ touchedB: UInt64, _ finding: Comparison.Finding
  ) -> Cell {
    let size = Double(geometry.blockSize)
    let (left, top) = (Double(block.column) * size, Double(block.row) * size)
    return Cell(
      block: block, side: side, blocks: blocks, a: sampleA, b: sampleB, touchedA: touchedA,
      touchedB: touchedB, finding: finding, left: left, top: top,
      right: min(left + Double(side) * size, geometry.width),
      bottom: min(top + Double(side) * size, geometry.height))
  }

  /// The blocks and merged cells that differ by more than chance explains, the largest absolute
  /// difference first.
  package var discoveries: [(cell: Cell, test: WelchTest, q: Double)] {
    cells.compactMap { cell in
      guard cell.finding.verdict.isDiscovery, let test = cell.finding.test, let q = cell.finding.q
      else { return nil }
      return (cell, test, q)
    }
    // Equal differences stay in their order.
    .sorted { abs($0.test.difference) > abs($1.test.difference) }
  }

  /// The numbers of compared blocks and merged cells.
  package var compared: (blocks: Int, merged: Int) {
    (result.findings.prefix(a.sum.count).count { $0.p != nil }, merged.count)
  }

  /// The absolute difference that gets the last colour of each side: the 99th percentile of the
  /// absolute differences above 0 that maps show. It is taken over the blocks that differ by more
  /// than chance explains, or over all tested ones if none does. 0 if there is no difference.
  package var limit: Double {
    let tested = blocks.filter { $0.shown.test != nil }
    let found = tested.filter(\.shown.verdict.isDiscovery)
    let sizes = (found.isEmpty ? tested : found).map { abs($0.shownDifference) }
    return ColourScale.percentile(99, of: sizes.filter { $0 > 0 }) ?? 0
  }
}

extension Comparison.Verdict {
  package var isDiscovery: Bool { self == .more || self == .less }
}

extension SummedGrid {
  /// The counts of the sessions in one block.
  package func sample(_ index: Int) -> Sample {
    Sample(count: sessions, sum: sum[index], sumOfSquares: sumOfSquares[index])
  }
}
