import TestSupport
import TouchModel

/// Makes counts of panels that could be real.
enum RandomPanels {
  /// Panels of which the last two differ only in an axis.
  static let keys = [
    panelKey("usb-1"), panelKey("späti/支払い"), panelKey("späti/支払い", maximum: 32_767),
  ]

  /// Adds some touches.
  static func adding(
    _ touches: UInt64, to former: PanelCounts, _ dice: inout SeededGenerator
  ) -> PanelCounts {
    var counts = former
    for _ in 0..<touches {
      let (column, row) = (
        Int.random(in: 0..<PanelCounts.columns, using: &dice),
        Int.random(in: 0..<PanelCounts.rows, using: &dice)
      )
      counts[column: column, row: row] += 1
      for line in column..<min(column + 3, PanelCounts.columns) {
        counts[.crossed, .vertical, line] += 1
        if dice.next() % 8 == 0 { counts[.skipped, .vertical, line] += 1 }
      }
      if dice.next() % 8 == 0 { counts[.pairs, .horizontal, row] += 1 }
      counts[interval: Int.random(in: 0..<PanelCounts.intervalBins, using: &dice)] += 12
      let zone = Int.random(in: 0..<48, using: &dice)
      counts[restingReports: zone] += 9
      counts[restingSquares: zone] += Int64(dice.next() >> (40 + dice.next() % 24))
      if dice.next() % 4 == 0 { counts[shortIn: row / 2] += 1 }
      if dice.next() % 8 == 0 { counts[ghostsIn: 23 - row / 2] += 1 }
    }
    return counts
  }

  /// Returns the counts of some panels in a session.
  static func some(in session: Int64) -> [PanelRecord] {
    var dice = SeededGenerator(seed: UInt64(session))
    return keys.compactMap { key in
      guard dice.next() % 3 > 0 else { return nil }
      return PanelRecord(
        key: key, counts: adding(1 + dice.next() % 20, to: PanelCounts(), &dice))
    }
  }
}

func panelKey(_ device: String, maximum: Int32 = 4095) -> PanelKey {
  PanelKey(
    device: device, x: PanelAxis(minimum: -7, maximum: maximum, resolution: 12),
    y: PanelAxis(minimum: 0, maximum: 2047))
}

extension SessionRecord {
  /// The counts of a panel; zeros if there are none.
  func panel(_ key: PanelKey) -> PanelCounts {
    changedCounts.lazy.compactMap { PanelRecord($0) }.first { $0.key == key }?.counts
      ?? PanelCounts()
  }
}
