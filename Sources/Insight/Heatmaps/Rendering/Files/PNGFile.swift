internal import CZlib
internal import Text
internal import TouchModel

/// Writes a drawing as PNG. `iTXt` chunks (PNG, 11.3.4.5) carry its `Title`, the `Software`, and
/// its metadata as JSON under `touchgrid`. The same drawing always gives the same bytes.
enum PNGFile {
  static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  /// The length of the signature and of the first chunk, `IHDR`, in bytes.
  private static let headLength = 8 + 25

  static func bytes(_ drawing: Drawing) throws(PictureError) -> [UInt8] {
    let surface = try Surface(width: drawing.width, height: drawing.height)
    let canvas = try Canvas(surface)
    try canvas.draw(drawing.shapes)
    let png = try surface.png()
    let texts = [
      ("Title", drawing.title), ("Software", "Touchgrid \(touchgridVersion)"),
      ("touchgrid", drawing.metadata.text),
    ]
    return png[..<headLength] + texts.flatMap(internationalText) + png[headLength...]
  }

  static func bytes(_ pixels: Pixels) throws(PictureError) -> [UInt8] {
    try Surface.holding(pixels).png()
  }

  private static func internationalText(_ keyword: String, _ text: String) -> [UInt8] {
    // The zeros after the keyword end it, and mean: no compression (two bytes), no language, no
    // translated keyword.
    let content = Array("iTXt".utf8) + keyword.utf8 + [0, 0, 0, 0, 0] + text.utf8
    let sum = unsafe crc32(0, content, UInt32(content.count))
    return bigEndian(UInt32(content.count - 4)) + content
      + bigEndian(UInt32(truncatingIfNeeded: sum))
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
