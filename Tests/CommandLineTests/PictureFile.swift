import FoundationEssentials
import Heatmaps
import TestSupport
import Testing

/// A decoded PNG that `touchgrid heatmap` wrote.
struct PictureFile {
  struct Metadata: Decodable {
    struct Area: Decodable {
      var x: Int
      var y: Int
      var width: Int
    }
    var screen: String
    var sessions: Int
    var days: Int
    var touches: Int
    var map: Area
  }

  let pixels: Pixels
  let metadata: Metadata

  init(_ path: String) throws {
    let bytes = try TemporaryFolder.contents(path)
    pixels = try Background(file: bytes, name: path).pixels
    let json = try #require(Self.text("touchgrid", in: bytes))
    metadata = try JSONDecoder().decode(Metadata.self, from: Data(json.utf8))
  }

  /// Returns the text of an uncompressed `iTXt` chunk.
  static func text(_ keyword: String, in png: [UInt8]) -> String? {
    let start = Array("iTXt\(keyword)".utf8) + [0, 0, 0, 0, 0]
    var position = 8
    while position + 12 <= png.count {
      let length = png[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      let chunk = png[position + 4..<min(png.count, position + 8 + length)]
      if chunk.starts(with: start) {
        return String(decoding: chunk.dropFirst(start.count), as: UTF8.self)
      }
      position += 12 + length
    }
    return nil
  }

  /// Returns a pixel of the map.
  func value(_ column: Int, _ row: Int) -> UInt32 {
    pixels.values[(metadata.map.y + row) * pixels.width + metadata.map.x + column]
  }
}
