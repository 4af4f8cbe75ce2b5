import Glibc
import Storage
import TestSupport
import Testing
import TouchModel

/// Days on the command line are the same as the store's days, even in time zones whose clocks
/// change at midnight.
@Suite struct DayBoundaryTests {
  struct Zone: CustomTestStringConvertible {
    var name: String
    /// The day before, the day itself, and the day after.
    var days: [String]
    /// The starts of sessions in UTC, and the index of the day that each belongs to.
    var sessions: [(time: String, day: Int)]
    var testDescription: String { name }
  }

  private static let zones = [
    Zone(
      name: "Atlantic/Azores", days: ["2024-10-26", "2024-10-27", "2024-10-28"],
      sessions: [
        ("2024-10-26 23:30", 0), ("2024-10-27 00:30", 1), ("2024-10-27 01:30", 1),
        ("2024-10-28 00:59", 1), ("2024-10-28 01:00", 2),
      ]),
    Zone(
      name: "America/Havana", days: ["2024-11-02", "2024-11-03", "2024-11-04"],
      sessions: [
        ("2024-11-03 03:30", 0), ("2024-11-03 04:30", 1), ("2024-11-03 05:30", 1),
        ("2024-11-04 04:59", 1), ("2024-11-04 05:00", 2),
      ]),
    // The clocks go back at 00:01, to 23:01 of the day before. At 03:00 UTC they show 23:30 for the
    // second time, but the new day has already begun.
    Zone(
      name: "America/St_Johns", days: ["2006-10-28", "2006-10-29", "2006-10-30"],
      sessions: [
        ("2006-10-29 02:29", 0), ("2006-10-29 02:30", 1), ("2006-10-29 03:00", 1),
        ("2006-10-30 03:29", 1), ("2006-10-30 03:30", 2),
      ]),
    // Samoa skipped 2011-12-30, so this day has no sessions.
    Zone(
      name: "Pacific/Apia", days: ["2011-12-30", "2011-12-31", "2012-01-01"],
      sessions: [
        ("2011-12-30 09:59", 0), ("2011-12-30 10:00", 1), ("2011-12-31 09:59", 1),
        ("2011-12-31 10:00", 2),
      ]),
    // The clocks go forward at midnight, so 2024-04-26 begins at 01:00.
    Zone(
      name: "Africa/Cairo", days: ["2024-04-25", "2024-04-26", "2024-04-27"],
      sessions: [
        ("2024-04-25 21:59", 0), ("2024-04-25 22:00", 1), ("2024-04-26 20:59", 1),
        ("2024-04-26 21:00", 2),
      ]),
  ]

  @Test(arguments: zones)
  func `A day given on the command line is the whole local day and no other`(zone: Zone) throws {
    let (before, day, after) = (zone.days[0], zone.days[1], zone.days[2])
    try expect(["--since", day, "--until", day], leaves: [0, 2], of: zone)
    try expect(["--until", before], leaves: [1, 2], of: zone)
    try expect(["--since", after], leaves: [0, 1], of: zone)
    try expect(["--since", day], leaves: [0], of: zone)
    try expect(["--until", day], leaves: [2], of: zone)
  }

  private func expect(_ options: [String], leaves days: [Int], of zone: Zone) throws {
    let folder = try TemporaryFolder()
    let records = try zone.sessions.enumerated().map { index, session in
      var record = SampleStore.session(Int64(index) + 1, [:])
      record.began = WallTime(milliseconds: try Self.milliseconds(session.time))
      record.lastActive = record.began
      return record
    }
    let path = try SampleStore.make(records, in: folder)
    let result = try Program.run(
      ["forget", "--yes", "--store", path] + options, environment: ["TZ": zone.name], in: folder)
    #expect(result.status == 0, "\(result.error)")
    let left = zone.sessions.indices.filter { days.contains(zone.sessions[$0].day) }
    #expect(
      try Store(reading: path).sessions(in: .always).map(\.record.id) == left.map { Int64($0) + 1 },
      "\(options)")
  }

  /// - Parameter text: A time such as `2026-10-25 00:30`, in UTC.
  private static func milliseconds(_ text: String) throws -> Int64 {
    let numbers = text.split { !$0.isNumber }.compactMap { Int32($0) }
    try #require(numbers.count == 5)
    var parts = unsafe tm()
    unsafe parts.tm_year = numbers[0] - 1900
    unsafe parts.tm_mon = numbers[1] - 1
    unsafe parts.tm_mday = numbers[2]
    unsafe parts.tm_hour = numbers[3]
    unsafe parts.tm_min = numbers[4]
    return unsafe Int64(timegm(&parts)) * 1000
  }
}
