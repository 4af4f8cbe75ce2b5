import Testing

@testable import Storage

@Suite struct LocalClockTests {
  private static let day: Int64 = 86_400

  /// Checks the days around every clock change of every zone, and every 97th day.
  @Test func `In every zone, a day begins when its date is first shown and ends with the next`()
    throws
  {
    let zones = try ZoneFile.all()
    try #require(zones.values.reduce(0) { $0 + $1.count } > 400, "tzdata has more than 400 zones")
    var faults: [String] = []
    var (days, changes) = (0, 0)
    for (zone, names) in zones {
      var wanted = Set(stride(from: Int64(0), through: ZoneFile.end / Self.day, by: 97))
      for change in zone.changes(in: 0..<ZoneFile.end) {
        changes += 1
        for distance in -2...2 as ClosedRange<Int64> { wanted.insert(change / Self.day + distance) }
      }
      for day in wanted {
        days += 1
        if let fault = Self.fault(of: day, zone) { faults.append("\(names[0]), \(fault)") }
      }
    }
    #expect(faults.isEmpty, "\(faults.count): \(faults.prefix(20))")
    #expect(days > 50_000 && changes > 10_000, "\(days), \(changes)")
  }

  /// - Parameter day: The number of days since 1970-01-01.
  /// - Returns: What is wrong with the day's start or end, or nil.
  private static func fault(of day: Int64, _ zone: ZoneFile) -> String? {
    let clock = zone.clock
    let (start, end) = (clock.start(ofDay: day), clock.start(ofDay: day + 1))
    let midnight = day * Self.day
    guard clock.shown(at: start) >= midnight else { return "\(day): it begins too early" }
    // Between two changes the clock only moves forward. So it is enough to check the moments just
    // before each change and before the day.
    let before = [start] + zone.changes(in: (start - 3 * Self.day)..<start)
    guard before.allSatisfy({ clock.shown(at: $0 - 1) < midnight }) else {
      return "\(day): its date was shown before it begins"
    }
    guard start <= end else { return "\(day): it ends before it begins" }
    guard start < end else { return nil }
    let changes = zone.changes(in: start..<end)
    let moments = [start, (start + end) / 2, end - 1] + changes + changes.map { $0 - 1 }
    for time in moments where time >= start {
      guard clock.day(at: time) == day else { return "\(day): \(time) is not of it" }
    }
    guard clock.day(at: end) > day, clock.day(at: start - 1) < day else {
      return "\(day): its neighbours are of it"
    }
    return nil
  }
}
