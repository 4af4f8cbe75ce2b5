import Heatmaps
import TestSupport
import Text

/// Pictures of one colour.
enum SamplePicture {
  static func webp(_ colour: UInt32, _ width: Int, _ height: Int) throws -> [UInt8] {
    try EncodedPicture.webp(
      Array(repeating: colour | 0xff00_0000, count: width * height), width: width, isLossless: true)
  }

  static func png(_ colour: UInt32, _ width: Int, _ height: Int) throws -> [UInt8] {
    var drawing = try Drawing(width: width, height: height, title: "", metadata: .null)
    let pixels = Pixels(
      width: width, height: height, values: Array(repeating: colour, count: width * height))
    let area = Box(x: 0, y: 0, width: Double(width), height: Double(height))
    drawing.shapes = [.image(pixels, area, isSmooth: false)]
    return try Screenshot(try PictureFormat.png.bytes([drawing])).bytes
  }
}
