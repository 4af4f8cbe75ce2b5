import Glibc
import Storage
import Text
import TouchModel

/// A date and time of day in this machine's time zone.
struct LocalTime: Equatable {
  var year: Int
  /// 1...12.
  var month: Int
  /// 1...31.
  var day: Int
  var hour = 0
  var minute = 0
  var second = 0

  /// - Returns: nil if the C library's calendar cannot represent the time.
  init?(_ time: WallTime) {
    var clock = time_t(time.milliseconds / 1000 - (time.milliseconds % 1000 < 0 ? 1 : 0))
    var parts = unsafe tm()
    tzset()
    guard unsafe localtime_r(&clock, &parts) != nil else { return nil }
    year = unsafe Int(parts.tm_year) + 1900
    month = unsafe Int(parts.tm_mon) + 1
    day = unsafe Int(parts.tm_mday)
    hour = unsafe Int(parts.tm_hour)
    minute = unsafe Int(parts.tm_min)
    second = unsafe Int(parts.tm_sec)
  }

  init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
  }

  /// The earliest moment at which the local clock shows this time or a later one. If the end of
  /// summer time repeats the hour, this is the first of the two moments. If the start of summer
  /// time skips it, this is the moment of the change. Days beyond the end of a month continue into
  /// the next month, and other numbers that are too large carry over in the same way. nil if the
  /// year, the month, the day or the hour does not fit into 32 bits.
  var wall: WallTime? {
    guard let year = Int32(exactly: year - 1900), let month = Int32(exactly: month - 1),
      let day = Int32(exactly: day), let hour = Int32(exactly: hour)
    else { return nil }
    var parts = unsafe tm()
    unsafe parts.tm_year = year
    unsafe parts.tm_mon = month
    unsafe parts.tm_mday = day
    unsafe parts.tm_hour = hour
    unsafe parts.tm_min = Int32(clamping: minute)
    unsafe parts.tm_sec = Int32(clamping: second)
    let shown = unsafe Int64(timegm(&parts))
    return WallTime(milliseconds: 1000 * LocalClock.system.earliest(showing: shown))
  }

  /// The start of the day, by the rule of `Day`: if the day does not exist, the start of the next
  /// one.
  var dayStart: WallTime? { LocalTime(year: year, month: month, day: day).wall }

  /// The start of the next day, which is the end of this day.
  var nextDayStart: WallTime? { LocalTime(year: year, month: month, day: day + 1).wall }

  /// The date and time, such as `2026-11-21 14:03`.
  var text: String { dateText + " \(padded(hour)):\(padded(minute))" }
  /// The time of day, such as `14:03:12`.
  var clockText: String { "\(padded(hour)):\(padded(minute)):\(padded(second))" }
  /// The date, such as `2026-11-21`.
  var dateText: String { "\(padded(year, 4))-\(padded(month))-\(padded(day))" }
}
