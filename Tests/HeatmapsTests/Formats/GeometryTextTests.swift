import Heatmaps
import TestSupport
import Testing
import Text
import TouchModel

@Suite struct GeometryTextTests {
  @Test func `The text of a geometry omits default values`() throws {
    #expect(try geometry(1024, 768).text == "1024x768")
    #expect(
      try geometry(720, 1280, scale: 1.5, rotation: .quarter, blockSize: 32).text
        == "720x1280@1.5+90/32")
  }

  @Test func `The sentence describes the display as the person sees it`() throws {
    #expect(
      try geometry(1024, 768).sentence == "1024 x 768 points, 64 x 48 blocks of 16")
    #expect(
      try geometry(720, 1280, scale: 1.5, rotation: .quarter).sentence
        == "853 x 480 points, 54 x 30 blocks of 16, 1.5 pixels per point, turned by 90 degrees")
  }

  @Test func `The JSON object includes derived sizes`() throws {
    #expect(
      try geometry(100, 50, scale: 2).json.text
        == #"{"pixelWidth":100,"pixelHeight":50,"scale":2,"rotation":0,"blockSize":16,"#
        + #""width":50,"height":25,"columns":4,"rows":2}"#)
  }
}
