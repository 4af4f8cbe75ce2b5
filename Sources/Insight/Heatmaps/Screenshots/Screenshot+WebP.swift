extension Screenshot {
  /// Keeps the chunks of the picture itself (RFC 9649, section 2). EXIF, XMP, profiles and unknown
  /// chunks are removed, and so are their flags in the header of the extended format.
  static func webp(_ file: FileBytes) throws(ScreenshotError) -> Picture {
    let end = 8 + (try file.little(4, 4))
    guard end <= file.count else { throw .broken }
    var chunks: [UInt8] = []
    var canvas: (width: Int, height: Int)?
    var size: (width: Int, height: Int)?
    var at = 12
    while at < end {
      let name = try file.text(at, 4)
      let length = try file.little(at + 4, 4)
      let start = at + 8
      let chunk = try file.part(at, 8 + length + length % 2)
      switch name {
      case "VP8 ":
        guard size == nil, try file.big(start + 3, 3) == 0x9d012a else { throw .broken }
        size = (try file.little(start + 6, 2) & 0x3fff, try file.little(start + 8, 2) & 0x3fff)
        chunks += chunk
      case "VP8L":
        guard size == nil, try file.big(start, 1) == 0x2f else { throw .broken }
        let bits = try file.little(start + 1, 4)
        size = (bits & 0x3fff + 1, bits >> 14 & 0x3fff + 1)
        chunks += chunk
      case "VP8X":
        guard at == 12, length == 10 else { throw .broken }
        canvas = (try file.little(start + 4, 3) + 1, try file.little(start + 7, 3) + 1)
        // Keep only the flag for transparency.
        chunks += chunk.prefix(8) + [UInt8(try file.big(start, 1)) & 0x10, 0, 0, 0]
        chunks += chunk.dropFirst(12)
      case "ALPH": chunks += chunk
      case "ANIM", "ANMF": throw .animated
      case "EXIF": try requireUpright(try file.part(start, length))
      default: break
      }
      at += chunk.count
    }
    guard let size, canvas.map({ $0 == size }) ?? true else { throw .broken }
    let length = UInt32(chunks.count + 4)
    let head = (0..<4).map { UInt8(truncatingIfNeeded: length >> UInt32(8 * $0)) }
    return (size.width, size.height, Array("RIFF".utf8) + head + Array("WEBP".utf8) + chunks)
  }
}
