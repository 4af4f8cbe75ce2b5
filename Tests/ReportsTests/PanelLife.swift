import TestSupport
import TouchModel

@testable import Reports

/// The days of a made-up panel, and what is concluded from them.
struct PanelLife {
  static let first = 20_000
  var random = SeededGenerator(seed: 5)
  private(set) var health = PanelHealth(
    of: PanelKey(
      device: "panel", x: PanelAxis(minimum: 0, maximum: 6399, resolution: 20),
      y: PanelAxis(minimum: 0, maximum: 4799, resolution: 20)))
  var day = first
  /// The touches of a day.
  var touches = 3000
  /// How many of the sessions touch this panel; nil if it is unknown.
  var touched: UInt64?
  var strayGhosts: [PanelCell: UInt64] = [:]

  var findings: [PanelFinding] { health.findings }

  /// Seven days of touches, which are made once for each number of touches.
  private var week: [Int: [PanelCounts]] = [:]

  /// A day of a good panel: touches everywhere, swipes across all lines.
  private mutating func good() -> PanelCounts {
    while week[touches, default: []].count < 7 {
      let another = another()
      week[touches, default: []].append(another)
    }
    var counts = week[touches]?[day % 7] ?? PanelCounts()
    for zone in 0..<(PanelCounts.zoneColumns * PanelCounts.zoneRows) {
      counts[restingSquares: zone] = 20 * 10_000 + Int64(random.next() % 20_000)
    }
    counts[shortIn: 12] = Int64(random.next() % 4)
    return counts
  }

  private mutating func another() -> PanelCounts {
    var counts = PanelCounts()
    for _ in 0..<touches {
      let place = random.next()
      counts[column: Int(place % 64), row: Int(place / 64 % 48)] += 1
    }
    for direction in PanelCounts.Direction.allCases {
      for line in 0..<direction.lines { counts[.crossed, direction, line] = Int64(touches / 60) }
    }
    counts[interval: PanelCounts.bin(of: 10_000)] = Int64(touches * 3 / 10)
    for zone in 0..<(PanelCounts.zoneColumns * PanelCounts.zoneRows) {
      counts[restingReports: zone] = 20
    }
    return counts
  }

  /// - Parameters:
  ///   - sessions: in each of ten hours of a day.
  ///   - offset: how far controls are touched to the right, in mm.
  ///   - stretch: how far they are touched away from the middle at the edge, in mm.
  mutating func live(
    _ days: Int, layout: String? = "1", sessions: UInt64 = 10, offset: Double = 0,
    stretch: Double = 0, _ change: (inout PanelCounts, _ day: Int) -> Void = { _, _ in }
  ) {
    for number in 0..<days {
      var counts = sessions > 0 ? good() : PanelCounts()
      change(&counts, number)
      let hours = (0..<24).map { (8..<18).contains($0) ? sessions : 0 }
      let offsets = (0..<6).map { control in
        let x = Double(control % 3)
        return ControlOffset(
          control: "\(layout ?? "") \(control)", x: x * 100, y: Double(control / 3) * 100,
          touches: 60,
          right: 0.3 + offset + stretch * (x - 1) + Double(random.next() % 100) / 1000, down: 1,
          spread: 1.8)
      }
      health.add(
        PanelDay(
          number: day, counts: counts, sessions: hours, touched: touched, strayGhosts: strayGhosts,
          layout: sessions > 0 ? layout : nil, offsets: sessions > 0 ? offsets : []))
      day += 1
    }
  }

  /// Makes the panel report half as often.
  static func slow(_ counts: inout PanelCounts) {
    counts[interval: PanelCounts.bin(of: 10_000)] = 0
    counts[interval: PanelCounts.bin(of: 20_000)] = 900
  }

  /// Makes the squares of the jitter larger in all zones.
  static func shake(_ factor: Int64, _ counts: inout PanelCounts) {
    for zone in 0..<48 { counts[restingSquares: zone] *= factor }
  }

  /// Removes most touches of rows, and the swipes across them.
  static func thin(_ rows: ClosedRange<Int>, _ counts: inout PanelCounts) {
    for row in rows {
      for column in 0..<64 where (column + row) % 3 > 0 { counts[column: column, row: row] = 0 }
      counts[.crossed, .horizontal, row] = 0
    }
  }

  /// Removes all touches of rows, and the swipes across them.
  static func empty(_ rows: ClosedRange<Int>, _ counts: inout PanelCounts) {
    for row in rows {
      for column in 0..<64 { counts[column: column, row: row] = 0 }
      counts[.crossed, .horizontal, row] = 0
    }
  }
}
