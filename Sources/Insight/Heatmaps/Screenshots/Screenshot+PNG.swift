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
}
