import TestSupport
import Testing

@testable import TouchModel

@Suite struct PlacementTests {
  @Test func `The minimum of any range is normalised to 0 and the maximum to less than 1`() {
    let ranges: [(Int32, Int32)] = [
      (0, 1), (0, 4095), (-2000, 2000), (10_000, 32_767), (-10, -1), (.min, .max), (.min, .min + 1),
      (.max - 1, .max),
    ]
    for (minimum, maximum) in ranges {
      let range = Placement.Range(minimum: minimum, maximum: maximum)
      #expect(range.normalised(minimum) == 0)
      #expect(range.normalised(maximum) < 1)
      let count = Double(maximum) - Double(minimum) + 1
      #expect(range.normalised(maximum) == (count - 1) / count)
    }
  }

  @Test
  func `At every rotation each corner of the panel is at the right corner of the picture`() throws {
    // The panel's corners clockwise from its top left, and the index of the corner at the picture's
    // top left.
    let corners: [(Int32, Int32)] = [(-50, 100), (4000, 100), (4000, 3000), (-50, 3000)]
    let topLeft: [Rotation: Int] = [.none: 0, .quarter: 1, .half: 2, .threeQuarters: 3]
    for rotation in Rotation.allCases {
      let placement = try #require(
        Placement.test(x: -50...4000, y: 100...3000, width: 1000, height: 600, rotation: rotation))
      let lastColumn = placement.geometry.columns - 1
      let lastRow = placement.geometry.rows - 1
      let picture = [
        Block(column: 0, row: 0), Block(column: lastColumn, row: 0),
        Block(column: lastColumn, row: lastRow), Block(column: 0, row: lastRow),
      ]
      #expect(
        rotation.swapsAxes ? lastColumn == 37 && lastRow == 62 : lastColumn == 62 && lastRow == 37)
      for (place, expected) in picture.enumerated() {
        let corner = corners[((topLeft[rotation] ?? 0) + place) % 4]
        let location = placement.locate(rawX: corner.0, rawY: corner.1)
        #expect(location.block == expected, "\(rotation), corner \(place)")
        #expect(!location.isClamped)
      }
    }
  }

  @Test func `The calibration matrix is applied before the rotation`() throws {
    let quarter = try #require(CalibrationMatrix("0 -1 1 1 0 0"))
    let turned = try #require(
      Placement.test(matrix: quarter, width: 768, height: 1024, rotation: .quarter))
    let plain = try #require(Placement.test(width: 1024, height: 768))
    // The positions avoid the borders of blocks, where rounding decides.
    for raw in stride(from: Int32(37), to: 4096, by: 211) {
      #expect(turned.block(raw, 4000 - raw / 3) == plain.block(raw, 4000 - raw / 3))
    }
    // The order matters: a mirrored and then rotated panel differs.
    let mirror = try #require(CalibrationMatrix("-1 0 1 0 1 0"))
    let mirrored = try #require(
      Placement.test(matrix: mirror, width: 768, height: 1024, rotation: .quarter))
    #expect(mirrored.block(0, 0) == Block(column: 0, row: 0))
  }

  @Test func `A value outside the range lies in the edge block and counts as clamped`() throws {
    let placement = try #require(Placement.test(x: 0...1000, y: 0...1000))
    let last = Block(column: 63, row: 47)
    for (x, y, block, clamped) in [
      (0, 0, Block(column: 0, row: 0), false), (1000, 1000, last, false),
      (1001, 1000, last, true), (1000, 1001, last, true), (-1, 0, Block(column: 0, row: 0), true),
      (.max, .min, Block(column: 63, row: 0), true), (.min, .max, Block(column: 0, row: 47), true),
    ] as [(Int32, Int32, Block, Bool)] {
      let location = placement.locate(rawX: x, rawY: y)
      #expect(location.block == block)
      #expect(location.isClamped == clamped, "\(x), \(y)")
      #expect(location.point.x >= 0 && location.point.x < 1024)
      #expect(location.point.y >= 0 && location.point.y < 768)
    }
  }

  @Test func `Any matrix, range and raw value give a point and a block on the display`() throws {
    var random = SeededGenerator(seed: 7)
    let wild: [Int32] = [.min, .max, 0, -1, 1, 4095, 799]
    var clamped = 0
    for _ in 0..<4000 {
      let numbers = (0..<6).map { _ in
        [0, 1, -1, 0.5, 1e308, -1e308, Double.leastNonzeroMagnitude, 3][Int(random.next() % 8)]
      }
      let matrix = try #require(CalibrationMatrix(numbers.map { "\($0)" }.joined(separator: " ")))
      let rotation = Rotation.allCases[Int(random.next() % 4)]
      let placement = try #require(
        Placement.test(
          x: .min ... .max, matrix: matrix, width: 1 + Int(random.next() % 1500), height: 333,
          scale: [0.25, 1, 1.5, 16][Int(random.next() % 4)], rotation: rotation))
      let location = placement.locate(
        rawX: wild[Int(random.next() % 7)], rawY: wild[Int(random.next() % 7)])
      let geometry = placement.geometry
      let isInside =
        (0..<geometry.width).contains(location.point.x)
        && (0..<geometry.height).contains(location.point.y)
        && (0..<geometry.columns).contains(location.block.column)
        && (0..<geometry.rows).contains(location.block.row)
      #expect(isInside, "\(placement)")
      if location.isClamped { clamped += 1 }
    }
    #expect((100..<4000).contains(clamped))
  }
}
