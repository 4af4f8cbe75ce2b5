public import GridFormats

/// The touched blocks of a grid as a row of numbers, three for each, row by row: how many untouched blocks
/// lie between it and the one before, its sum, and how many sessions touched it. Each number is a varint:
/// 7 bits a byte, the least first, the high bit set where more follow (LEB128). Exact, and short where
/// little was touched.
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
