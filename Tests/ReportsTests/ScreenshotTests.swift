import Reports
import Testing
import TouchModel

@Suite struct ScreenshotTests {
  private static let png: [UInt8] =
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] + "IHDR".utf8
    + [0, 0, 5, 0, 0, 0, 3, 0x20, 8, 2, 0, 0, 0]
  /// An APP0 segment, a table, fill bytes, then the frame header of a progressive picture.
  private static let jpeg: [UInt8] =
    [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xdb, 0, 3, 7, 0xff, 0xff, 0xc2, 0, 11, 8]
    + [0x03, 0x20, 0x05, 0x00, 3, 0, 0, 0]
  private static let lossy: [UInt8] =
    "RIFF".utf8 + [0, 0, 0, 0] + "WEBPVP8 ".utf8 + [0, 0, 0, 0, 0, 0, 0, 0x9d, 0x01, 0x2a]
    + [0x00, 0x45, 0x20, 0x43]
  /// 14 bits of width - 1, 14 of height - 1.
  private static let lossless: [UInt8] =
    "RIFF".utf8 + [0, 0, 0, 0] + "WEBPVP8L".utf8 + [0, 0, 0, 0, 0x2f]
    + [0xff, 0xc4, 0xc7, 0x00] + [0, 0, 0, 0, 0]
  private static let extended: [UInt8] =
    "RIFF".utf8 + [0, 0, 0, 0] + "WEBPVP8X".utf8 + [10, 0, 0, 0, 0, 0, 0, 0]
    + [0xff, 0x04, 0x00, 0x1f, 0x03, 0x00]

  @Test(arguments: [
    (png, Screenshot.Kind.png), (jpeg, .jpeg), (lossy, .webp), (lossless, .webp),
    (extended, .webp),
  ])
  func kindAndSizeAreReadFromTheBytes(bytes: [UInt8], kind: Screenshot.Kind) throws {
    let picture = try #require(Screenshot(bytes))
    #expect(picture.type == kind)
    #expect(picture.width == 1280 && picture.height == 800)
    #expect(picture.bytes == bytes)
  }

  @Test(arguments: [png, jpeg, lossy, lossless, extended])
  func whatIsCutOffIsNoPicture(bytes: [UInt8]) {
    for count in 0..<bytes.count {
      // Nothing but its size has to be there.
      if let picture = Screenshot(Array(bytes.prefix(count))) {
        #expect(picture.width == 1280 && picture.height == 800)
      }
    }
    #expect(Screenshot(Array(bytes.prefix(20))) == nil)
  }

  @Test func otherFilesAreNoPictures() {
    for text in [
      "", "GIF89a", "<svg onload='alert(1)'>", "%PDF-1.7", "RIFF....WEBPXXXX...............",
    ] {
      #expect(Screenshot(Array(text.utf8)) == nil)
    }
    var flat = Self.png
    flat[18...19] = [0, 0]
    #expect(Screenshot(flat) == nil)
  }

  @Test func aPictureFitsDisplaysOfItsShapeAlone() throws {
    let picture = try #require(Screenshot(Self.png))
    #expect(picture.fits(try Samples.geometry(1280, 800)))
    #expect(picture.fits(try Samples.geometry(1920, 1200)))
    #expect(picture.fits(try Samples.geometry(800, 1280, rotation: .quarter)))
    #expect(!picture.fits(try Samples.geometry(1280, 800, rotation: .quarter)))
    #expect(!picture.fits(try Samples.geometry(1920, 1080)))
    #expect(!picture.fits(try Samples.geometry(1280, 770)))
  }
}
