import Recordings
import TestSupport
import Testing
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

    /// Every rotation, and every scale. `TouchModelTests` tests geometries by themselves.
    static let all = [
      Case(width: 320, height: 240, scale: 1, rotation: 0),
      Case(width: 300, height: 400, scale: 1.5, rotation: 90),
      Case(width: 640, height: 480, scale: 2, rotation: 180),
      Case(width: 240, height: 320, scale: 1, rotation: 270),
      Case(width: 640, height: 480, scale: 2, rotation: 90),
      Case(width: 480, height: 360, scale: 1.5, rotation: 270),
    ]

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

    /// The block of a pixel that people see.
    func block(_ x: Int, _ y: Int) -> Block {
      Block(column: x / Int(16 * scale), row: y / Int(16 * scale))
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

    let colour: UInt32 = 0xff20_a0d0
    try folder.write(
      try SamplePicture.png(colour, sample.seenWidth, sample.seenHeight), to: "screen.png")
    let path = folder.path("map.png")
    let result = try Program.run(
      [
        "heatmap", "marks", "--store", store, "--background", folder.path("screen.png"), "-o", path,
      ], in: folder)
    #expect(result.status == 0 && result.error == "", "\(result.error)")
    let picture = try PictureFile(path)
    #expect(picture.metadata.touches == sample.marks.count)
    #expect(picture.metadata.map.width == sample.seenWidth)
    #expect(picture.metadata.map.height == sample.seenHeight)
    // The pixels that are not the screenshot's, by their blocks.
    var drawn: [Block: Int] = [:]
    for y in 0..<sample.seenHeight {
      for x in 0..<sample.seenWidth where picture.value(x, y) != colour {
        drawn[sample.block(x, y), default: 0] += 1
      }
    }
    #expect(Set(drawn.keys) == Set(sample.marks.map { sample.block($0.x, $0.y) }))
    for (block, count) in drawn {
      let side = Int(16 * sample.scale)
      let columns = min(side, sample.seenWidth - block.column * side)
      let rows = min(side, sample.seenHeight - block.row * side)
      #expect(count == columns * rows, "\(block)")
    }
  }
}
