import Testing
import TouchModel

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

  /// - Parameters: The zone, the day, and its start and end in UTC.
  @Test(arguments: [
    // These days are past, because a government may change what will be: Cuba did in 2026.
    // Midnight occurs twice.
    ("Atlantic/Azores", "2024-10-27", "2024-10-27T00:00", "2024-10-28T01:00"),
    ("America/Havana", "2024-11-03", "2024-11-03T04:00", "2024-11-04T05:00"),
    // There is no midnight.
    ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00", "2018-11-05T02:00"),
    ("Africa/Cairo", "2024-04-26", "2024-04-25T22:00", "2024-04-26T21:00"),
    // The day does not exist.
    ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00", "2011-12-30T10:00"),
    ("Pacific/Kwajalein", "1993-08-21", "1993-08-21T12:00", "1993-08-21T12:00"),
    // At 00:01 the clock is set back to 23:01 of the day before.
    ("America/St_Johns", "2006-10-28", "2006-10-28T02:30", "2006-10-29T02:30"),
    ("America/St_Johns", "2006-10-29", "2006-10-29T02:30", "2006-10-30T03:30"),
    ("Europe/Berlin", "2026-03-29", "2026-03-28T23:00", "2026-03-29T22:00"),
    ("Asia/Kolkata", "2026-01-01", "2025-12-31T18:30", "2026-01-01T18:30"),
  ]) func `Days with clock changes begin and end at the right moment`(
    zone: String, day: String, start: String, end: String
  ) throws {
    let clock = try ZoneFile.named(zone).clock
    let day = try Self.days(day)
    #expect(clock.start(ofDay: day) == (try Self.time(start)))
    #expect(clock.start(ofDay: day + 1) == (try Self.time(end)))
  }

  @Test func `A skipped hour means the moment of the change, a repeated hour its first pass`()
    throws
  {
    let clock = try ZoneFile.named("Europe/Berlin").clock
    #expect(
      clock.earliest(showing: try Self.time("2026-03-29T02:30"))
        == (try Self.time("2026-03-29T01:00")))
    #expect(
      clock.earliest(showing: try Self.time("2026-10-25T02:30"))
        == (try Self.time("2026-10-25T00:30")))
    #expect(
      clock.earliest(showing: try Self.time("2026-07-01T14:00"))
        == (try Self.time("2026-07-01T12:00")))
  }

  /// - Parameter text: A day such as `2026-10-25`.
  private static func days(_ text: String) throws -> Int64 {
    let utc = LocalClock { _ in 0 }
    let day = try #require(Day(text))
    var number: Int64 = 0
    while Day(WallTime(milliseconds: number * 86_400_000), by: utc) < day { number += 1 }
    return number
  }

  /// - Parameter text: A time such as `2026-10-25T00:30`.
  private static func time(_ text: String) throws -> Int64 {
    let numbers = text.dropFirst(11).split(separator: ":").compactMap { Int64($0) }
    try #require(numbers.count == 2)
    return try days(String(text.prefix(10))) * day + numbers[0] * 3600 + numbers[1] * 60
  }
}
