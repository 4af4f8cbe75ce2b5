import Testing

@testable import TouchModel

@Suite struct CalibrationMatrixTests {
  @Test(arguments: [
    ("1 0 0 0 1 0", [0, 1, 2, 3]),
    ("0 -1 1 1 0 0", [1, 2, 3, 0]),
    ("-1 0 1 0 -1 1", [2, 3, 0, 1]),
    ("0 1 0 -1 0 1", [3, 0, 1, 2]),
    ("-1 0 1 0 1 0", [1, 0, 3, 2]),
  ])
  func `The documented matrices rotate and mirror the corners as in libinput`(
    text: String, corners: [Int]
  ) throws {
    let matrix = try #require(CalibrationMatrix(text))
    let clockwise: [(x: Double, y: Double)] = [(0, 0), (1, 0), (1, 1), (0, 1)]
    let placement = try #require(Placement.test(matrix: matrix))
    let blocks = [(0, 0), (63, 0), (63, 47), (0, 47)].map { Block(column: $0.0, row: $0.1) }
    let raw: [(Int32, Int32)] = [(0, 0), (4095, 0), (4095, 4095), (0, 4095)]
    for (corner, point) in clockwise.enumerated() {
      let turned = matrix.apply(point.x, point.y)
      #expect(turned == clockwise[corners[corner]])
      let location = placement.locate(rawX: raw[corner].0, rawY: raw[corner].1)
      #expect(location.block == blocks[corners[corner]])
      #expect(!location.isClamped)
    }
  }

  @Test(arguments: [
    "", "1 0 0 0 1", "1 0 0 0 1 0 0", "1 0 0 0 1 nan", "inf 0 0 0 1 0", "1 0 0 0 1 -infinity",
    "1 0 0 0 1 1e999", "1,0 0 0 0 1 0", "1 0 0 0 1 x", "a b c d e f", "1 0 0 0 1 0x0",
  ])
  func `Text other than six finite numbers is refused`(text: String) {
    #expect(CalibrationMatrix(text) == nil)
  }

  @Test
  func `A NUL in the text is refused`() { #expect(CalibrationMatrix("1 0 0 0 1 0\u{0}") == nil) }

  @Test func `Numbers may be separated by any white space, and have signs and exponents`() throws {
    let matrix = try #require(CalibrationMatrix("  1.0\t0.5 -2e-1\n+0 1e0  .25 "))
    #expect(matrix.values == [1, 0.5, -0.2, 0, 1, 0.25])
  }
}
