internal import Heatmaps
public import TouchModel

/// The touched blocks of a grid as a sequence of numbers, three for each block, row by row: the
/// number of untouched blocks since the touched block before, the sum, and the number of sessions
/// that touched the block. Each number is an LEB128 varint: 7 bits per byte, the least significant
/// first; the high bit is set if more bytes follow. The encoding is exact, and short if few blocks
/// are touched.
public struct SparseGrid: Hashable, Sendable {
  public let bytes: [UInt8]

  public init(_ grid: SummedGrid) {
    var bytes: [UInt8] = []
    var gap: UInt64 = 0
    for index in grid.sum.indices {
      let (sum, touched) = (grid.sum[index], grid.touchedSessions[index])
      guard sum > 0 || touched > 0 else {
        gap += 1
        continue
      }
      for number in [gap, sum, touched] { Self.append(number, to: &bytes) }
      gap = 0
    }
    self.bytes = bytes
  }

  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest > 0x7f {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}
