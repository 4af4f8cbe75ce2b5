import CCairo
import TestSupport
import Testing
import Text
import TouchModel

@testable import Heatmaps

@Suite struct BackgroundTests {
  private func refusal(_ width: Int, _ height: Int, _ geometry: DisplayGeometry) -> String? {
    let values = Array(repeating: UInt32(0xffff_ffff), count: width * height)
    let pixels = Pixels(width: width, height: height, values: values)
    do throws(PictureError) {
      try Background(pixels, name: "shot.png").fit(geometry)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `A screenshot that does not fit is refused with a reason and a remedy`() throws {
    let geometry = try geometry(1280, 800)
    let side = try #require(refusal(800, 1280, geometry))
    #expect(side.contains("shot.png has 800 x 1280 pixels"))
    #expect(side.contains("the screenshot is turned by 90 degrees. Rotate it"))
    let other = try #require(refusal(1024, 768, geometry))
    #expect(other.contains("has another aspect ratio. Take a screenshot of this display"))
    #expect(other.contains("1280 x 800"))
  }

  // MARK: 16 bits a channel

  /// A PNG of two pixels with 16 bits per channel: red ff80, green 8040, blue 0000; and 1000, 2000,
  /// ffff.
  private static let deep: [UInt8] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x10, 0x02, 0x00, 0x00, 0x00, 0x2b, 0xd0, 0x34,
    0x9e, 0x00, 0x00, 0x00, 0x15, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0xf8, 0xdf, 0xd0, 0xe0,
    0xc0, 0xc0, 0x20, 0xc0, 0xa0, 0xc0, 0xf0, 0xff, 0x3f, 0x00, 0x1c, 0x9e, 0x04, 0x6e, 0xba, 0xd4,
    0x47, 0x00, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
  ]

  @Test func `A PNG with 16 bits per channel is read`() throws {
    let pixels = try Background(file: Self.deep, name: "deep.png").pixels
    #expect((pixels.width, pixels.height) == (2, 1))
    for (value, wanted) in zip(pixels.values, [0xffff_8000, 0xff10_20ff] as [UInt32]) {
      #expect(Samples.difference(value, wanted) < 2)
      #expect(value >> 24 == 255)
    }
  }

  /// Newer versions of cairo decode some files to pixel formats with more than 8 bits per channel.
  /// This test creates such an image directly, so that it also works with older versions.
  @Test func `Images of other pixel formats are converted to 32 bits`() throws {
    let image = unsafe cairo_image_surface_create(CAIRO_FORMAT_RGB30, 3, 2)
    let surface = try unsafe Surface(owning: image, sink: nil)
    try Canvas(surface).draw([
      .rectangle(
        Box(x: 0, y: 0, width: 2, height: 2), Ink(Colour(red: 200, green: 30, blue: 90)))
    ])
    let pixels = try surface.pixels()
    #expect((pixels.width, pixels.height) == (3, 2))
    let (red, black): (UInt32, UInt32) = (0xffc8_1e5a, 0xff00_0000)
    #expect(pixels.values == [red, red, black, red, red, black])
  }

  // MARK: Hostile files

  private func refusal(_ bytes: [UInt8]) -> String? { Samples.refusal(bytes, name: "shot.png") }

  @Test func `Errors name other file formats`() {
    for (start, name) in [
      ("GIF89a", "a GIF"), ("BM", "a BMP"), ("%PDF-1.7", "a PDF"), ("II*\0", "a TIFF"),
      ("....ftypheic", "a HEIF"), ("....ftypavif", "an AVIF"),
    ] {
      #expect(
        refusal(Array(start.utf8)) == "shot.png is \(name); save it as PNG, JPEG or WebP")
    }
    for text in ["<svg/>", "RIFF....WAVE......"] {
      #expect(refusal(Array(text.utf8)) == "shot.png is not a PNG, JPEG or WebP file")
    }
    #expect(refusal([]) == "shot.png is empty")
  }

  @Test func `A wrong size and the largest one are refused`() throws {
    // A header with a wrong size has a wrong checksum.
    var png = Self.deep
    png[19] = 3
    #expect(refusal(png) == "shot.png is broken; save it again")
    png.replaceSubrange(16..<24, with: Array(repeating: 0xff, count: 8))
    #expect(refusal(png)?.contains("the limit is") == true)
  }
}
