import Storage
import TestSupport
import TouchModel

/// Stores of a kiosk with a panel that is used every day.
enum PanelStore {
  static let key = PanelKey(
    device: "usb-1", x: PanelAxis(minimum: 0, maximum: 6399, resolution: 20),
    y: PanelAxis(minimum: 0, maximum: 3599, resolution: 20))

  /// The counts of a day of a good panel.
  static func counts(seed: Int) -> PanelCounts {
    var random = SeededGenerator(seed: UInt64(seed))
    var counts = PanelCounts()
    for _ in 0..<3000 {
      counts[column: Int(random.next() % 64), row: Int(random.next() % 48)] += 1
    }
    for direction in PanelCounts.Direction.allCases {
      for line in 0..<direction.lines { counts[.crossed, direction, line] = 50 }
    }
    return counts
  }

  /// Makes a store of sessions on days that follow each other, until the day of
  /// `SampleStore.began`.
  /// - Parameters:
  ///   - broken: how many of the last days the vertical line 23 is skipped.
  ///   - other: how many of the last days the driver tells another size of the panel.
  static func make(
    days: Int, broken: Int = 0, other: Int = 0, in folder: TemporaryFolder
  ) throws -> String {
    try SampleStore.copy("panel \(days) \(broken) \(other)", in: folder) {
      try SampleStore.make(records(days, broken, other), in: $0)
    }
  }

  private static func records(_ days: Int, _ broken: Int, _ other: Int) throws -> [SessionRecord] {
    let geometry = try geometry()
    let screen = SampleStore.key("menu", geometry)
    return (0..<days).map { day -> SessionRecord in
      var record = SampleStore.session(
        Int64(day + 1), after: Int64(day + 1 - days) * 24 * 60, tags: ["build": "1"],
        [screen: [Block(column: 2, row: 1): 3000]])
      var panel = PanelRecord(key: Self.key, counts: Self.counts(seed: day + 1))
      if day >= days - other { panel.key.x.resolution = 40 }
      if day >= days - broken { panel.counts[.skipped, .vertical, 23] = 40 }
      record.changedCounts = [SubjectCounts(panel)]
      // The touchscreen is built in upside down.
      record.changedViews[0].placements = [
        Placement(
          device: "usb-1", x: .init(minimum: 0, maximum: 6399), y: .init(minimum: 0, maximum: 3599),
          matrix: CalibrationMatrix("-1 0 1 0 -1 1") ?? .identity, display: "HDMI-A-1",
          geometry: geometry, displaySource: .configuration)
      ]
      return record
    }
  }
}
