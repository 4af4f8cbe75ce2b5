import TestSupport
import Testing
import Text
import TouchModel

@testable import Heatmaps

@Suite struct SmoothingTests {
  @Test func `Smoothing keeps the sum`() throws {
    var generator = SeededGenerator(seed: 21)
    for _ in 0..<12 {
      let geometry = try geometry(
        .random(in: 1...500, using: &generator), .random(in: 1...500, using: &generator),
        scale: [1, 1.5, 2].randomElement(using: &generator) ?? 1,
        blockSize: [8, 16, 32].randomElement(using: &generator) ?? 16)
      let values = (0..<geometry.columns * geometry.rows).map { _ in
        Bool.random(using: &generator) ? Double.random(in: 0...9, using: &generator) : 0
      }
      for deviation in [1.0, 12, 90] {
        let smooth = SmoothedGrid(values, geometry: geometry, deviation: deviation)
        // The value of a sample is the count that a whole block would have, but the sample covers
        // only a part of a block.
        let size = Double(geometry.blockSize)
        let part = smooth.sampleWidth * smooth.sampleHeight / (size * size)
        let (before, after) = (values.reduce(0, +), smooth.values.reduce(0, +) * part)
        #expect(abs(before - after) <= 1e-9 * max(1, before))
        #expect(smooth.values.allSatisfy { $0.isFinite && $0 >= 0 })
      }
    }
  }

  @Test func `One count spreads around its block`() throws {
    let geometry = try geometry(320, 320)
    var values = Array(repeating: 0.0, count: 400)
    values[geometry.index(of: Block(column: 10, row: 10))] = 1
    let smooth = SmoothedGrid(values, geometry: geometry, deviation: 16)
    let peak = smooth.values.max() ?? 0
    #expect(abs(peak - smooth.peak) < 0.1 * smooth.peak)
    // The peak is in the middle of the block and symmetric.
    let place = try #require(smooth.values.firstIndex(of: peak))
    let (x, y) = (place % smooth.columns, place / smooth.columns)
    #expect(abs((Double(x) + 0.5) * smooth.sampleWidth - 168) <= smooth.sampleWidth)
    #expect(abs((Double(y) + 0.5) * smooth.sampleHeight - 168) <= smooth.sampleHeight)
  }

  @Test func `No colour spreads into masked blocks`() throws {
    let geometry = try geometry()
    let masks = [try #require(Rectangle(x: 80, y: 0, width: 80, height: 48))]
    var options = HeatmapOptions()
    options.smoothing = 60
    // The touched blocks are to the left of the mask, below it, and inside it, as if the mask was
    // added after the touches.
    let touched = [4, 2, 1, 7].map { Block(column: $0, row: 2) } + [Block(column: 8, row: 4)]
    let sums = Dictionary(uniqueKeysWithValues: touched.map { ($0, UInt64(40)) })
    let grid = Samples.grid(sums, on: geometry, masks: masks)
    let map = try Samples.map(grid, options)
    let hatch = try Samples.map(Samples.grid(on: geometry, masks: masks), options)
    let open = try Samples.map(Samples.grid(sums, on: geometry), options)
    for index in map.values.indices {
      let isMasked = index % 160 >= 80 && index / 160 < 48
      #expect(map.values[index] == hatch.values[index] || !isMasked)
      #expect(map.values[index] != 0 || isMasked)
    }
    // Without the mask, the smoothed map is clearly visible at a place that the mask covers.
    #expect(open.values[24 * 160 + 100] >> 24 > 100)
    let svg = try PictureFormat.svg.bytes([
      try GridMap(grid, options: options, source: Samples.source).sheet.drawing()
    ])
    let text = String(decoding: svg, as: UTF8.self)
    let clip = try #require(text.firstRange(of: "<clipPath id=\"clip"))
    let name = text[clip.lowerBound...].split(separator: "\"")[1]
    #expect(text.contains("clip-path=\"url(#\(name))\""))
    #expect(text.contains("<path clip-rule=\"evenodd\""))
    #expect(text.contains("Masked blocks are not coloured."))
  }

  @Test func `If all touches are in masked blocks, the other blocks stay faint`() throws {
    let geometry = try geometry()
    let mask = try #require(Rectangle(x: 0, y: 0, width: 80, height: 96))
    var options = HeatmapOptions()
    options.smoothing = 12
    let grid = Samples.grid([Block(column: 1, row: 3): 1], on: geometry, masks: [mask])
    let map = try Samples.map(grid, options)
    let outside = map.values.indices.filter { $0 % 160 >= 80 }.map { map.values[$0] >> 24 }
    #expect(outside.allSatisfy { $0 < 20 })
  }

  @Test(arguments: ColourScale.Kind.allCases)
  func `The legend describes the drawn values`(_ kind: ColourScale.Kind) throws {
    var options = HeatmapOptions()
    options.scale = kind
    options.smoothing = 20
    var sums = [Block(column: 3, row: 2): UInt64(90)]
    for column in 0..<8 { sums[Block(column: column, row: 5)] = 2 }
    let grid = Samples.grid(sums, on: try geometry(), layer: .trail, sessions: 10)
    let map = GridMap(grid, options: options, source: Samples.source)
    let notes = map.sheet.notes.joined(separator: " ")
    #expect(!notes.contains("touched block") && !notes.contains("have no colour"))
    #expect(notes.contains("ends at the 99th percentile of the drawn values"))
    #expect(notes.contains("most in one block: 9, before smoothing"))
    let fade = try #require(map.fade)
    #expect(notes.contains("below \(measuredDigits(fade)), half the value of 1 entry"))
    // The bar fades with the value like the map, from transparent to opaque.
    let bar = try #require(map.sheet.bar)
    #expect(bar.inks.first?.opacity == 0 && bar.inks.last?.opacity == 1)
    for (index, ink) in bar.inks.enumerated() {
      let value = map.scale.value(at: Double(index) / Double(bar.inks.count - 1))
      #expect((ink.opacity < 1) == (value < fade))
    }
    #expect(map.limitRule == "99th percentile of smoothed samples above fade")
    options.smoothing = nil
    let plain = GridMap(grid, options: options, source: Samples.source).sheet
    #expect(plain.notes.joined().contains("Blocks without touches have no colour."))
    #expect(plain.bar?.inks.allSatisfy { $0.opacity == 1 } == true)
    #expect(plain.bar?.unit == "mean entries per session, in each block")
    #expect(plain.cells.contains { $0.title.contains("90 entries, mean 9 of 10 sessions") })
  }

  @Test func `A smoothed picture states the smoothing and still has titles for blocks`() throws {
    var options = HeatmapOptions()
    options.smoothing = 20
    let grid = Samples.grid(
      [Block(column: 3, row: 2): 12], on: try geometry(), sessions: 34)
    let map = GridMap(grid, options: options, source: Samples.source)
    let svg = String(
      decoding: try PictureFormat.svg.bytes([try map.sheet.drawing()]), as: UTF8.self)
    #expect(svg.contains("Gaussian of 20 points"))
    #expect(svg.contains("<title>column 3, row 2: 12 taps, mean 0.353 of 34 sessions</title>"))
    #expect(svg.contains("\"smoothing\":20") || svg.contains("&quot;smoothing&quot;:20"))
  }
}
