import Heatmaps
import TestSupport
import Testing
import Text
import TouchModel

/// Sample backgrounds and colours.
extension Samples {
  static let source = HeatmapSource(
    words: "all days", metadata: [JSONValue.Member(name: "of", value: ["since": .null])])

  /// Returns the bare map, decoded from its PNG.
  static func map(
    _ grid: SummedGrid, _ options: HeatmapOptions = HeatmapOptions(), over ground: Pixels? = nil
  ) throws -> Pixels {
    var options = options
    options.isBare = true
    if ground == nil { options.pixelsPerPoint = 1 }
    let background = ground.map { Background($0, name: "ground.png") }
    let map = GridMap(grid, options: options, source: source, background: background)
    let png = try PictureFormat.png.bytes([try map.sheet.drawing()])
    return try Background(file: png, name: "map.png").pixels
  }

  /// Returns three backgrounds: white, black, and noise that resembles a photograph.
  static func grounds(_ width: Int, _ height: Int) -> [(name: String, pixels: Pixels)] {
    var generator = SeededGenerator(seed: 5)
    func noise(_ value: Int) -> UInt32 {
      UInt32(min(255, max(0, value + Int.random(in: -25...25, using: &generator))))
    }
    let photo = (0..<width * height).map { index in
      let (x, y) = (index % width, index / width)
      let red = noise(255 * x / width)
      let green = noise(255 * y / height)
      let blue = noise(128 + 100 * x * y / (width * height))
      return 0xff00_0000 | red << 16 | green << 8 | blue
    }
    func plain(_ value: UInt32) -> Pixels {
      Pixels(width: width, height: height, values: Array(repeating: value, count: width * height))
    }
    return [
      ("white", plain(0xffff_ffff)), ("black", plain(0xff00_0000)),
      ("photograph", Pixels(width: width, height: height, values: photo)),
    ]
  }

  /// Returns why a file is refused; nil if it is read.
  static func refusal(_ file: [UInt8], name: String = "shot") -> String? {
    do throws(PictureError) {
      _ = try Background(file: file, name: name)
      return nil
    } catch {
      return error.description
    }
  }

  /// Returns how different two opaque colours look (CIE 1976: a difference of about 2 is just
  /// visible).
  static func difference(_ a: UInt32, _ b: UInt32) -> Double {
    let (first, second) = (lab(a), lab(b))
    return zip(first, second).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
  }

  private static func lab(_ value: UInt32) -> [Double] {
    TestSupport.lab([16, 8, 0].map { linear(Double(value >> UInt32($0) & 255) / 255) })
  }

  /// Returns the indices of the pixels of a block, at one pixel per point.
  static func indices(_ block: Block, width: Int, side: Int = 16) -> [Int] {
    (0..<side).flatMap { y in
      (0..<side).map { x in (block.row * side + y) * width + block.column * side + x }
    }
  }

  static func middle(_ block: Block, width: Int, side: Int = 16) -> Int {
    let (x, y) = (block.column * side + side / 2, block.row * side + side / 2)
    return y * width + x
  }
}
