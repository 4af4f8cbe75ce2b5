internal import CZlib

/// The format gzip (RFC 1952), without a time and a name, so that equal input gives equal output.
public enum Gzip {
  private static let format: Int32 = 16 + 15
  private static let piece = 1 << 16

  /// - Throws: `.outOfMemory`.
  public static func compress(_ bytes: [UInt8]) throws(StoreError) -> [UInt8] {
    try Deflate.deflate(bytes, Z_BEST_COMPRESSION, bits: format, memory: 8, Z_DEFAULT_STRATEGY)
  }

  /// - Parameter limit: the maximum size of the result, in bytes, and of the memory for it.
  /// - Returns: nil if the bytes are not exactly one complete gzip file, or expand to more than the
  ///   limit.
  /// - Throws: `.outOfMemory`.
  public static func expand(_ packed: [UInt8], limit: Int) throws(StoreError) -> [UInt8]? {
    var stream = unsafe z_stream()
    let opened = unsafe inflateInit2_(
      &stream, format, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard opened == Z_OK else { throw failure(opened) }
    defer { unsafe _ = inflateEnd(&stream) }
    var result: [UInt8] = []
    var code = Z_OK
    unsafe packed.withUnsafeBufferPointer { input in
      unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      unsafe stream.avail_in = uInt(input.count)
      while code == Z_OK {
        let part = unsafe [UInt8](unsafeUninitializedCapacity: piece) { output, count in
          unsafe stream.next_out = output.baseAddress
          unsafe stream.avail_out = uInt(piece)
          code = unsafe inflate(&stream, Z_NO_FLUSH)
          count = unsafe piece - Int(stream.avail_out)
        }
        guard result.count + part.count <= limit else { return code = Z_BUF_ERROR }
        result += part
      }
    }
    guard code != Z_MEM_ERROR else { throw failure(code) }
    return unsafe code == Z_STREAM_END && stream.avail_in == 0 ? result : nil
  }

  private static func failure(_ code: Int32) -> StoreError {
    StoreError(.outOfMemory, message: "zlib failed to expand data (\(code))")
  }
}
