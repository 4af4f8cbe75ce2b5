extension Screenshot {
  /// Keeps the segments that decoders need (ITU T.81, annex B), and the application segments that
  /// define the colours: JFIF without its thumbnail, and Adobe. All else is removed: EXIF, XMP,
  /// profiles, comments, and data after the end.
  static func jpeg(_ file: FileBytes) throws(ScreenshotError) -> Picture {
    var bytes: [UInt8] = [0xff, 0xd8]
    var size: (width: Int, height: Int)?
    var hasScan = false
    var at = 2
    while true {
      guard try file.big(at, 1) == 0xff else { throw .broken }
      let marker = UInt8(try file.big(at + 1, 1))
      // Fill bytes may precede a marker.
      if marker == 0xff {
        at += 1
        continue
      }
      if marker == 0xd9 { break }
      let length = try file.big(at + 2, 2)
      guard length >= 2 else { throw .broken }
      let segment = try file.part(at, 2 + length)
      let data = segment.dropFirst(4)
      at += segment.count
      switch marker {
      case 0xe0 where data.starts(with: Array("JFIF\0".utf8)) && data.count >= 14:
        bytes += [0xff, 0xe0, 0, 16] + data.prefix(12) + [0, 0]
      case 0xee where data.starts(with: Array("Adobe".utf8)) && data.count >= 12:
        bytes += [0xff, 0xee, 0, 14] + data.prefix(12)
      case 0xe1 where data.starts(with: Array("Exif\0\0".utf8)): try requireUpright(data)
      case 0xc0...0xcf where marker != 0xc8:
        bytes += segment
        // The markers 0xc4 and 0xcc are also in this range, but begin tables and not a frame.
        if marker != 0xc4, marker != 0xcc {
          // If there are two frames, a decoder may use the size of the second one.
          guard size == nil else { throw .broken }
          let frame = FileBytes(Array(data))
          size = (try frame.big(3, 2), try frame.big(1, 2))
        }
      case 0xda:
        let end = endOfScan(file.all, from: at)
        bytes += segment + (try file.part(at, end - at))
        (hasScan, at) = (true, end)
      case 0xdb, 0xdc, 0xdd: bytes += segment
      case 0xe0...0xef, 0xfe: break
      default: throw .broken
      }
    }
    guard let size, hasScan else { throw .broken }
    return (size.width, size.height, bytes + [0xff, 0xd9])
  }

  /// Returns the position of the marker that follows the data of a scan; the length of the file if
  /// there is none. A zero after 0xff (an escaped 0xff) and restart markers belong to the data.
  private static func endOfScan(_ bytes: [UInt8], from start: Int) -> Int {
    var at = start
    while at + 1 < bytes.count {
      if bytes[at] == 0xff, bytes[at + 1] != 0, !(0xd0...0xd7).contains(bytes[at + 1]) { return at }
      at += 1
    }
    return bytes.count
  }
}
