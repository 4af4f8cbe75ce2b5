internal import TouchModel

/// Counters as a row stores them: the bytes per cell, and the cells, deflated.
struct Cells {
  var bytesPerCell: Int
  var packed: [UInt8]

  init(_ counters: Counters) throws(StoreError) {
    let narrow = counters.narrowed()
    bytesPerCell = narrow.bytesPerCounter
    packed = try Deflate.deflate(narrow.bytes)
  }

  /// Stores the values in the narrowest of 1, 2, 4, 8 and 16 bytes that holds them all,
  /// little-endian.
  init(_ values: [UInt128]) throws(StoreError) {
    let largest = values.max() ?? 0
    let widths = [1, 2, 4, 8]
    let width = widths.first { largest >> UInt128(8 * $0) == 0 } ?? 16
    bytesPerCell = width
    var bytes: [UInt8] = []
    bytes.reserveCapacity(values.count * width)
    for value in values {
      for place in 0..<width {
        bytes.append(UInt8(truncatingIfNeeded: value >> UInt128(8 * place)))
      }
    }
    packed = try Deflate.deflate(bytes)
  }

  /// - Parameter column: holds the bytes per cell; the next column holds the cells.
  init(_ row: borrowing Statement, _ column: Int32) {
    bytesPerCell = Int(clamping: row.integer(column))
    packed = row.blob(column + 1)
  }

  var values: [SQLValue] { [.integer(Int64(bytesPerCell)), .blob(packed)] }

  /// - Returns: nil if the data is not `count` cells of the stated width.
  func counters(count: Int) -> Counters? {
    guard [1, 2, 4, 8].contains(bytesPerCell),
      let bytes = Deflate.inflate(packed, count: count * bytesPerCell)
    else { return nil }
    return Counters(count: count, bytesPerCounter: bytesPerCell, bytes: bytes)
  }
}
