import Heatmaps
import TestSupport
import Testing
import TouchModel

@Suite struct GridNPYTests {
  @Test func `The header has version 1 and is aligned to 64 bytes`() throws {
    let bytes = GridNPY.bytes(Samples.grid([:], on: try geometry(160, 96)))
    #expect(Array(bytes[..<8]) == [0x93] + Array("NUMPY".utf8) + [1, 0])
    let length = Int(bytes[8]) + Int(bytes[9]) << 8
    #expect((10 + length) % 64 == 0)
    #expect(bytes.count == 10 + length + 8 * 60)
    let header = String(decoding: bytes[10..<10 + length], as: UTF8.self)
    #expect(
      header.hasPrefix("{'descr': '<f8', 'fortran_order': False, 'shape': (6, 10), }"))
    #expect(header.hasSuffix(" \n"))
  }

  @Test func `Masked blocks without touches are NaN`() throws {
    let geometry = try geometry(160, 96)
    var grid = Samples.grid(
      [Block(column: 1, row: 1): 4, Block(column: 9, row: 5): 2], on: geometry)
    grid.masks = [try #require(Rectangle(x: 20, y: 20, width: 30, height: 4))]
    let values = Self.values(GridNPY.bytes(grid, value: .sum))
    // The block in column 1 has a value despite the mask, because it was touched in sessions
    // without the mask.
    #expect(values[11] == 4 && values[12].isNaN && values[13].isNaN && values[14] == 0)
    #expect(values.count { $0.isNaN } == 2)
    #expect(values[59] == 2)
  }

  private static func values(_ bytes: [UInt8]) -> [Double] {
    let start = 10 + Int(bytes[8]) + Int(bytes[9]) << 8
    return stride(from: start, to: bytes.count, by: 8).map { offset in
      Double(
        bitPattern: bytes[offset..<offset + 8].reversed().reduce(UInt64(0)) {
          $0 << 8 | UInt64($1)
        })
    }
  }

  @Test func `Every mean of random grids is read back`() throws {
    var generator = SeededGenerator(seed: 12)
    for _ in 0..<20 {
      let grid = try Samples.random(&generator)
      #expect(Self.values(GridNPY.bytes(grid)) == grid.means)
    }
  }
}
