import GridFormats
import Statistics
import TouchModel

/// One screen on one display and geometry in two sets of sessions, A and B. All differences are B minus A.
struct ScreenComparison {
  /// How sure the interval of a difference is.
  static let confidence = 0.95

  let a: SummedGrid
  let b: SummedGrid
  let result: Comparison

  /// - Precondition: both grids are of one key and layer.
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

  /// What is known of one block.
  struct BlockFinding {
    var block: Block
    var index: Int
    var finding: Comparison.Finding
    /// Points.
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double
  }

  /// In row-major order.
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

  /// Blocks that differ beyond chance, the largest difference first.
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

  /// Where the colours of differences end, on both sides: the 99th percentile of their sizes in the blocks
  /// that differ, of all compared ones where none does.
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

/// Everything that was asked for.
struct ComparisonReport {
  var a: ComparedSessions
  var b: ComparedSessions
  var layer: Layer
  /// 0...1.
  var level: Double
  var screens: [ScreenComparison]
  /// What only one side showed, and is therefore not compared.
  var onlyA: [GridKey]
  var onlyB: [GridKey]

  /// - Parameter grids: of both sides, in the order in which they are shown.
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
