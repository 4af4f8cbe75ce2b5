internal import CZlib

/// Compression in zlib's format (RFC 1950), which Python's `zlib.decompress` reads.
enum Deflate {
  enum Content {
    case cells, text
  }

  /// Deflates bytes. For cells, `Z_RLE` looks only for runs of the same byte, which make up most of a grid.
  /// Other repetitions are rare in touch data, and looking for them takes twice as long. A window
  /// of 4 KiB and memory level 5 are enough for runs; larger buffers would only take longer to
  /// clear.
  static func deflate(
    _ bytes: [UInt8], as content: Content = .cells
  ) throws(StoreError) -> [UInt8] {
    try deflate(
      bytes, Z_DEFAULT_COMPRESSION, bits: 12, memory: 5,
      content == .cells ? Z_RLE : Z_DEFAULT_STRATEGY)
  }

  /// The corresponding C functions are `deflateInit2` and `deflate`.
  static func deflate(
    _ bytes: [UInt8], _ level: Int32, bits: Int32, memory: Int32, _ strategy: Int32
  ) throws(StoreError) -> [UInt8] {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    defer { unsafe stream.deallocate() }
    var code = unsafe deflateInit2_(
      stream, level, Z_DEFLATED, bits, memory, strategy, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { throw failure(code) }
    defer { unsafe _ = deflateEnd(stream) }
    let bound = unsafe Int(deflateBound(stream, uLong(bytes.count)))
    let packed = unsafe bytes.withUnsafeBufferPointer { input in
      unsafe [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.pointee.avail_in = uInt(input.count)
        unsafe stream.pointee.next_out = buffer.baseAddress
        unsafe stream.pointee.avail_out = uInt(bound)
        code = unsafe CZlib.deflate(stream, Z_FINISH)
        count = unsafe bound - Int(stream.pointee.avail_out)
      }
    }
    guard code == Z_STREAM_END else { throw failure(code) }
    return packed
  }

  private static func failure(_ code: Int32) -> StoreError {
    StoreError(.outOfMemory, message: "zlib failed to compress data (\(code))")
  }

  /// Inflates bytes. Never allocates more than `count` bytes, no matter what `packed` claims.
  /// - Returns: nil if `packed` is damaged, has bytes after its end, or does not inflate to exactly
  ///   `count` bytes.
  static func inflate(_ packed: [UInt8], count: Int) -> [UInt8]? {
    var code = Z_OK
    var used = uLong(packed.count)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      var length = uLongf(count)
      code = unsafe uncompress2(buffer.baseAddress, &length, packed, &used)
      filled = code == Z_OK ? Int(length) : 0
    }
    return code == Z_OK && bytes.count == count && used == packed.count ? bytes : nil
  }
}

/// Inflates one blob after another into the same buffer. Creating a stream for each blob would take
/// longer than inflating the blob of a day.
@safe final class Inflater {
  /// The result of the last call; the buffer may hold further bytes behind it.
  private(set) var cells: [UInt8] = []
  /// The number of blobs inflated so far.
  private(set) var count = 0
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private var isOpen = false

  init() { unsafe stream.initialize(to: z_stream()) }

  deinit {
    if isOpen { unsafe inflateEnd(stream) }
    unsafe stream.deallocate()
  }

  /// Inflates the cells of a row into `cells`.
  /// - Parameters:
  ///   - column: holds the bytes per cell; the next column holds the cells.
  ///   - widest: the maximum of bytes per cell.
  ///   - count: the expected number of cells.
  /// - Returns: the bytes per cell; nil if the data is not `count` cells of the stated width.
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

  /// Inflates a blob. The corresponding C functions are `inflateInit`, `inflateReset` and
  /// `inflate`.
  /// - Returns: whether the result is exactly `bytes` long. Never allocates more than that, no
  ///   matter what `packed` claims.
  private func inflate(_ packed: UnsafeRawBufferPointer, bytes: Int) throws(StoreError) -> Bool {
    let code =
      isOpen
      ? unsafe inflateReset(stream)
      : unsafe inflateInit_(stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else {
      throw StoreError(.outOfMemory, message: "zlib failed to start decompression (\(code))")
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
      // With one call for the whole blob, zlib needs no window of earlier output.
      let code = unsafe CZlib.inflate(stream, Z_FINISH)
      return unsafe code == Z_STREAM_END && stream.pointee.avail_out == 0
        && stream.pointee.avail_in == 0
    }
  }
}
