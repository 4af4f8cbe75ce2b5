import GridFormats
import HeatmapRendering
import TestSupport
import Testing
import TouchModel

@Suite struct BackgroundTests {
  private func background(_ width: Int, _ height: Int) -> Background {
    let values = Array(repeating: UInt32(0xffff_ffff), count: width * height)
    return Background(Pixels(width: width, height: height, values: values), name: "shot.png")
  }

  private func refusal(_ width: Int, _ height: Int, _ geometry: DisplayGeometry) -> String? {
    do throws(PictureError) {
      try background(width, height).fit(geometry)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func whatThePersonSeesFitsInPixelsAndInPoints() throws {
    let turned = try Samples.geometry(1080, 1920, scale: 1.5, rotation: .quarter)
    // 1920 x 1080 pixels are seen, 1280 x 720 points.
    for (width, height) in [
      (1920, 1080), (1280, 720), (1919, 1081), (1281, 719), (2560, 1440), (3840, 2160), (3841, 2159),
    ] {
      #expect(refusal(width, height, turned) == nil)
    }
    for (width, height) in [(1918, 1080), (1282, 720), (1921, 1078), (1600, 900), (2560, 1442)] {
      #expect(refusal(width, height, turned) != nil)
    }
  }

  @Test func whatDoesNotFitIsRefusedWithAReasonAndAWay() throws {
    let geometry = try Samples.geometry(1280, 800)
    let side = try #require(refusal(800, 1280, geometry))
    #expect(side.contains("shot.png has 800 x 1280 pixels"))
    #expect(side.contains("lies on its side. Turn it"))
    let other = try #require(refusal(1024, 768, geometry))
    #expect(other.contains("of another shape. Take a screenshot on this display"))
    #expect(other.contains("1280 x 800"))
    let small = try #require(refusal(640, 400, geometry))
    #expect(small.contains("Resize it to 1280 x 800"))
  }

  // MARK: Hostile files

  private static func valid() throws -> [UInt8] {
    var drawing = try Drawing(width: 40, height: 30, title: "t", metadata: .null)
    drawing.shapes = [.rectangle(Box(x: 3, y: 3, width: 9, height: 9), .black)]
    return try PictureFormat.png.bytes([drawing])
  }

  private func refusal(_ bytes: [UInt8]) -> String? {
    do throws(PictureError) {
      _ = try Background(png: bytes, name: "shot.png")
      return nil
    } catch {
      return error.description
    }
  }

  @Test func otherFormatsAreNamed() {
    #expect(refusal([0xff, 0xd8, 0xff, 0xe0])?.hasPrefix("shot.png is a JPEG") == true)
    #expect(refusal(Array("GIF89a".utf8))?.contains("must be a PNG") == true)
    #expect(refusal(Array("<svg/>".utf8))?.hasPrefix("shot.png is no PNG") == true)
    #expect(refusal([])?.contains("empty") == true)
  }

  @Test func aSizeThatCannotBeIsRefusedBeforeMemoryIsTaken() throws {
    let png = try Self.valid()
    func sized(_ width: UInt32, _ height: UInt32) -> [UInt8] {
      var bytes = png
      for (place, value) in [(16, width), (20, height)] {
        for index in 0..<4 {
          bytes[place + index] = UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * index))
        }
      }
      return bytes
    }
    #expect(refusal(sized(0, 30))?.contains("it has no size") == true)
    #expect(refusal(sized(.max, .max))?.contains("at most") == true)
    #expect(refusal(sized(30_000, 30_000))?.contains("30000 x 30000") == true)
    // A header that lies about its size has a wrong sum.
    #expect(refusal(sized(41, 30))?.contains("broken PNG") == true)
  }

  @Test func brokenFilesAreRefusedAndNothingCrashes() throws {
    let png = try Self.valid()
    #expect(refusal(png) == nil)
    for length in stride(from: 0, to: png.count - 13, by: 3) {
      #expect(refusal(Array(png[..<length])) != nil, "\(length) bytes")
    }
    var generator = SeededGenerator(seed: 9)
    for _ in 0..<500 {
      var bytes = png
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        bytes[Int.random(in: 8..<bytes.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      _ = refusal(bytes)
    }
  }
}
