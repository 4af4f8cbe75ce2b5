internal import CZlib

extension Screenshot {
  static let pngSignature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  /// The chunks that define the picture (PNG, third edition, section 11). All else is removed:
  /// texts, times, EXIF, colour profiles, the frames of an animation.
  private static let chunks: Set = ["IHDR", "PLTE", "tRNS", "gAMA", "sRGB", "IDAT", "IEND"]

  static func png(_ file: FileBytes) throws(ScreenshotError) -> Picture {
    guard try file.text(12, 4) == "IHDR", try file.big(8, 4) == 13 else { throw .broken }
    var bytes = pngSignature
    var hasData = false
    var at = bytes.count
    while true {
      let length = try file.big(at, 4)
      let name = try file.text(at + 4, 4)
      // The chunk has a length, a name, data and a checksum.
      let chunk = try file.part(at, 12 + length)
      if chunks.contains(name) {
        // A decoder might take the size from a second header.
        guard name != "IHDR" || at == pngSignature.count else { throw .broken }
        bytes += chunk
      } else if name == "eXIf" {
        try requireUpright(chunk.dropFirst(8).dropLast(4))
      }
      hasData = hasData || name == "IDAT"
      at += chunk.count
      if name == "IEND" { break }
    }
    guard hasData else { throw .broken }
    return (try file.big(16, 4), try file.big(20, 4), bytes)
  }

  /// Decompresses the data of a PNG, and discards the result.
  /// - Throws: `.broken` if there are more data than the picture can have, because a decoder might
  ///   keep them all. Other faults are left to the decoder.
  func checkExpansion() throws(ScreenshotError) {
    // The maximum size of the lines of a picture with 4 channels of 8 or 16 bits. Each line begins
    // with its filter, and may end in the middle of a byte. An interlaced picture has seven parts,
    // with fewer than twice as many lines.
    let most = width * height * (bytes[24] == 16 ? 8 : 4) + 4 * height + 64
    let file = FileBytes(bytes)
    var stream = unsafe z_stream()
    let size = unsafe Int32(MemoryLayout<z_stream>.size)
    guard unsafe inflateInit_(&stream, ZLIB_VERSION, size) == Z_OK else { return }
    defer { unsafe _ = inflateEnd(&stream) }
    var (total, at) = (0, Self.pngSignature.count)
    var output = [UInt8](repeating: 0, count: 1 << 16)
    while at < bytes.count {
      let length = try file.big(at, 4)
      defer { at += 12 + length }
      guard try file.text(at + 4, 4) == "IDAT" else { continue }
      var input = Array(try file.part(at + 8, length))
      let isOver = unsafe input.withUnsafeMutableBufferPointer { input in
        unsafe output.withUnsafeMutableBufferPointer { output in
          unsafe stream.next_in = input.baseAddress
          unsafe stream.avail_in = UInt32(input.count)
          repeat {
            unsafe stream.next_out = output.baseAddress
            unsafe stream.avail_out = UInt32(output.count)
            let code = unsafe inflate(&stream, Z_NO_FLUSH)
            total += unsafe output.count - Int(stream.avail_out)
            // Z_BUF_ERROR: the input of this chunk is used up.
            if code == Z_BUF_ERROR { return false }
            guard code == Z_OK else { return true }
          } while unsafe stream.avail_out == 0 && total <= most
          return false
        }
      }
      guard total <= most else { throw .broken }
      if isOver { return }
    }
  }
}
