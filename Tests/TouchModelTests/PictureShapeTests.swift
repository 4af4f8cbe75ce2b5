import TestSupport
import Testing
import TouchModel

@Suite struct PictureShapeTests {
  @Test func `Pictures of the display's size in pixels or points, or of multiples, fit`() throws {
    let panel = try geometry(1280, 800)
    for (width, height) in [(1280, 800), (1281, 799), (2560, 1600), (3840, 2400), (20480, 12800)] {
      #expect(panel.agreesWithPicture(width: width, height: height))
    }
    // The display has 853.3 x 533.3 points. The two largest sizes are of a page drawn with two
    // pixels per point.
    let scaled = try geometry(1280, 800, scale: 1.5)
    for (width, height) in [(1280, 800), (853, 533), (854, 534), (1706, 1066), (1707, 1067)] {
      #expect(scaled.agreesWithPicture(width: width, height: height))
    }
  }

  /// A viewer or a browser rounds each side of a scaled picture by itself.
  @Test func `The display's picture fits at every scale`() throws {
    for panel in [
      try geometry(1280, 800), try geometry(1920, 1080, scale: 1.5), try geometry(1366, 768),
      try geometry(1080, 1920, rotation: .quarter),
    ] {
      for percent in 10...400 {
        let factor = Double(percent) / 100
        let (width, height) = (panel.width * factor, panel.height * factor)
        #expect(
          panel.agreesWithPicture(width: Int(width.rounded()), height: Int(height.rounded())),
          "\(width) x \(height)")
      }
    }
    let panel = try geometry(1280, 800)
    for (width, height) in [(640, 400), (1920, 1200), (1024, 640), (320, 200)] {
      #expect(panel.agreesWithPicture(width: width, height: height))
    }
  }

  @Test func `Pictures of slightly different shapes do not fit`() throws {
    let panel = try geometry(1280, 800)
    for (width, height) in [
      (1280, 796), (1282, 800), (641, 399), (1024, 768), (1920, 1203), (2560, 1602), (800, 1280),
      (0, 0), (1, 1), (3, 2), (0, 800), (1280, 0), (.max, .max), (25600, 16000),
    ] {
      #expect(!panel.agreesWithPicture(width: width, height: height))
    }
    let turned = try geometry(800, 1280, rotation: .quarter)
    #expect(turned.agreesWithPicture(width: 1280, height: 800))
    #expect(!turned.agreesWithPicture(width: 800, height: 1280))
  }
}
