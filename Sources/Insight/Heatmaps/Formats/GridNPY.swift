public import TouchModel

/// Writes the values of one grid in NumPy's format, version 1.0 (NEP 1): float64, little-endian, C
/// order, shape (rows, columns). `numpy.load` reads it. If a mask reaches into a block and nothing
/// was counted there, the value is NaN, because 0 would mean that people did not touch the block.
public enum GridNPY {
  public static func bytes(_ grid: SummedGrid, value: GridValue = .mean) -> [UInt8] {
    let (rows, columns) = (grid.key.geometry.rows, grid.key.geometry.columns)
    var header = "{'descr': '<f8', 'fortran_order': False, 'shape': (\(rows), \(columns)), }"
    // The magic number, the version and the length take 10 bytes. The header is padded so that the
    // values begin at a multiple of 64 bytes.
    let length = (10 + header.utf8.count + 1 + 63) / 64 * 64 - 10
    header += String(repeating: " ", count: length - 1 - header.utf8.count) + "\n"

    var bytes: [UInt8] = [0x93] + "NUMPY".utf8 + [1, 0]
    bytes += [UInt8(length & 0xff), UInt8(length >> 8)]
    bytes += header.utf8
    bytes.reserveCapacity(bytes.count + 8 * rows * columns)
    let masked = grid.maskedBlocks
    for (index, value) in grid.values(value).enumerated() {
      let block = Block(column: index % columns, row: index / columns)
      let isUnknown = grid.sum[index] == 0 && masked.contains(block)
      let pattern = (isUnknown ? .nan : value).bitPattern
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: pattern >> shift))
      }
    }
    return bytes
  }
}
