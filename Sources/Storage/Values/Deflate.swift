internal import CZlib

/// zlib's format (RFC 1950), which Python's `zlib.decompress` reads.
enum Deflate {
  static func deflate(_ bytes: [UInt8]) throws(StoreError) -> [UInt8] {
    let bound = Int(compressBound(uLong(bytes.count)))
    var code = Z_OK
    let packed = unsafe [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
      var length = uLongf(bound)
      code = unsafe compress2(
        buffer.baseAddress, &length, bytes, uLong(bytes.count), Z_DEFAULT_COMPRESSION)
      count = code == Z_OK ? Int(length) : 0
    }
    guard code == Z_OK else {
      throw StoreError(.outOfMemory, message: "zlib could not deflate (\(code))")
    }
    return packed
  }

  /// - Returns: nil where the result is not exactly `count` bytes long, whatever `packed` claims:
  ///   no more than that is ever allocated.
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
