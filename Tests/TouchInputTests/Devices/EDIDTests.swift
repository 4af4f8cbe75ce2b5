import Testing
import TouchModel

@testable import TouchInput

@Suite struct EDIDTests {
  /// Makes an EDID with a size in cm and in the preferred timing.
  private func edid(_ coarse: (UInt8, UInt8), exact: (Int, Int)?) -> [UInt8] {
    var bytes: [UInt8] = [0, 255, 255, 255, 255, 255, 255, 0] + Array(repeating: 0, count: 120)
    (bytes[21], bytes[22]) = coarse
    if let exact {
      (bytes[54], bytes[55]) = (2, 58)
      (bytes[66], bytes[67]) = (UInt8(exact.0 & 0xff), UInt8(exact.1 & 0xff))
      bytes[68] = UInt8(exact.0 >> 8) << 4 | UInt8(exact.1 >> 8)
    }
    bytes[127] = 0 &- bytes[..<127].reduce(0, &+)
    return bytes
  }

  @Test func `The size in the preferred timing is exact`() throws {
    #expect(
      EDID(edid((53, 30), exact: (527, 296)))?.panelSize == PanelSize(width: 527, height: 296))
    #expect(EDID(edid((53, 30), exact: nil))?.panelSize == PanelSize(width: 530, height: 300))
    #expect(EDID(edid((53, 30), exact: (0, 0)))?.panelSize == PanelSize(width: 530, height: 300))
  }

  @Test func `A ratio is no size`() throws {
    #expect(EDID(edid((16, 9), exact: (160, 90)))?.panelSize == nil)
    #expect(EDID(edid((53, 30), exact: (160, 90)))?.panelSize == PanelSize(width: 530, height: 300))
    #expect(EDID(edid((0, 0), exact: nil))?.panelSize == nil)
  }

  @Test func `Damaged bytes are no EDID`() {
    var bytes = edid((53, 30), exact: nil)
    #expect(EDID(Array(bytes.dropLast())) == nil && EDID([]) == nil)
    bytes[30] ^= 1
    #expect(EDID(bytes) == nil)
  }

  @Test func `A size agrees with a geometry of the same shape only`() throws {
    let size = try #require(PanelSize(width: 344, height: 194))
    let wide = try #require(DisplayGeometry(pixelWidth: 1920, pixelHeight: 1080, scale: 1.5))
    #expect(size.pointSize(on: wide) == 0.2691)
    let turned = try #require(
      DisplayGeometry(pixelWidth: 1920, pixelHeight: 1080, rotation: .quarter))
    #expect(size.pointSize(on: turned) == 0.1794)
    let square = try #require(DisplayGeometry(pixelWidth: 1024, pixelHeight: 768))
    #expect(size.pointSize(on: square) == nil)
    #expect(PanelSize(width: 5, height: 300) == nil && PanelSize(width: .nan, height: 30) == nil)
  }
}
