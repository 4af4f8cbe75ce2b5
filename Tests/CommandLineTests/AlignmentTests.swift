import Heatmaps
import Recordings
import TestSupport
import Testing
import Text
import TouchModel

/// Touches on the marks of a drawn test screen appear on these marks in the heatmap's picture. The
/// tests cover everything from the panel's events through the daemon and its store to the pixels,
/// at all rotations and scales.
@Suite struct AlignmentTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// The size of the panel in pixels, before rotation.
    var width: Int
    var height: Int
    var scale: Double
    var rotation: Int

    var testDescription: String { "\(width)x\(height)@\(scale)+\(rotation)" }
    var isOnItsSide: Bool { rotation % 180 == 90 }
    /// The size that the person sees, in pixels.
    var seenWidth: Int { isOnItsSide ? height : width }
    var seenHeight: Int { isOnItsSide ? width : height }

    static let all = [(1024, 768), (1280, 800), (800, 1280), (1920, 1080)].flatMap { size in
      [1, 1.5, 2].flatMap { scale in
        [0, 90, 180, 270].map {
          Case(width: size.0, height: size.1, scale: scale, rotation: $0)
        }
      }
    }

    /// The pixels to touch: the corners, both sides of block borders, and places without any
    /// symmetry. They reveal a picture that is mirrored, turned or shifted.
    var marks: [(x: Int, y: Int)] {
      let side = Int(16 * scale)
      let (right, bottom) = (seenWidth - 1, seenHeight - 1)
      return [
        (0, 0), (right, 0), (0, bottom), (right, bottom),
        (seenWidth * 3 / 10, seenHeight / 5), (seenWidth * 7 / 10, seenHeight * 2 / 5),
        (10 * side + 1, 5 * side + 1), (14 * side - 2, 9 * side - 2),
      ]
    }

    /// Returns where a visible pixel lies on the panel, from 0 to 1 in each direction. At 90
    /// degrees the picture's top edge lies along the panel's right edge, and its left edge along
    /// the panel's top edge.
    func place(_ mark: (x: Int, y: Int)) -> (x: Double, y: Double) {
      let u = (Double(mark.x) + 0.5) / Double(seenWidth)
      let v = (Double(mark.y) + 0.5) / Double(seenHeight)
      return switch rotation {
      case 90: (1 - v, u)
      case 180: (1 - u, 1 - v)
      case 270: (v, 1 - u)
      default: (u, v)
      }
    }

    /// Returns the ranges of pixels of the block that contains a mark.
    func block(_ mark: (x: Int, y: Int)) -> (columns: Range<Int>, rows: Range<Int>) {
      let side = Int(16 * scale)
      func range(_ pixel: Int, _ size: Int) -> Range<Int> {
        let start = pixel / side * side
        return start..<min(size, start + side)
      }
      return (range(mark.x, seenWidth), range(mark.y, seenHeight))
    }
  }

  private static let unitsAcross: Int32 = 32_768

  @Test(arguments: Case.all)
  func `Touches on the marks of a screen appear on them in its picture`(_ sample: Case) throws {
    let folder = try TemporaryFolder()
    var gestures = Gestures(
      on: .panel(width: Self.unitsAcross, height: Self.unitsAcross))
    gestures.screen("marks")
    for mark in sample.marks {
      let place = sample.place(mark)
      let units = Double(Self.unitsAcross)
      gestures.tap(0, at: (Int32(place.x * units), Int32(place.y * units)))
      gestures.wait(300_000)
    }
    let recording = try folder.write(gestures.recording.evemuText, to: "marks.evemu")
    let settings = try folder.write(
      """
      [[display]]
      name = "HDMI-A-1"
      width = \(sample.width)
      height = \(sample.height)
      scale = \(sample.scale)
      rotation = \(sample.rotation)
      """, to: "settings.toml")
    let store = folder.path("store.db")
    let daemon = try Program.run(
      ["--config", settings, "--store", store, "--replay", recording],
      program: try Program.path + "d", in: folder)
    #expect(daemon.status == 0, "\(daemon.error)")

    let screenshot = try TestScreen.draw(sample)
    try folder.write(try PictureFormat.png.bytes([screenshot]), to: "screen.png")
    let path = folder.path("map.png")
    let result = try Program.run(
      [
        "heatmap", "marks", "--store", store, "--background", folder.path("screen.png"), "-o", path,
      ], in: folder)
    #expect(result.status == 0 && result.error == "", "\(result.error)")
    let shown = try Background(
      file: try TemporaryFolder.contents(folder.path("screen.png")), name: "screen.png")
    check(sample, try PictureFile(path), shown.pixels)
  }

  private func check(_ sample: Case, _ picture: PictureFile, _ screenshot: Pixels) {
    #expect(picture.metadata.touches == sample.marks.count)
    #expect(picture.metadata.map.width == sample.seenWidth)
    #expect(picture.metadata.map.height == sample.seenHeight)
    let blocks = sample.marks.map(sample.block)
    for (columns, rows) in blocks {
      let unchanged = rows.flatMap { row in columns.map { ($0, row) } }.count {
        picture.value($0, $1) == screenshot.values[$1 * screenshot.width + $0]
      }
      #expect(unchanged == 0, "in the block of \(columns), \(rows)")
    }
    var strayRows: [Int] = []
    for row in 0..<sample.seenHeight {
      var start = 0
      var isClean = true
      let here = blocks.filter { $0.rows.contains(row) }
        .sorted { $0.columns.lowerBound < $1.columns.lowerBound }
      for block in here where block.columns.lowerBound >= start {
        let between = start..<block.columns.lowerBound
        isClean = isClean && picture.equals(screenshot, row: row, columns: between)
        start = block.columns.upperBound
      }
      let rest = start..<sample.seenWidth
      isClean = isClean && picture.equals(screenshot, row: row, columns: rest)
      if !isClean { strayRows.append(row) }
    }
    #expect(strayRows.isEmpty, "something was drawn beside the marks")
  }
}

/// A screenshot in many cool colours, with crosses at the touched places.
enum TestScreen {
  static func draw(_ sample: AlignmentTests.Case) throws -> Drawing {
    let (width, height) = (sample.seenWidth, sample.seenHeight)
    var generator = SeededGenerator(seed: 7)
    let tiles = Pixels(
      width: (width + 31) / 32, height: (height + 31) / 32,
      values: (0..<(width + 31) / 32 * ((height + 31) / 32)).map { _ in
        let green = UInt32.random(in: 90...200, using: &generator)
        return 0xff00_00d0 | green << 8 | UInt32.random(in: 20...60, using: &generator) << 16
      })
    var drawing = try Drawing(width: width, height: height, title: "test", metadata: .null)
    let area = Box(x: 0, y: 0, width: Double(width), height: Double(height))
    drawing.shapes = [.image(tiles, area, isSmooth: false)]
    for mark in sample.marks {
      let (x, y) = (Double(mark.x), Double(mark.y))
      drawing.shapes += [
        .rectangle(Box(x: x - 12, y: y, width: 25, height: 1), .white),
        .rectangle(Box(x: x, y: y - 12, width: 1, height: 25), .white),
      ]
    }
    return drawing
  }
}
