internal import Glibc
internal import Text
public import TouchModel

/// A day of the kiosk's calendar.
public struct Day: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The date as `YYYY-MM-DD`. The alphabetical order of these texts is chronological.
  public let text: String

  /// The calendar month, as `YYYY-MM`.
  var month: String { String(text.prefix(7)) }

  /// - Parameters: year 0...9999, month 1...12, day 1...31.
  /// - Returns: nil outside these, and for a day that the month does not have.
  public init?(year: Int, month: Int, day: Int) {
    guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.length(of: month, year)
    else { return nil }
    text = "\(padded(year, 4))-\(padded(month))-\(padded(day))"
  }

  /// - Returns: nil if the text is not `YYYY-MM-DD`.
  public init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int(Substring($0)) }
    guard numbers.count == 3, parts.count == 3,
      let day = Day(year: numbers[0], month: numbers[1], day: numbers[2]), day.text == text
    else { return nil }
    self = day
  }

  /// The day in the local time zone. It begins when the clock first shows its date, and lasts until
  /// the next day begins. Times outside the years 0 to 9999 belong to the nearest day in these
  /// years.
  public init(local time: WallTime) { self.init(time, by: .system) }

  /// The day in the time zone of a clock, as `init(local:)` has it in the local one.
  public init(_ time: WallTime, by clock: LocalClock) {
    let seconds = time.milliseconds.flooredQuotient(by: 1000)
    self =
      Day(number: clock.day(at: seconds)) ?? (time.milliseconds < 0 ? Self.first : Self.last)
  }

  /// - Parameter number: days since 1970-01-01.
  /// - Returns: nil outside the years 0 to 9999.
  private init?(number: Int64) {
    let (seconds, overflows) = number.multipliedReportingOverflow(by: 86_400)
    var clock = time_t(seconds)
    var parts = unsafe tm()
    guard !overflows, unsafe gmtime_r(&clock, &parts) != nil else { return nil }
    let (year, month, day) = unsafe (parts.tm_year, parts.tm_mon, parts.tm_mday)
    self.init(year: Int(year) + 1900, month: Int(month) + 1, day: Int(day))
  }

  /// The hour in the local time zone, 0 to 23.
  public static func localHour(of time: WallTime) -> Int { LocalClock.system.hour(at: time) }

  /// The day of the week, by the Gregorian calendar.
  public var weekday: Weekday {
    let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }.map { Int($0 - UInt8(ascii: "0")) }
    let numbers = digits.reduce(0) { 10 * $0 + $1 }
    let (month, day) = (numbers / 100 % 100, numbers % 100)
    // January and February count as part of the previous year, so that a leap day is the last day
    // of a year.
    let year = numbers / 10_000 - (month < 3 ? 1 : 0) + 400
    let months = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4]
    let sunday = (year + year / 4 - year / 100 + year / 400 + months[month - 1] + day) % 7
    return Weekday(rawValue: sunday == 0 ? 7 : sunday) ?? .monday
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

  public static func < (left: Day, right: Day) -> Bool { left.text < right.text }
  public var description: String { text }
}
