import Heatmaps
import TestSupport
import TouchModel

/// Sample grids.
enum Samples {
  /// - Parameter sums: the counts by block; all other blocks have 0. The sums of squares are those
  ///   of a single session.
  static func grid(
    _ sums: [Block: UInt64] = [:], on geometry: DisplayGeometry, screen: String = "menu",
    display: String = "HDMI-A-1", layer: Layer = .taps, sessions: UInt64 = 1,
    touches: UInt64? = nil, masks: [Rectangle] = []
  ) -> SummedGrid {
    var cells = Array(repeating: UInt64(0), count: geometry.columns * geometry.rows)
    for (block, sum) in sums { cells[geometry.index(of: block)] = sum }
    return SummedGrid(
      key: GridKey(display: display, screen: screen, geometry: geometry), layer: layer,
      sessions: sessions, days: min(1, sessions), shownMilliseconds: 60_000 * sessions,
      touches: touches ?? cells.reduce(0, &+), masks: masks, sum: Counters(cells),
      sumOfSquares: cells.map { UInt128($0) * UInt128($0) },
      touchedSessions: Counters(cells.map { min($0, 1) }))
  }

  /// Returns a grid of random shape, with counts of 0 to 64 bits.
  static func random(_ generator: inout SeededGenerator) throws -> SummedGrid {
    let size = [8, 16, 32].randomElement(using: &generator) ?? 16
    let geometry = try geometry(
      .random(in: 1...300, using: &generator), .random(in: 1...300, using: &generator),
      scale: [1, 1.5, 2].randomElement(using: &generator) ?? 1,
      rotation: Rotation.allCases.randomElement(using: &generator) ?? .none, blockSize: size)
    let cells = (0..<geometry.columns * geometry.rows).map { _ in
      UInt64.random(in: 0...(.max), using: &generator) >> Int.random(in: 0...64, using: &generator)
    }
    return SummedGrid(
      key: GridKey(display: "a,\"b\"", screen: "checkout/pay", geometry: geometry),
      layer: Layer.allCases.randomElement(using: &generator) ?? .taps,
      sessions: .random(in: 1...1000, using: &generator), days: 2, shownMilliseconds: 90_000,
      touches: 7, sum: Counters(cells), sumOfSquares: cells.map { UInt128($0) * UInt128($0) },
      touchedSessions: Counters(cells.map { min($0, 1) }))
  }
}
