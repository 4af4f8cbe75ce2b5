import FoundationEssentials
import Heatmaps
import TestSupport
import Testing
import Text
import TouchModel

@Suite struct GridJSONTests {
  private struct Document: Decodable {
    struct Grid: Decodable {
      struct Geometry: Decodable { var columns: Int }
      var display: String
      var layer: String
      var geometry: Geometry
      var sum: [UInt64]
      var mean: [Double]
    }
    var format: String
    var version: Int
    var grids: [Grid]
  }

  @Test func `Every number of random grids is read back`() throws {
    var generator = SeededGenerator(seed: 13)
    for _ in 0..<10 {
      let grids = try (0..<3).map { _ in try Samples.random(&generator) }
      let bytes = GridJSON.bytes(grids, span: ["since": .null])
      let document = try JSONDecoder().decode(Document.self, from: Data(bytes))
      #expect(document.format == "touchgrid-grids")
      #expect(document.grids.map(\.sum) == grids.map { Array($0.sum) })
      #expect(document.grids.map(\.mean) == grids.map(\.means))
      #expect(document.grids.map(\.layer) == grids.map(\.layer.rawValue))
      #expect(document.grids.map(\.display) == grids.map(\.key.display))
      #expect(document.grids.map(\.geometry.columns) == grids.map(\.key.geometry.columns))
    }
  }

  @Test func `Squares beyond 64 bits are exact`() throws {
    let grid = Samples.grid([Block(column: 0, row: 0): .max], on: try geometry(16, 16))
    let text = String(decoding: GridJSON.bytes([grid], span: .null), as: UTF8.self)
    #expect(text.contains(#""sumOfSquares":[340282366920938463426481119284349108225]"#))
    #expect(text.hasSuffix("\n"))
  }
}
