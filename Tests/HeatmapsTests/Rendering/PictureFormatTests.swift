import Foundation
import TestSupport
import Testing
import Text

@testable import Heatmaps

/// Pictures of 24 x 16 pixels in four colours; the one at the right bottom is half transparent in a
/// WebP.
@Suite struct PictureFormatTests {
  private static let jpeg = picture(
    "/9j/2wBDAAgEBAQEBAUFBQUFBQYGBgYGBgYGBgYGBgYHBwcICAgHBwcGBgcHCAgICAkJCQgICAgJCQoKCgwM"
      + "CwsODg4RERT/xABiAAEBAQAAAAAAAAAAAAAAAAAGBQgBAQEBAQAAAAAAAAAAAAAAAAcGBQEQAQAABwEAAAAA"
      + "AAAAAAAAAACCwkNGBQjFhREBAAAFBQEAAAAAAAAAAAAAAMKDQ8QFhQcIRUaE/8AAEQgAEAAYAwESAAISAAMS"
      + "AP/aAAwDAQACEQMRAD8ALpjpUKATXcdVgmPtW7u8XoB7MUJkK33N6r7LdS8gfN6pZMjDV5cQU0eOm0j18//Z")
  private static let losslessWebP = picture(
    "UklGRkoAAABXRUJQVlA4TD4AAAAvF8ADEB8gECDetOgQrkRN2wYMmfC/im1eQgLiiW22myEJCIqeMz3+Q2kl"
      + "gDDbaJKTnOT9jyCi/7GteqrAEw==")
  private static let lossyWebP = picture(
    "UklGRq4AAABXRUJQVlA4WAoAAAAQAAAAFwAADwAAQUxQSBYAAAABD3DB/4iIICQg/F/rgWpCRP8ngN8mVlA4"
      + "IHIAAADQBACdASoYABAAPjEUiEKiISEYBAAgAwS2AE6ZQjuRYD7Ac/BY/4GO1b7sZzGfAAD++EgfwS7//xfh"
      + "8oRG2UsXX/QcaMfwjf4kf6f9zf/+WD9Wkb/oKV7+OrOdEfI6XOJ18BoJ+/zcp9QOKeKQ/6EouAA=")

  private static func picture(_ text: String) -> [UInt8] {
    Array(Data(base64Encoded: text) ?? Data())
  }

  private func refusal(_ bytes: [UInt8]) -> String? {
    do throws(PictureError) {
      _ = try Background(bytes, name: "shot")
      return nil
    } catch {
      return error.description
    }
  }

  @Test(
    arguments: [
      (jpeg, 0xfffa_fafa, 12), (losslessWebP, 0x807d_7d7d, 0), (lossyWebP, 0x807d_7d7d, 12),
    ] as [([UInt8], UInt32, Double)])
  func `A picture has its colours`(file: [UInt8], last: UInt32, tolerance: Double) throws {
    let pixels = try Background(file, name: "shot").pixels
    try #require(pixels.width == 24 && pixels.height == 16)
    // Away from the edges, where a JPEG mixes the colours.
    for (x, y, wanted) in [
      (3, 3, 0xffc8_1e5a), (20, 3, 0xff14_a03c), (3, 12, 0xff1e_3cdc), (20, 12, last),
    ] as [(Int, Int, UInt32)] {
      let found = pixels.values[24 * y + x]
      #expect(
        Samples.difference(found, wanted) <= tolerance, "\(x), \(y): \(String(found, radix: 16))")
    }
  }

  @Test(arguments: [jpeg, losslessWebP, lossyWebP])
  func `Each part of a file is needed, and damaged files do not crash`(file: [UInt8]) {
    #expect(refusal(file) == nil)
    // The last bytes are the end marker of a JPEG, and the padding of a WebP.
    for length in 0..<(file.count - 3) {
      #expect(refusal(Array(file[..<length])) != nil, "\(length) bytes")
    }
    var generator = SeededGenerator(seed: 25)
    for _ in 0..<2000 {
      var bytes = file
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        bytes[Int.random(in: 4..<bytes.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      _ = refusal(bytes)
    }
  }

  @Test func `Sizes are checked before a picture is decoded`() throws {
    // Height and width follow in the segment that begins with the marker of a frame.
    var large = Self.jpeg
    let frame = try #require(
      large.indices.first {
        large[$0] == 0xff && large[$0 + 1] == 0xc1 || large[$0] == 0xff && large[$0 + 1] == 0xc0
      })
    large.replaceSubrange((frame + 5)..<(frame + 9), with: [0x9c, 0x40, 0x9c, 0x40])
    #expect(refusal(large)?.contains("40000 x 40000 pixels (the limit is") == true)
    large.replaceSubrange((frame + 5)..<(frame + 9), with: [0, 0, 0, 0])
    #expect(refusal(large)?.contains("broken JPEG") == true)
    // A lossless WebP has 14 bits for each side.
    var wide = Self.losslessWebP
    wide.replaceSubrange(21..<25, with: [0xff, 0xff, 0xff, 0x0f])
    #expect(refusal(wide)?.contains("16384 x 16384 pixels (the limit is") == true)
  }

  @Test func `An animation is refused`() {
    let head: [UInt8] = [2, 0, 0, 0, 23, 0, 0, 15, 0, 0]
    let frame: [UInt8] = Array("ANIM".utf8) + [6, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    let chunks = Array("WEBPVP8X".utf8) + [10, 0, 0, 0] + head + frame
    let file = Array("RIFF".utf8) + [UInt8(chunks.count), 0, 0, 0] + chunks
    #expect(refusal(file)?.contains("is an animation; save one frame of it") == true)
  }
}
