import Heatmaps
import TestSupport
import Testing
import TouchModel

/// Tests what is kept of a screenshot. `PictureDecodingTests` tests real files.
@Suite struct ScreenshotTests {
  private static func failure(_ bytes: [UInt8]) -> ScreenshotError? {
    do throws(ScreenshotError) {
      _ = try Screenshot(bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    (PictureFiles.png, Screenshot.Kind.png), (PictureFiles.jpeg, .jpeg),
    (PictureFiles.lossy, .webp), (PictureFiles.lossless, .webp), (PictureFiles.transparent, .webp),
  ])
  func `A file without metadata stays unchanged`(bytes: [UInt8], kind: Screenshot.Kind) throws {
    let picture = try Screenshot(bytes)
    #expect(picture.type == kind)
    #expect(picture.width == 1280 && picture.height == 800)
    #expect(picture.bytes == bytes)
  }

  @Test(arguments: [
    (PictureFiles.talkingPNG, PictureFiles.png), (PictureFiles.talkingJPEG, PictureFiles.jpeg),
    (PictureFiles.talkingWebP, PictureFiles.transparent),
  ])
  func `Metadata of a picture are removed`(bytes: [UInt8], picture: [UInt8]) throws {
    #expect(try Screenshot(bytes).bytes == picture)
  }

  @Test(arguments: 2...8, [true, false])
  func `A picture with a rotation in its Exif data is refused`(orientation: Int, isBig: Bool) {
    let exif = PictureFiles.exif(orientation: orientation, isBig: isBig)
    let png = PictureFiles.pngStart + PictureFiles.chunk("eXIf", exif) + PictureFiles.pngEnd
    let jpeg =
      PictureFiles.jpeg.prefix(2) + PictureFiles.segment(0xe1, Array("Exif\0\0".utf8) + exif)
      + PictureFiles.jpeg.dropFirst(2)
    let webp = PictureFiles.extended(8, PictureFiles.lossyPart + PictureFiles.part("EXIF", exif))
    for bytes in [png, Array(jpeg), webp] { #expect(Self.failure(bytes) == .turned) }
  }

  @Test func `Animations are refused`() {
    let animation = PictureFiles.extended(
      2, PictureFiles.part("ANIM", [0, 0, 0, 0, 0, 0]) + PictureFiles.part("ANMF", [1]))
    #expect(Self.failure(animation) == .animated)
  }

  @Test func `Files with an invalid structure are refused as broken`() {
    let noData = PictureFiles.pngStart + PictureFiles.chunk("IEND", [])
    let noHeader = PictureFiles.png.prefix(8) + PictureFiles.pngEnd
    var flat = PictureFiles.png
    flat[18...19] = [0, 0]
    let noScan = PictureFiles.jpeg.prefix(2) + [0xff, 0xd9]
    let short = PictureFiles.jpeg.prefix(2) + [0xff, 0xdb, 0, 1, 0xff, 0xd9]
    let twoPictures = PictureFiles.riff(PictureFiles.lossyPart + PictureFiles.losslessPart)
    let otherSize = PictureFiles.riff(
      PictureFiles.part("VP8X", Array(repeating: 0, count: 10)) + PictureFiles.lossyPart)
    for bytes in [noData, Array(noHeader), flat, Array(noScan), Array(short)]
      + [twoPictures, otherSize, PictureFiles.riff([])]
    {
      #expect(Self.failure(bytes) == .broken)
    }
  }

  @Test(arguments: [
    PictureFiles.png, PictureFiles.jpeg, PictureFiles.lossy, PictureFiles.lossless,
    PictureFiles.transparent,
  ])
  func `Truncated files are refused as broken`(bytes: [UInt8]) {
    for count in 16..<bytes.count { #expect(Self.failure(Array(bytes.prefix(count))) == .broken) }
  }
}
