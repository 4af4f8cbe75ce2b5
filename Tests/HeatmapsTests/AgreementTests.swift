import Foundation
import Heatmaps
import TestSupport
import Testing
import Text
import TouchModel

/// The formats have the same blocks. That each has every number is tested with the format.
@Suite struct AgreementTests {
  /// Returns a random grid with a mask.
  private func grid(_ generator: inout SeededGenerator) throws -> SummedGrid {
    var grid = try Samples.random(&generator)
    grid.masks = [try #require(Rectangle(x: 3, y: 5, width: 20, height: 9))]
    for index in grid.sum.indices where Bool.random(using: &generator) {
      grid.sum[index] = 0
      grid.touchedSessions[index] = 0
    }
    return grid
  }

  private struct Document: Decodable {
    struct Grid: Decodable { var masked: [Bool] }
    var grids: [Grid]
  }

  @Test func `CSV and JSON mark the masked blocks`() throws {
    var generator = SeededGenerator(seed: 20_261_121)
    var count = 0
    for _ in 0..<20 {
      let grid = try grid(&generator)
      let masked = grid.sum.indices.map { index in
        grid.maskedBlocks.contains { grid.key.geometry.index(of: $0) == index }
      }
      count += masked.count { $0 }
      let csv = String(decoding: GridCSV.bytes([grid]), as: UTF8.self)
      #expect(csv.split(separator: "\n").dropFirst().map { $0.hasSuffix(",1") } == masked)
      let json = Data(GridJSON.bytes([grid], span: .null))
      #expect(try JSONDecoder().decode(Document.self, from: json).grids[0].masked == masked)
    }
    #expect(count > 20)
  }

  @Test func `The long form has the lines of the touched blocks of the CSV`() throws {
    var generator = SeededGenerator(seed: 20_261_122)
    for _ in 0..<20 {
      let grid = try grid(&generator)
      var bytes: [UInt8] = []
      var writer = LongWriter<Never>(.csv, GridRows.columns) { bytes += $0 }
      GridRows.add(grid, day: "2026-11-21", .csv, to: &writer)
      writer.finish()
      // The last fields: column, row, x0, y0, x1, y1, count, count_sq, touched_sessions.
      let found: [[Substring]] = fields(bytes).map { $0.suffix(9).dropLast() }
      let touched = fields(GridCSV.bytes([grid])).filter { $0[9] != "0" }
      let wanted: [[Substring]] = touched.map { Array($0[2..<8]) + Array($0[9..<11]) }
      #expect(found == wanted)
    }
  }

  /// Returns the fields of each line of a CSV file but the first.
  private func fields(_ bytes: [UInt8]) -> [[Substring]] {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst()
    return lines.map { $0.split(separator: ",") }
  }

  /// Returns the map on a white screenshot with the pixels of the display.
  private func screenshotWithMap(of grid: SummedGrid, _ options: HeatmapOptions) throws -> Pixels {
    let geometry = grid.key.geometry
    let (width, height) = (geometry.width * geometry.scale, geometry.height * geometry.scale)
    let (columns, rows) = (Int(width.rounded()), Int(height.rounded()))
    let values = Array(repeating: UInt32(0xffff_ffff), count: columns * rows)
    let ground = Pixels(width: columns, height: rows, values: values)
    return try Samples.map(grid, options, over: ground)
  }

  /// Expects that the pixels of touched blocks are drawn, and no others but masked ones.
  private func expectBlocks(of grid: SummedGrid, on picture: Pixels) {
    let (geometry, masked) = (grid.key.geometry, grid.maskedBlocks)
    for (place, value) in picture.values.enumerated() {
      let x = Int(Double(place % picture.width) / geometry.scale)
      let y = Int(Double(place / picture.width) / geometry.scale)
      let block = Block(column: x / geometry.blockSize, row: y / geometry.blockSize)
      let isTouched = grid.sum[geometry.index(of: block)] > 0
      if isTouched != (value != 0xffff_ffff), !masked.contains(block) {
        Issue.record("pixel \(place) of \(block)")
      }
    }
  }

  @Test func `Every touched block of a PNG has the colour of its value, and no other has any`()
    throws
  {
    var generator = SeededGenerator(seed: 20_261_123)
    var compared = 0
    for number in 0..<20 {
      let grid = try grid(&generator)
      var options = HeatmapOptions()
      options.scale = number % 2 == 0 ? .log : .linear
      options.limit = number % 3 == 2 ? 2e6 : nil
      let values = grid.values(options.value)
      let scale = ColourScale(
        counts: values, of: grid, value: options.value, kind: options.scale, limit: options.limit)
      let map = try Samples.map(grid, options)
      let geometry = grid.key.geometry
      expectBlocks(of: grid, on: try screenshotWithMap(of: grid, options))
      for index in grid.sum.indices {
        let block = Block(column: index % geometry.columns, row: index / geometry.columns)
        let (x, y) = (block.column * geometry.blockSize, block.row * geometry.blockSize)
        // The middle of a whole block: contours may be at its edges.
        let middle = (y + geometry.blockSize / 2) * map.width + x + geometry.blockSize / 2
        guard !grid.maskedBlocks.contains(block), x + geometry.blockSize <= map.width,
          y + geometry.blockSize <= map.height
        else { continue }
        guard grid.sum[index] > 0 else {
          #expect(map.values[middle] == 0, "\(block)")
          continue
        }
        compared += 1
        // The colours above 0.95 are not used.
        let position = 0.25 + 0.7 * scale.part(of: values[index])
        let colour = options.colours.colour(at: position)
        let found = map.values[middle]
        #expect(found >> 24 == 209, "\(block)")
        for (shift, wanted) in [(16, colour.red), (8, colour.green), (0, colour.blue)] {
          // Pixels are premultiplied with the opacity of 0.82.
          let part = Int(found >> UInt32(shift) & 255)
          #expect(abs(part - Int((Double(wanted) * 209 / 255).rounded())) <= 2, "\(block)")
        }
      }
    }
    #expect(compared > 500)
  }
}
