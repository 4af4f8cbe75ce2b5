import TestSupport
import Testing

@testable import TouchModel

@Suite struct GuessedGeometryTests {
  private func guess(
    _ x: ClosedRange<Int32>, _ y: ClosedRange<Int32>, resolution: (x: Int32, y: Int32) = (0, 0),
    rotation: Rotation = .none
  ) throws -> DisplayGeometry {
    let panel = try ContactProtocol(of: .panel(x: x, y: y, resolution: resolution))
    return try #require(DisplayGeometry.guessed(from: panel, rotation: rotation))
  }

  @Test func `Ranges up to 8,192 are taken for pixels`() throws {
    let small = try guess(0...799, 0...479)
    #expect(small.pixelWidth == 800 && small.pixelHeight == 480)
    let largest = try guess(1...8192, -8191...0)
    #expect(largest.pixelWidth == 8192 && largest.pixelHeight == 8192)
    let turned = try guess(0...799, 0...479, rotation: .quarter)
    #expect(turned.width == 480 && turned.height == 800)
  }

  @Test func `With a range above 8,192 the guess is 1024 x 768`() throws {
    for (x, y) in [(8192, 479), (479, 8192), (32_767, 32_767), (.max, .max)] as [(Int32, Int32)] {
      let geometry = try guess(0...x, 0...y)
      #expect(geometry.pixelWidth == 1024 && geometry.pixelHeight == 768)
    }
    let extreme = try guess(.min ... .max, .min ... .max)
    #expect(extreme.pixelWidth == 1024 && extreme.pixelHeight == 768)
  }

  @Test func `Resolutions give the aspect ratio of the guess`() throws {
    // 32,768 / 62 = 528.5 mm by 32,768 / 110 = 297.9 mm.
    let wide = try guess(0...32_767, 0...32_767, resolution: (62, 110))
    #expect(wide.pixelWidth == 1024 && wide.pixelHeight == 577)
    let half = try guess(0...32_767, 0...32_767, resolution: (62, 0))
    #expect(half.pixelHeight == 768)
  }

  @Test func `With absurd resolutions the guess stays within the limits`() throws {
    let tall = try guess(0...9000, .min ... .max, resolution: (.max, 1))
    #expect(tall.pixelHeight == 8192)
    let flat = try guess(.min ... .max, 0...1, resolution: (1, .max))
    #expect(flat.pixelHeight == 1)
  }
}
