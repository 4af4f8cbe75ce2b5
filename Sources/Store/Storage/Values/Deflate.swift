internal import CZlib

/// Compression in zlib's format (RFC 1950), which Python's `zlib.decompress` reads.
enum Deflate {
  /// Deflates bytes. Z_RLE looks only for runs of the same byte, which make up most of a grid.
  /// Other repetitions are rare in touch data, and looking for them takes twice the work. A window
  /// of 4 KiB and tables of 20 KiB are enough for that; larger ones would only have to be cleared.
  static func deflate(_ bytes: [UInt8]) throws(StoreError) -> [UInt8] {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    defer { unsafe stream.deallocate() }
    var code = unsafe deflateInit2_(
      stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 12, 5, Z_RLE, ZLIB_VERSION,
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

  /// - Returns: nil if the result is not exactly `count` bytes long. Never allocates more than
  ///   that, no matter what `packed` claims.
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
