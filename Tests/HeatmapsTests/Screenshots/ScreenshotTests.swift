import CZlib
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
    #expect("\(ScreenshotError.turned)" == "has EXIF data that rotate it; save it upright")
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

  @Test(arguments: [(15_360, 11_520, 8), (32_768, 16, 8), (8192, 4096, 16)])
  func `A picture that no program could decode is refused`(width: Int, height: Int, bits: UInt8) {
    let header = PictureFiles.big(width, 4) + PictureFiles.big(height, 4) + [bits, 2, 0, 0, 0]
    let png =
      PictureFiles.png.prefix(8) + PictureFiles.chunk("IHDR", header) + PictureFiles.pngEnd
    let limit = bits == 16 ? 1 << 24 : 1 << 26
    #expect(Self.failure(Array(png)) == .tooLarge(width: width, height: height, limit: limit))
  }

  @Test func `A PNG whose data are more than its size, or that has two sizes, is broken`() throws {
    // 1280 x 800 pixels have at most 4.1 MB.
    func packed(_ count: Int) -> [UInt8] {
      let zeros = [UInt8](repeating: 0, count: count)
      var size = compressBound(UInt(count))
      var bytes = [UInt8](repeating: 0, count: Int(size))
      let code = unsafe compress(&bytes, &size, zeros, UInt(count))
      #expect(code == Z_OK)
      return Array(bytes.prefix(Int(size)))
    }
    func png(_ data: [[UInt8]]) -> [UInt8] {
      PictureFiles.pngStart + data.flatMap { PictureFiles.chunk("IDAT", $0) }
        + PictureFiles.chunk("IEND", [])
    }
    let (whole, bomb) = (packed(4_000_000), packed(64 << 20))
    #expect(try Screenshot(png([whole])).width == 1280)
    #expect(Self.failure(png([bomb])) == .broken)
    #expect(Self.failure(png(bomb.map { [$0] })) == .broken)
    let header = PictureFiles.big(9, 4) + PictureFiles.big(9, 4) + [8, 3, 0, 0, 0]
    let second = PictureFiles.pngStart + PictureFiles.chunk("IHDR", header) + PictureFiles.pngEnd
    #expect(Self.failure(second) == .broken)
    let frame = PictureFiles.segment(0xc0, [8, 0, 9, 0, 9, 1, 1, 0x11, 0])
    let jpeg = Array(PictureFiles.jpeg.dropLast(2)) + frame + [0xff, 0xd9]
    #expect(Self.failure(jpeg) == .broken)
  }

  @Test(arguments: [
    PictureFiles.png, PictureFiles.jpeg, PictureFiles.lossy, PictureFiles.lossless,
    PictureFiles.transparent,
  ])
  func `Truncated files are refused as broken`(bytes: [UInt8]) {
    for count in 0..<16 { #expect(Self.failure(Array(bytes.prefix(count))) != nil) }
    for count in 16..<bytes.count { #expect(Self.failure(Array(bytes.prefix(count))) == .broken) }
  }
}
