internal import Glibc
public import TouchModel

/// A day of the kiosk's calendar.
public struct Day: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// `YYYY-MM-DD`: sorts as text as it does in time.
  public let text: String

  /// `YYYY-MM`: of its calendar month.
  var month: String { String(text.prefix(7)) }

  /// - Parameters: year 0...9999, month 1...12, day 1...31.
  /// - Returns: nil outside these, and for a day that the month does not have.
  public init?(year: Int, month: Int, day: Int) {
    guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.length(of: month, year)
    else { return nil }
    text = Self.padded(year, 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(day, 2)
  }

  /// - Returns: nil for anything but `YYYY-MM-DD`.
  public init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int(Substring($0)) }
    guard numbers.count == 3, parts.count == 3,
      let day = Day(year: numbers[0], month: numbers[1], day: numbers[2]), day.text == text
    else { return nil }
    self = day
  }

  /// The day of the local time zone. Times beyond the years 0 to 9999 belong to the nearest day that
  /// four digits can name.
  public init(local time: WallTime) {
    let known = unsafe Self.parts(of: time).flatMap { parts in
      unsafe Day(
        year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
    }
    self = known ?? (time.milliseconds < 0 ? Self.first : Self.last)
  }

  /// The hour of the local time zone, 0 to 23; 0 where the time is beyond what it knows.
  public static func localHour(of time: WallTime) -> Int {
    unsafe parts(of: time).map { unsafe Int($0.tm_hour) } ?? 0
  }

  private static func parts(of time: WallTime) -> tm? {
    var clock = time_t(floorSeconds(time.milliseconds))
    var parts = unsafe tm()
    // localtime_r alone need not notice that the zone was changed.
    tzset()
    return unsafe localtime_r(&clock, &parts) == nil ? nil : parts
  }

  private static func length(of month: Int, _ year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static let first = Day(unchecked: "0000-01-01")
  private static let last = Day(unchecked: "9999-12-31")

  private init(unchecked text: String) { self.text = text }

  private static func floorSeconds(_ milliseconds: Int64) -> Int64 {
    milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  public static func < (left: Day, right: Day) -> Bool { left.text < right.text }
  public var description: String { text }
}
