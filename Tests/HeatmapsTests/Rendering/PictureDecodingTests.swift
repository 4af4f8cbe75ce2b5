import CZlib
import TestSupport
import Testing

@testable import Heatmaps

/// Tests pictures as cameras and browsers write them. The libraries' own encoders make them.
@Suite struct PictureDecodingTests {
  /// A picture of smooth colours, so that lossy formats lose little.
  private static let width = 48
  private static let height = 40

  private static func pixels(alpha: (_ x: Int, _ y: Int) -> Int = { _, _ in 255 }) -> [UInt32] {
    (0..<width * height).map { index in
      let (x, y) = (index % width, index / width)
      let channels = [alpha(x, y), 40 + 4 * x, 230 - 3 * y, 60 + 2 * (x + y)]
      return channels.reduce(0) { $0 << 8 | UInt32($1) }
    }
  }

  private static let opaque = pixels()
  private static let translucent = pixels { x, y in min(255, 6 * x + y) }

  private static func decoded(_ file: [UInt8]) throws(PictureError) -> Pixels {
    try Background(file: file, name: "shot").pixels
  }

  private static func channels(_ value: UInt32) -> [Int] {
    [24, 16, 8, 0].map { Int(value >> $0 & 255) }
  }

  /// Returns the mean and the largest difference between the channels of two pictures.
  private static func difference(_ a: [UInt32], _ b: [UInt32]) -> (mean: Double, largest: Int) {
    let all = zip(a, b).flatMap { zip(channels($0), channels($1)).map { abs($0 - $1) } }
    return (Double(all.reduce(0, +)) / Double(all.count), all.max() ?? 0)
  }

  private static func premultiplied(_ pixels: [UInt32]) -> [UInt32] {
    pixels.map { value in
      let parts = channels(value)
      return parts.dropFirst().reduce(UInt32(parts[0])) {
        $0 << 8 | UInt32((Double($1 * parts[0]) / 255).rounded())
      }
    }
  }

  private static func png() throws -> [UInt8] {
    try PNGFile.bytes(Pixels(width: width, height: height, values: opaque))
  }

  /// Real files of each format.
  private static func files() throws -> [(name: String, bytes: [UInt8])] {
    [
      ("PNG", try png()),
      ("JPEG", try EncodedPicture.jpeg(opaque, width: width)),
      (
        "progressive JPEG",
        try EncodedPicture.jpeg(opaque, width: width, sampling: .half, isProgressive: true)
      ),
      ("WebP", try EncodedPicture.webp(opaque, width: width, isLossless: false)),
      ("lossless WebP", try EncodedPicture.webp(opaque, width: width, isLossless: true)),
      ("WebP with alpha", try EncodedPicture.webp(translucent, width: width, isLossless: false)),
    ]
  }

  // MARK: Pixels

  @Test(arguments: EncodedPicture.Sampling.allCases, [false, true])
  func `A JPEG has the pixels of the PNG`(sampling: EncodedPicture.Sampling, isProgressive: Bool)
    throws
  {
    let png = try Self.decoded(Self.png())
    #expect(png.values == Self.opaque)
    let jpeg = try Self.decoded(
      EncodedPicture.jpeg(
        png.values, width: png.width, sampling: sampling, isProgressive: isProgressive))
    #expect((jpeg.width, jpeg.height) == (png.width, png.height))
    #expect(jpeg.values.allSatisfy { $0 >> 24 == 255 })
    guard sampling != .grey else {
      // The luma of Rec. 601.
      let luma = png.values.map { value in
        let parts = Self.channels(value).map(Double.init)
        let grey = UInt32((0.299 * parts[1] + 0.587 * parts[2] + 0.114 * parts[3]).rounded())
        return 0xff00_0000 | grey << 16 | grey << 8 | grey
      }
      let loss = Self.difference(jpeg.values, luma)
      #expect(loss.mean < 1.5 && loss.largest <= 8, "\(loss)")
      return
    }
    let loss = Self.difference(jpeg.values, png.values)
    #expect(loss.mean < 1.5 && loss.largest <= 12, "\(loss)")
  }

  @Test func `A WebP has the pixels of the PNG`() throws {
    let png = try Self.decoded(Self.png())
    let lossless = try Self.decoded(
      EncodedPicture.webp(png.values, width: png.width, isLossless: true))
    #expect(lossless == png)
    let lossy = try Self.decoded(
      EncodedPicture.webp(png.values, width: png.width, isLossless: false))
    #expect((lossy.width, lossy.height) == (png.width, png.height))
    let loss = Self.difference(lossy.values, png.values)
    #expect(loss.mean < 3 && loss.largest <= 16, "\(loss)")
  }

