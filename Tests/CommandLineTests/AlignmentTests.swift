import Recordings
import TestSupport
import Testing
import TouchModel

/// Touches on the marks of a drawn test screen appear on these marks in the heatmap's picture. The
/// test covers everything from the panel's events through the daemon and its store to the pixels.
/// `TouchModelTests` tests the other rotations and scales.
@Suite struct AlignmentTests {
  private static let (width, height, scale) = (300, 400, 1.5)
  /// The size that the person sees, in pixels. The screen is turned by 90 degrees.
  private static let (seenWidth, seenHeight) = (height, width)
  private static let side = Int(16 * scale)

  /// The pixels to touch: the corners, both sides of block borders, and places without any
  /// symmetry. They reveal a picture that is mirrored, turned or shifted.
  private static let marks = [
    (0, 0), (seenWidth - 1, 0), (0, seenHeight - 1), (seenWidth - 1, seenHeight - 1),
    (seenWidth * 3 / 10, seenHeight / 5), (seenWidth * 7 / 10, seenHeight * 2 / 5),
    (10 * side + 1, 5 * side + 1), (14 * side - 2, 9 * side - 2),
  ]

  /// Returns where a visible pixel lies on the panel, from 0 to 1 in each direction. The picture's
  /// top edge lies along the panel's right edge, and its left edge along the panel's top edge.
  private static func place(_ x: Int, _ y: Int) -> (x: Double, y: Double) {
    (1 - (Double(y) + 0.5) / Double(seenHeight), (Double(x) + 0.5) / Double(seenWidth))
  }

  /// The block of a pixel that people see.
  private static func block(_ x: Int, _ y: Int) -> Block {
    Block(column: x / side, row: y / side)
  }

  private static let unitsAcross: Int32 = 32_768

  @Test func `Touches on the marks of a screen appear on them in its picture`() throws {
    let folder = try TemporaryFolder()
    var gestures = Gestures(
      on: .panel(width: Self.unitsAcross, height: Self.unitsAcross))
    gestures.screen("marks")
    for (x, y) in Self.marks {
      let place = Self.place(x, y)
      let units = Double(Self.unitsAcross)
      gestures.tap(0, at: (Int32(place.x * units), Int32(place.y * units)))
      gestures.wait(300_000)
    }
    let recording = try folder.write(gestures.recording.evemuText, to: "marks.evemu")
    let settings = try folder.write(
      """
      [[display]]
      name = "HDMI-A-1"
      width = \(Self.width)
      height = \(Self.height)
      scale = \(Self.scale)
      rotation = 90
      """, to: "settings.toml")
    let store = folder.path("store.db")
    let daemon = try Program.run(
      ["--config", settings, "--store", store, "--replay", recording],
      program: try Program.path + "d", in: folder)
    #expect(daemon.status == 0, "\(daemon.error)")

    let colour: UInt32 = 0xff20_a0d0
    try folder.write(
      try SamplePicture.png(colour, Self.seenWidth, Self.seenHeight), to: "screen.png")
    let path = folder.path("map.png")
    let result = try Program.run(
      [
        "heatmap", "marks", "--store", store, "--background", folder.path("screen.png"), "-o", path,
      ], in: folder)
    #expect(result.status == 0 && result.error == "", "\(result.error)")
    let picture = try PictureFile(path)
    #expect(picture.metadata.touches == Self.marks.count)
    #expect(picture.metadata.map.width == Self.seenWidth)
    #expect(picture.metadata.map.height == Self.seenHeight)
    // The pixels that are not the screenshot's, by their blocks.
    var drawn: [Block: Int] = [:]
    for y in 0..<Self.seenHeight {
      for x in 0..<Self.seenWidth where picture.value(x, y) != colour {
        drawn[Self.block(x, y), default: 0] += 1
      }
    }
    #expect(Set(drawn.keys) == Set(Self.marks.map { Self.block($0.0, $0.1) }))
    for (block, count) in drawn {
      let columns = min(Self.side, Self.seenWidth - block.column * Self.side)
      let rows = min(Self.side, Self.seenHeight - block.row * Self.side)
      #expect(count == columns * rows, "\(block)")
    }
  }
}
