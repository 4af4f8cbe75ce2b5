import Heatmaps
import TestSupport
import Testing
import Text
import TouchModel

@Suite struct FileTests {
  private func drawing(_ screen: String = "menu") throws -> Drawing {
    let grid = Samples.grid(
      [Block(column: 3, row: 4): 12, Block(column: 9, row: 5): 1], on: try geometry(),
      screen: screen, sessions: 34)
    return try GridMap(grid, source: Samples.source).sheet.drawing()
  }

  @Test func `A PNG has metadata that describe it`() throws {
    let png = try PictureFormat.png.bytes([drawing("caf\u{e9} <&>")])
    let start = Array("iTXttouchgrid".utf8) + [0, 0, 0, 0, 0]
    let place = try #require(
      (0..<png.count - start.count).first { Array(png[$0..<$0 + start.count]) == start })
    let length = png[place - 4..<place].reduce(0) { $0 << 8 | Int($1) }
    let json = png[place + start.count..<place + 4 + length]
    let metadata = try JSONValue(parsing: String(decoding: json, as: UTF8.self))
    #expect(metadata["format"] == "touchgrid-picture")
    #expect(metadata["screen"] == "caf\u{e9} <&>")
    #expect(metadata["geometry"]?["columns"]?.digits == "10")
    #expect(metadata["layer"] == "taps" && metadata["value"] == "mean")
    #expect(metadata["sessions"]?.digits == "34" && metadata["touches"]?.digits == "13")
    #expect(metadata["colours"] == "inferno" && metadata["scale"] == "log")
    // The blocks have 1 and 12 counts, so the limit is 1 + 0.99 * 11, divided by 34 sessions.
    let limit = try #require(metadata["limit"]?.digits.flatMap { Double($0) })
    #expect(abs(limit - 11.89 / 34) < 1e-9)
  }

  @Test func `Names never become markup`() throws {
    let name = "</title><script>alert(1)</script>\u{1b}\u{0}\u{ffff}]]>&\"'"
    let svg = String(decoding: try PictureFormat.svg.bytes([drawing(name)]), as: UTF8.self)
    #expect(!svg.contains("<script"))
    #expect(!svg.contains("]]>"))
    #expect(svg.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0xffff })
    // The file refers to no other resource.
    #expect(!svg.contains("href=\"http"))
  }

  @Test func `A PNG or SVG holds one picture, a PDF several`() throws {
    let two = [try drawing(), try drawing("other")]
    #expect(throws: PictureError.self) { try PictureFormat.png.bytes(two) }
    #expect(throws: PictureError.self) { try PictureFormat.svg.bytes(two) }
    #expect(try PictureFormat.pdf.bytes(two).starts(with: "%PDF".utf8))
  }

  @Test func `Numbers in legends are short`() {
    let texts = [0, 1e-7, 0.00012345, 0.35294, 1, 12.5, 999.4, 1234, 1e7, 1.8e19].map(
      measuredDigits)
    #expect(
      texts == [
        "0", "1e-7", "0.000123", "0.353", "1", "12.5", "999", "1,234", "10,000,000", "1.8e19",
      ])
  }
}
