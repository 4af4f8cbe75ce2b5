import GridFormats
import TestSupport
import Testing
import TouchModel

@testable import HeatmapRendering

@Suite struct SmoothingTests {
  @Test func theSumStaysWhatItWas() throws {
    var generator = SeededGenerator(seed: 21)
    for _ in 0..<12 {
      let geometry = try Samples.geometry(
        .random(in: 1...500, using: &generator), .random(in: 1...500, using: &generator),
        scale: [1, 1.5, 2].randomElement(using: &generator) ?? 1,
        blockSize: [8, 16, 32].randomElement(using: &generator) ?? 16)
      let values = (0..<geometry.columns * geometry.rows).map { _ in
        Bool.random(using: &generator) ? Double.random(in: 0...9, using: &generator) : 0
      }
      for deviation in [1.0, 12, 90] {
        let smooth = SmoothedGrid(values, geometry: geometry, deviation: deviation)
        // A value is what a whole block would hold; a sample is a part of one.
        let size = Double(geometry.blockSize)
        let part = smooth.sampleWidth * smooth.sampleHeight / (size * size)
        let (before, after) = (values.reduce(0, +), smooth.values.reduce(0, +) * part)
        #expect(abs(before - after) <= 1e-9 * max(1, before))
        #expect(smooth.values.allSatisfy { $0.isFinite && $0 >= 0 })
      }
    }
  }

  @Test func oneCountSpreadsAroundItsBlock() throws {
    let geometry = try Samples.geometry(320, 320)
    var values = Array(repeating: 0.0, count: 400)
    values[geometry.index(of: Block(column: 10, row: 10))] = 1
    let smooth = SmoothedGrid(values, geometry: geometry, deviation: 16)
    let peak = smooth.values.max() ?? 0
    #expect(abs(peak - smooth.peak) < 0.1 * smooth.peak)
    // The middle of the block, and as much to all sides of it.
    let place = try #require(smooth.values.firstIndex(of: peak))
    let (x, y) = (place % smooth.columns, place / smooth.columns)
    #expect(abs((Double(x) + 0.5) * smooth.sampleWidth - 168) <= smooth.sampleWidth)
    #expect(abs((Double(y) + 0.5) * smooth.sampleHeight - 168) <= smooth.sampleHeight)
  }

  @Test func aSmoothedPictureSaysSoAndStillNamesItsBlocks() throws {
    var options = HeatmapOptions()
    options.smoothing = 20
    let grid = Samples.grid(
      [Block(column: 3, row: 2): 12], on: try Samples.geometry(), sessions: 34)
    let map = GridMap(grid, options: options, source: Samples.source)
    let svg = String(
      decoding: try PictureFormat.svg.bytes([try map.sheet.drawing()]), as: UTF8.self)
    #expect(svg.contains("Gaussian of 20 points"))
    #expect(svg.contains("<title>column 3, row 2: 12 touches, mean 0.353 of 34 sessions</title>"))
    #expect(svg.contains("\"smoothing\":20") || svg.contains("&quot;smoothing&quot;:20"))
  }
}
