import Heatmaps
import TestSupport
import Testing
import TouchModel

@testable import Reports

/// Places without a control where people tap.
@Suite struct StraySpotTests {
  /// A screen of 80 x 50 blocks of 16 points, 4 to the mm; its button covers the blocks 60 to 69 of the
  /// rows 20 to 29.
  private func spots(
    _ taps: [(row: Int, column: Int, sum: UInt64)], trail: UInt64 = 1, touched: UInt64 = 5
  ) throws -> StraySpots {
    let key = GridKey(display: "d", screen: "menu", geometry: try geometry(1280, 800))
    func grid(_ layer: Layer, _ factor: UInt64) -> SummedGrid {
      var sums = [UInt64](repeating: 0, count: 80 * 50)
      for tap in taps { sums[tap.row * 80 + tap.column] += tap.sum * factor }
      return SummedGrid(
        key: key, layer: layer, sessions: 90, days: 2, shownMilliseconds: 1, touches: 1,
        sum: Counters(sums), sumOfSquares: sums.map { UInt128($0) },
        touchedSessions: Counters(sums.map { min($0, touched) }))
    }
    let area = try #require(Rectangle(x: 960, y: 320, width: 160, height: 160))
    let button = Control(name: "b", rectangle: area)
    let set = try #require(ControlSet([button], pointSize: 0.25))
    return StraySpots(grid(.taps, 1), trail: grid(.trail, trail), besides: [set])
  }

  private let button = [(row: 25, column: 65, sum: UInt64(400))]
  private let heading = [
    (row: 4, column: 40, sum: UInt64(20)), (row: 5, column: 42, sum: UInt64(20)),
  ]

  @Test func `Touches close together far from any control are a place`() throws {
    let found = try spots(button + heading)
    #expect(found.stray == 40 && found.all == 440)
    let spot = try #require(found.spots.first)
    #expect(found.spots.count == 1 && spot.touches == 40)
    #expect(spot.rectangle == Rectangle(x: 640, y: 64, width: 48, height: 32))
    let key = GridKey(display: "d", screen: "menu", geometry: try geometry(1280, 800))
    let finding = try #require(Finding.stray(found, on: key))
    #expect(
      finding.text
        == "At least 40 of 440 touches on “menu” (9 %) began more than 5 mm from any control, "
        + "all at one place: 640 to 688 points from the left, 64 to 96 from the top. "
        + "See whether something there looks like a button.")
  }

  @Test func `Other touches are none`() throws {
    // Beside the button, 4 mm from its left edge.
    #expect(try spots([(25, 59, 100)]).stray == 0)
    // All over the screen.
    let spread = (0..<16).map { (row: $0 * 3, column: $0 * 3, sum: UInt64(4)) }
    #expect(try spots(button + spread).spots.isEmpty)
    // Dragged.
    #expect(try spots(heading, trail: 4).spots.isEmpty)
    // Few, of many touches, or of two people.
    #expect(try spots(button + heading.dropLast()).spots.isEmpty)
    #expect(try spots([(25, 65, 4000)] + heading).spots.isEmpty)
    #expect(try spots(button + heading, touched: 2).spots.isEmpty)
  }
}
