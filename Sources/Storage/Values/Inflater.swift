internal import CZlib

/// Inflates blob after blob into one place: a stream of its own for each would take longer to make than
/// the blob of a day takes to inflate.
@safe final class Inflater {
  /// What the last call has inflated, and perhaps more behind it.
  private(set) var cells: [UInt8] = []
  /// Blobs inflated so far.
  private(set) var count = 0
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var isOpen = false

  init() { unsafe stream.initialize(to: z_stream()) }

  deinit {
    if isOpen { unsafe inflateEnd(stream) }
    unsafe stream.deallocate()
  }

  /// Inflates cells of a row into `cells`.
  /// - Parameters:
  ///   - column: of the bytes per cell; the cells are in the next one.
  ///   - widest: bytes per cell at the most.
  ///   - count: how many cells there should be.
  /// - Returns: bytes per cell; nil where the cells are not `count` of the width that they claim.
  /// - Throws: `.outOfMemory`.
  func inflate(
    _ row: borrowing Statement, _ column: Int32, count: Int, widest: Int = 8
  ) throws(StoreError) -> Int? {
    let width = Int(clamping: row.integer(column))
    guard [1, 2, 4, 8, 16].contains(width), width <= widest else { return nil }
    let isWhole = try unsafe row.withBlob(column + 1) { packed throws(StoreError) in
      try unsafe inflate(packed, bytes: count * width)
    }
    return isWhole ? width : nil
  }

  /// The corresponding C functions are `inflateInit`, `inflateReset` and `inflate`.
  /// - Returns: whether there are exactly as many bytes, whatever `packed` claims: no more than that is
  ///   ever allocated.
  private func inflate(_ packed: UnsafeRawBufferPointer, bytes: Int) throws(StoreError) -> Bool {
    let code =
      isOpen
      ? unsafe inflateReset(stream)
      : unsafe inflateInit_(stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else {
      throw StoreError(.outOfMemory, message: "zlib could not begin to inflate (\(code))")
    }
    isOpen = true
    if cells.count < bytes { cells = [UInt8](repeating: 0, count: bytes) }
    count += 1
    return unsafe cells.withUnsafeMutableBytes { output in
      unsafe stream.pointee.next_in = UnsafeMutablePointer(
        mutating: packed.bindMemory(to: UInt8.self).baseAddress)
      unsafe stream.pointee.avail_in = uInt(packed.count)
      unsafe stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
      unsafe stream.pointee.avail_out = uInt(bytes)
      // In one go: zlib need not keep what it may have to look back at.
      let code = unsafe CZlib.inflate(stream, Z_FINISH)
      return unsafe code == Z_STREAM_END && stream.pointee.avail_out == 0
        && stream.pointee.avail_in == 0
    }
  }
}
