import Testing

@testable import TouchModel

@Suite struct DisplayGeometryTests {
  @Test(arguments: [
    (1024, 768, 1.0, 16, 64, 48), (1366, 768, 1.0, 16, 86, 48), (800, 480, 1.0, 16, 50, 30),
    (1920, 1080, 1.5, 16, 80, 45), (1366, 768, 1.5, 16, 57, 32), (1, 1, 1.0, 256, 1, 1),
    (1, 1, 16.0, 1, 1, 1), (17, 16, 1.0, 16, 2, 1), (1080, 1920, 1.25, 16, 54, 96),
  ])
  func `A grid covers the whole display, with partial blocks at the edges`(
    width: Int, height: Int, scale: Double, size: Int, columns: Int, rows: Int
  ) throws {
    let geometry = try #require(
      DisplayGeometry(pixelWidth: width, pixelHeight: height, scale: scale, blockSize: size))
    #expect(geometry.columns == columns)
    #expect(geometry.rows == rows)
    let turned = try #require(
      DisplayGeometry(
        pixelWidth: width, pixelHeight: height, scale: scale, rotation: .quarter, blockSize: size))
    #expect(turned.columns == rows)
    #expect(turned.rows == columns)
    #expect(turned.width == geometry.height)
  }

  @Test func `The far border of a block belongs to the next block`() throws {
    let geometry = try #require(DisplayGeometry(pixelWidth: 100, pixelHeight: 40))
    #expect(geometry.block(at: Point(x: 15.999, y: 0)) == Block(column: 0, row: 0))
    #expect(geometry.block(at: Point(x: 16, y: 16)) == Block(column: 1, row: 1))
    #expect(geometry.block(at: Point(x: 99.99, y: 39.99)) == Block(column: 6, row: 2))
  }

  @Test func `A point outside the display belongs to the nearest block`() throws {
    let geometry = try #require(DisplayGeometry(pixelWidth: 100, pixelHeight: 40))
    #expect(geometry.block(at: Point(x: -1, y: 1e9)) == Block(column: 0, row: 2))
    #expect(geometry.block(at: Point(x: .infinity, y: -.infinity)) == Block(column: 6, row: 0))
    #expect(geometry.block(at: Point(x: 1e300, y: .nan)) == Block(column: 6, row: 0))
  }

  @Test func `Sizes, scales and block sizes out of range are refused, and too large grids`() {
    func isTaken(_ width: Int, _ height: Int, _ scale: Double = 1, _ size: Int = 16) -> Bool {
      DisplayGeometry(pixelWidth: width, pixelHeight: height, scale: scale, blockSize: size) != nil
    }
    #expect(isTaken(1, 1) && isTaken(16_384, 16_384))
    #expect(!isTaken(0, 1) && !isTaken(1, 0) && !isTaken(16_385, 1) && !isTaken(-5, 5))
    #expect(!isTaken(.max, .max) && !isTaken(.min, 1))
    #expect(isTaken(100, 100, 0.25) && isTaken(100, 100, 16))
    for scale in [0, 0.2, 16.1, -1, .nan, .infinity] { #expect(!isTaken(100, 100, scale)) }
    for size in [1, 2, 4, 8, 16, 32, 64, 128, 256] { #expect(isTaken(100, 100, 1, size)) }
    for size in [0, 3, 17, 512, -16, .min] { #expect(!isTaken(100, 100, 1, size)) }
    // 16,384 x 16,384 blocks of one point are 2^28 blocks, which is too many. One row of 65,536
    // quarter pixels is fine.
    #expect(!isTaken(16_384, 16_384, 1, 1))
    #expect(!isTaken(16_384, 16_384, 0.25, 16))
    #expect(isTaken(16_384, 1, 0.25, 1))
  }
}
