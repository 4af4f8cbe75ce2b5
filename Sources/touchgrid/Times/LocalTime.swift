import Glibc
import TouchModel

/// Times as the wall clock of this machine's time zone shows them.
struct LocalTime: Equatable {
  var year: Int
  /// 1...12.
  var month: Int
  /// 1...31.
  var day: Int
  var hour = 0
  var minute = 0
  var second = 0

  /// - Returns: nil for times beyond what the C library's calendar holds.
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

  /// When the clock shows this. Days beyond a month's end run on into the next, as C's `mktime` has it.
  /// What summer time skips counts as the hour after; what it repeats is what the C library takes.
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
    unsafe parts.tm_isdst = -1
    tzset()
    let clock = unsafe mktime(&parts)
    // -1 is also the last second of 1969; a kiosk's clock that says so knows nothing.
    guard clock != -1 else { return nil }
    return WallTime(milliseconds: Int64(clock) * 1000)
  }

  /// The first moment of the day. Where summer time begins at midnight that is 1 o'clock.
  var dayStart: WallTime? {
    for hour in 0...3 {
      let time = LocalTime(year: year, month: month, day: day, hour: hour)
      if let wall = time.wall, let shown = LocalTime(wall), shown.isSameDay(as: self) {
        return wall
      }
    }
    return nil
  }

  /// The first moment of the day after.
  var nextDayStart: WallTime? {
    let noon = LocalTime(year: year, month: month, day: day + 1, hour: 12)
    return noon.wall.flatMap { LocalTime($0) }?.dayStart
  }

  private func isSameDay(as other: LocalTime) -> Bool {
    year == other.year && month == other.month && day == other.day
  }

  /// `2026-11-21 14:03`
  var text: String { dateText + " \(pad(hour)):\(pad(minute))" }
  /// `14:03:12`
  var clockText: String { "\(pad(hour)):\(pad(minute)):\(pad(second))" }
  /// `2026-11-21`
  var dateText: String { "\(pad(year, 4))-\(pad(month))-\(pad(day))" }
}

/// A number with zeros before it.
func pad(_ number: some BinaryInteger, _ width: Int = 2) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
