import Heatmaps
import Reports
import TouchModel

/// The comparison of one screen, on one display and geometry, between two sets of sessions, A and
/// B. All differences are B minus A.
struct ScreenComparison {
  /// The confidence level of the intervals.
  static let confidence = 0.95

  let a: SummedGrid
  let b: SummedGrid
  let result: Comparison

  /// - Precondition: both grids have the same key and layer.
  init(_ a: SummedGrid, _ b: SummedGrid, level: Double) {
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

  var geometry: DisplayGeometry { a.key.geometry }
  var layer: Layer { a.layer }

  /// The result for one block.
  struct BlockFinding {
    var block: Block
    var index: Int
    var finding: Comparison.Finding
    /// The edges of the block in points.
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double
  }

  /// The results, row by row.
  var blocks: [BlockFinding] {
    let size = Double(geometry.blockSize)
    return result.findings.enumerated().map { index, finding in
      let block = Block(column: index % geometry.columns, row: index / geometry.columns)
      let (left, top) = (Double(block.column) * size, Double(block.row) * size)
      return BlockFinding(
        block: block, index: index, finding: finding, left: left, top: top,
        right: min(left + size, geometry.width), bottom: min(top + size, geometry.height))
    }
  }

  /// The blocks that differ by more than chance, the largest difference first.
  var discoveries: [(block: BlockFinding, test: WelchTest, q: Double)] {
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

  /// The difference that gets the last colours, on both sides: the 99th percentile of the absolute
  /// differences. It covers the blocks that differ, or all compared blocks if none does.
  var limit: Double {
    let found = discoveries.map { abs($0.test.difference) }
    let sizes =
      found.isEmpty ? result.findings.compactMap { $0.test.map { abs($0.difference) } } : found
    return ColourScale.percentile(99, of: sizes.filter { $0 > 0 }) ?? 0
  }
}

extension Comparison.Verdict {
  var isDiscovery: Bool { self == .more || self == .less }
}

extension SummedGrid {
  fileprivate func sample(_ index: Int) -> Sample {
    Sample(count: sessions, sum: sum[index], sumOfSquares: sumOfSquares[index])
  }
}

/// The whole comparison that the user asked for.
struct ComparisonReport {
  var a: ComparedSessions
  var b: ComparedSessions
  var layer: Layer
  /// The accepted rate of false discoveries, 0...1.
  var level: Double
  var screens: [ScreenComparison]
  /// The screens that only one side showed, which are not compared.
  var onlyA: [GridKey]
  var onlyB: [GridKey]

  /// - Parameter gridsA: the grids of A, in the order in which the screens are shown. `gridsB` are
  ///   those of B.
  init(
    _ a: ComparedSessions, _ gridsA: [SummedGrid], _ b: ComparedSessions, _ gridsB: [SummedGrid],
    layer: Layer, level: Double
  ) {
    (self.a, self.b, self.layer, self.level) = (a, b, layer, level)
    let ofB = Dictionary(gridsB.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    screens = gridsA.compactMap { grid in
      ofB[grid.key].map { ScreenComparison(grid, $0, level: level) }
    }
    let common = Set(screens.map(\.a.key))
    onlyA = gridsA.map(\.key).filter { !common.contains($0) }
    onlyB = gridsB.map(\.key).filter { !common.contains($0) }
  }
}
