import Foundation

/// A picture of the whole screen, as grim takes it (PPM: three bytes per pixel).
struct ScreenPicture: Equatable {
  let width: Int
  let height: Int
  private let bytes: [UInt8]

  struct Box: Equatable {
    var left: Int
    var top: Int
    var right: Int
    var bottom: Int
    /// In pixels from the top left corner of the screen. The centre of the first pixel is at 0.5.
    var centre: (x: Double, y: Double) {
      (Double(left + right + 1) / 2, Double(top + bottom + 1) / 2)
    }
    var width: Int { right - left + 1 }
    var height: Int { bottom - top + 1 }
  }

  init(ppm file: URL) throws {
    let data = [UInt8](try Data(contentsOf: file))
    // The header: P6, width, height and 255, each followed by one byte of white space.
    var words: [String] = []
    var start = 0
    for index in data.indices.prefix(40) where words.count < 4 && data[index] <= 32 {
      words.append(String(decoding: data[start..<index], as: UTF8.self))
      start = index + 1
    }
    guard words.count == 4, words[0] == "P6", let width = Int(words[1]), let height = Int(words[2]),
      words[3] == "255", data.count == start + 3 * width * height
    else { throw Guest.Failure(description: "\(file.path) is no picture: \(words)") }
    (self.width, self.height, bytes) = (width, height, Array(data[start...]))
  }

  /// Returns the smallest box around the pixels that differ from another picture, in the given
  /// columns, or nil if none differ.
  func difference(from other: ScreenPicture, columns: Range<Int>) -> Box? {
    var box: Box?
    for y in 0..<height {
      for x in columns {
        let at = 3 * (y * width + x)
        guard bytes[at..<at + 3] != other.bytes[at..<at + 3] else { continue }
        let known = box ?? Box(left: x, top: y, right: x, bottom: y)
        box = Box(
          left: min(known.left, x), top: known.top, right: max(known.right, x), bottom: y)
      }
    }
    return box
  }
}