  @Test func `The colours of a transparent WebP are premultiplied`() throws {
    let wanted = Self.premultiplied(Self.translucent)
    let lossless = try Self.decoded(
      EncodedPicture.webp(Self.translucent, width: Self.width, isLossless: true))
    #expect(Self.difference(lossless.values, wanted).largest <= 1)
    let lossy = try Self.decoded(
      EncodedPicture.webp(Self.translucent, width: Self.width, isLossless: false))
    let loss = Self.difference(lossy.values, wanted)
    #expect(loss.mean < 3 && loss.largest <= 24, "\(loss)")
    #expect(zip(lossy.values, wanted).allSatisfy { $0 >> 24 == $1 >> 24 })
  }

  // MARK: Pictures that are refused

  @Test func `A JPEG in CMYK is refused`() throws {
    let file = try EncodedPicture.cmykJPEG(Self.opaque, width: Self.width)
    #expect(Samples.refusal(file) == "shot has CMYK colours; save it in RGB")
  }

  @Test func `A picture that is too large is refused before memory is allocated`() throws {
    var jpeg = try EncodedPicture.jpeg(Self.opaque, width: Self.width)
    let frame = try #require(jpeg.firstRange(of: [0xff, 0xc0])).lowerBound
    jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0xff, 0xff, 0xff, 0xff])
    #expect(
      Samples.refusal(jpeg)
        == "shot has 65535 x 65535 pixels (the limit is 32767 in each direction, and 67,108,864 in "
        + "all); make it smaller")
    var lossy = try EncodedPicture.webp(Self.opaque, width: Self.width, isLossless: false)
    lossy.replaceSubrange(26..<30, with: [0xff, 0x3f, 0xff, 0x3f])
    #expect(
      Samples.refusal(lossy)?.hasPrefix("shot has 16383 x 16383 pixels (the limit is") == true)
    var lossless = try EncodedPicture.webp(Self.opaque, width: Self.width, isLossless: true)
    lossless.replaceSubrange(21..<25, with: [0xff, 0xff, 0xff, 0x0f])
    #expect(
      Samples.refusal(lossless)?.hasPrefix("shot has 16384 x 16384 pixels (the limit is") == true)
  }

  @Test func `A header with more pixels than the data is refused`() throws {
    for isProgressive in [false, true] {
      var jpeg = try EncodedPicture.jpeg(
        Self.opaque, width: Self.width, isProgressive: isProgressive)
      let frame = try #require(jpeg.firstRange(of: [0xff, isProgressive ? 0xc2 : 0xc0])).lowerBound
      jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0x0f, 0xa0, 0x0f, 0xa0])
      #expect(Samples.refusal(jpeg)?.hasPrefix("shot cannot be decoded (") == true)
    }
    for isLossless in [false, true] {
      var webp = try EncodedPicture.webp(Self.opaque, width: Self.width, isLossless: isLossless)
      // The height of 40 pixels becomes one of 1,000 or more.
      if isLossless { webp[23] = 0x0f } else { webp[29] = 0x04 }
      #expect(Samples.refusal(webp) == "shot is broken; save it again")
    }
  }

  // MARK: Damage

  /// Returns a picture of which the data end too early, but whose file is complete; nil if
  /// fewer than `count` bytes of data are left.
  private static func shortened(_ file: [UInt8], by count: Int) -> [UInt8]? {
    let kept = file.dropLast(count)
    switch file[0] {
    case 0xff: return kept.dropLast(2) + [0xff, 0xd9]
    case 0x52:
      // The last chunk begins where the data of the picture itself do.
      guard let chunk = ["VP8 ", "VP8L"].lazy.compactMap({ file.firstRange(of: $0.utf8) }).first
      else { return nil }
      guard kept.count > chunk.lowerBound + 8 else { return nil }
      let data = kept[(chunk.lowerBound + 8)...]
      let name = String(decoding: file[chunk], as: UTF8.self)
      return PictureFiles.riff(
        Array(file[12..<chunk.lowerBound]) + PictureFiles.part(name, Array(data)))
    case 0x89:
      guard let data = file.firstRange(of: "IDAT".utf8),
        file.count - 16 - count > data.upperBound
      else { return nil }
      // After the data come the checksum and the chunk IEND.
      let body = Array(file[data.lowerBound..<file.count - 16 - count])
      let checksum = unsafe crc32(0, body, UInt32(body.count))
      return file[..<(data.lowerBound - 4)] + PictureFiles.big(body.count - 4, 4) + body
        + PictureFiles.big(Int(checksum), 4) + file.suffix(12)
    default: return nil
    }
  }

  @Test func `A whole file with too few data is refused, or nothing is missing in the picture`()
    throws
  {
    for file in try Self.files() {
      let whole = try Self.decoded(file.bytes).values
      var refused = 0
      for count in 1...50 {
        let short = try #require(Self.shortened(file.bytes, by: count), "\(file.name)")
        guard let picture = try? Self.decoded(short) else {
          refused += 1
          continue
        }
        let loss = Self.difference(picture.values, whole)
        #expect(loss.mean < 0.5, "\(file.name) without \(count) bytes: \(loss)")
      }
      #expect(refused >= 40, "\(file.name): \(refused)")
    }
  }
}
