import TestSupport
import Testing

@testable import TouchModel

@Suite struct BlockWalkTests {
  /// 32 x 24 blocks of 16 points.
  private let geometry = DisplayGeometry(pixelWidth: 512, pixelHeight: 384)

  private func walk(_ geometry: DisplayGeometry, _ from: Point, _ to: Point) -> [Block] {
    var blocks: [Block] = []
    geometry.walk(from: from, in: geometry.block(at: from), to: to, in: geometry.block(at: to)) {
      blocks.append(Block(column: $0 % geometry.columns, row: $0 / geometry.columns))
    }
    return blocks
  }

  /// Computes the walk exactly, in integers, between two points given in sixteenths of a point. The
  /// walk has the blocks between the crossings of the line with borders of blocks, and the block
  /// where the line ends.
  private func exact(_ from: (x: Int, y: Int), _ to: (x: Int, y: Int)) -> [Block] {
    let (dx, dy) = (to.x - from.x, to.y - from.y)
    let whole = max(1, abs(dx)) * max(1, abs(dy))
    let side = 256
    func floor(_ number: Int, _ divisor: Int) -> Int {
      number / divisor - (number % divisor < 0 ? 1 : 0)
    }
    // The fractions of the line at which it crosses borders, as numerators over `whole`.
    var meets: Set<Int> = [0, whole]
    for border in 0...64 {
      for (start, span) in [(from.x, dx), (from.y, dy)] where span != 0 {
        let part = (border * side - start) * (whole / abs(span)) * span.signum()
        if 0 < part, part < whole { meets.insert(part) }
      }
    }
    let order = meets.sorted()
    var blocks = [Block(column: floor(from.x, side), row: floor(from.y, side))]
    func enter(_ column: Int, _ row: Int) {
      let block = Block(column: column, row: row)
      if block != blocks.last { blocks.append(block) }
    }
    for (first, second) in zip(order, order.dropFirst()) {
      let twice = 2 * whole
      enter(
        floor(from.x * twice + dx * (first + second), side * twice),
        floor(from.y * twice + dy * (first + second), side * twice))
    }
    enter(floor(to.x, side), floor(to.y, side))
    return Array(blocks.dropFirst())
  }

  @Test
  func `A line enters the same blocks as by exact arithmetic, each once and in order`() throws {
    let geometry = try #require(geometry)
    var random = SeededGenerator(seed: 11)
    var diagonals = 0
    for round in 0..<6000 {
      // On coarse lattices, lines often pass through corners.
      let step = [1, 16, 64, 128][round % 4]
      func coordinate(_ limit: Int) -> Int { Int(random.next() % UInt64(limit * 16 / step)) * step }
      let from = (x: coordinate(512), y: coordinate(384))
      let to = (x: coordinate(512), y: coordinate(384))
      let expected = exact(from, to)
      let actual = walk(
        geometry, Point(x: Double(from.x) / 16, y: Double(from.y) / 16),
        Point(x: Double(to.x) / 16, y: Double(to.y) / 16))
      if actual != expected {
        Issue.record("from \(from) to \(to): \(actual) instead of \(expected)")
        return
      }
      diagonals += zip(expected, expected.dropFirst()).reduce(0) {
        $0 + ($1.0.column != $1.1.column && $1.0.row != $1.1.row ? 1 : 0)
      }
    }
    #expect(diagonals > 300)
  }

  @Test func `Any line is walked through neighbouring blocks to its end`() throws {
    var random = SeededGenerator(seed: 12)
    let geometry = try #require(
      DisplayGeometry(pixelWidth: 1366, pixelHeight: 768, scale: 1.3, blockSize: 8))
    for _ in 0..<2000 {
      func number(_ limit: Double) -> Double { Double(random.next() >> 11) * 0x1p-53 * limit }
      let from = Point(x: number(geometry.width), y: number(geometry.height))
      let to = Point(x: number(geometry.width), y: number(geometry.height))
      let blocks = walk(geometry, from, to)
      let start = geometry.block(at: from)
      let end = geometry.block(at: to)
      #expect(blocks.last ?? start == end)
      #expect(blocks.count <= abs(end.column - start.column) + abs(end.row - start.row))
      #expect(Set(blocks).count == blocks.count && !blocks.contains(start))
      #expect(
        zip([start] + blocks, blocks).allSatisfy {
          abs($0.column - $1.column) <= 1 && abs($0.row - $1.row) <= 1
        })
      // The corners of each block must lie on both sides of the line, apart from rounding.
      let isNear = blocks.allSatisfy { block in
        let sides = [(0, 0), (0, 1), (1, 0), (1, 1)].map { corner in
          (to.x - from.x) * (Double(block.row + corner.0) * 8 - from.y)
            - (to.y - from.y) * (Double(block.column + corner.1) * 8 - from.x)
        }
        return (sides.min() ?? 1) <= 1e-6 && (sides.max() ?? -1) >= -1e-6
      }
      #expect(isNear)
    }
  }
}
