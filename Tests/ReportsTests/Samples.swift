import Heatmaps
import TestSupport
import TouchModel

@testable import Reports

enum Samples {
  static func grid(
    screen: String = "menu", layer: Layer = .taps, masks: [Rectangle] = [],
    counts: [Int: (sum: UInt64, touched: UInt64)]
  ) throws -> SummedGrid {
    let geometry = try geometry(160, 100)
    let blocks = 0..<geometry.columns * geometry.rows
    return SummedGrid(
      key: GridKey(display: "HDMI-A-1", screen: screen, geometry: geometry), layer: layer,
      sessions: 9, days: 2, shownMilliseconds: 90_000, touches: 12, masks: masks,
      sum: Counters(blocks.map { counts[$0]?.sum ?? 0 }),
      sumOfSquares: blocks.map { UInt128(counts[$0]?.sum ?? 0) },
      touchedSessions: Counters(blocks.map { counts[$0]?.touched ?? 0 }))
  }

  /// Returns a grid with random counts of up to 64 bits in a random share of its blocks.
  static func grid(using random: inout SeededGenerator) throws -> SummedGrid {
    let part = Double.random(in: 0...1, using: &random)
    var counts: [Int: (UInt64, UInt64)] = [:]
    for block in 0..<70 where Double.random(in: 0...1, using: &random) < part {
      let bits = UInt64.random(in: 0..<64, using: &random)
      counts[block] = (
        .random(in: 1...UInt64.max >> bits, using: &random), .random(in: 1...9, using: &random)
      )
    }
    return try grid(counts: counts)
  }

  static func report(_ grids: [SummedGrid], title: String = "Hall 3") -> Report {
    let now = Report.Time(at: WallTime(milliseconds: 1_795_266_192_345), text: "2026-11-21 14:03")
    var report = Report(
      title: title, made: now, version: "0.1.0", span: "all days",
      choices: [Report.Choice(id: "all", kind: .span, name: "all days")])
    for grid in grids { report.add(grid, choice: "all") }
    return report
  }
}

extension PanelDay {
  static let first = 20_000

  /// Returns days of a panel on which ten sessions at noon swipe across all lines.
  /// - Parameter change: changes the counts of a day.
  static func swiped(
    _ count: Int, _ change: (inout PanelCounts, _ day: Int) -> Void
  ) -> [PanelDay] {
    (0..<count).map { day in
      var counts = PanelCounts()
      for direction in PanelCounts.Direction.allCases {
        for line in 0..<direction.lines { counts[.crossed, direction, line] = 50 }
      }
      change(&counts, day)
      return PanelDay(number: first + day, counts: counts, sessions: atNoon(10))
    }
  }

  /// Returns the sessions of a day by hour.
  static func atNoon(_ sessions: UInt64) -> [UInt64] {
    (0..<24).map { $0 == 12 ? sessions : 0 }
  }
}

extension PanelKey {
  /// A panel of 320 x 180 mm.
  static let wide = PanelKey(
    device: "usb-1", x: PanelAxis(minimum: 0, maximum: 6399, resolution: 20),
    y: PanelAxis(minimum: 0, maximum: 3599, resolution: 20))
}
