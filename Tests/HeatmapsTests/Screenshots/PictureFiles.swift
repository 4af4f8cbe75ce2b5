/// Picture files of 1280 x 800 pixels with a valid structure, but without valid image data. The
/// files named `talking…` also have metadata.
enum PictureFiles {
  static let secret = Array("taken by Ada at 52.5N".utf8)

  // MARK: PNG

  static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    big(data.count, 4) + name.utf8 + data + [1, 2, 3, 4]
  }

  static let pngStart: [UInt8] =
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    + chunk("IHDR", big(1280, 4) + big(800, 4) + [8, 3, 0, 0, 0])
  static let pngEnd = chunk("IDAT", [7, 7]) + chunk("IDAT", []) + chunk("IEND", [])
  static let png = pngStart + chunk("sRGB", [0]) + chunk("PLTE", [1, 2, 3]) + pngEnd
  static let talkingPNG =
    pngStart + chunk("sRGB", [0]) + chunk("tEXt", secret) + chunk("iCCP", secret)
    + chunk("PLTE", [1, 2, 3]) + chunk("eXIf", exif(orientation: 1) + secret)
    + pngEnd + secret

  // MARK: JPEG

  static func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
    [0xff, marker] + big(data.count + 2, 2) + data
  }

  private static let jfif = Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1]
  private static let adobe = Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1]
  private static let table = segment(0xdb, [0, 9])
  private static let frame = segment(0xc2, [8] + big(800, 2) + big(1280, 2) + [1, 1, 0x11, 0])
  private static let scan =
    segment(0xda, [1, 1, 0, 0, 63, 0])
    + [5, 0xff, 0, 6, 0xff, 0xd0, 7]
  static let jpeg =
    [0xff, 0xd8] + segment(0xe0, jfif + [0, 0]) + segment(0xee, adobe) + table + frame + scan
    + segment(0xc4, [3]) + scan + [0xff, 0xd9]
  static let talkingJPEG =
    [0xff, 0xd8] + segment(0xe0, jfif + [1, 1] + secret)
    + segment(0xe0, Array("JFXX\0".utf8) + secret)
    + segment(0xe1, Array("Exif\0\0".utf8) + exif(orientation: 1) + secret)
    + segment(0xe1, secret) + segment(0xe2, secret) + segment(0xee, adobe + secret)
    + [0xff] + table + segment(0xfe, secret) + frame + scan + segment(0xfe, secret)
    + segment(0xc4, [3]) + scan + [0xff, 0xd9] + secret

  // MARK: WebP

  static func riff(_ chunks: [UInt8]) -> [UInt8] {
    Array("RIFF".utf8) + little(chunks.count + 4, 4) + "WEBP".utf8 + chunks
  }

  static func part(_ name: String, _ data: [UInt8]) -> [UInt8] {
    name.utf8 + little(data.count, 4) + data + (data.count.isMultiple(of: 2) ? [] : [0])
  }

  static func extended(_ flags: UInt8, _ rest: [UInt8]) -> [UInt8] {
    riff(part("VP8X", [flags, 0, 0, 0] + little(1279, 3) + little(799, 3)) + rest)
  }

  static let lossyPart = part(
    "VP8 ", [0, 0, 0, 0x9d, 0x01, 0x2a] + little(1280 | 0x4000, 2) + little(800, 2) + [9])
  /// The size of this picture is encoded as 14 bits of width - 1, then 14 bits of height - 1.
  static let losslessPart = part("VP8L", [0x2f] + little(1279 | 799 << 14, 4) + [9])
  static let lossy = riff(lossyPart)
  static let lossless = riff(losslessPart)
  static let transparent = extended(0x10, part("ALPH", [3]) + lossyPart)
  static let talkingWebP =
    extended(
      0x3c,
      part("ICCP", secret) + part("ALPH", [3]) + lossyPart
        + part("EXIF", exif(orientation: 1) + secret)
        + part("XMP ", secret) + part("what", secret)) + secret

  // MARK: Numbers

  /// Returns Exif data with the orientation in the second entry of the first directory.
  static func exif(orientation: Int, isBig: Bool = true) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      isBig ? big(value, count) : little(value, count)
    }
    return (isBig ? "MM" : "II").utf8 + number(42, 2) + number(8, 4) + number(2, 2)
      + number(271, 2) + number(2, 2) + number(1, 4) + number(0, 4)
      + number(274, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + number(0, 2)
  }

  static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
