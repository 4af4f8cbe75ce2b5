import ArgumentParser
import Storage
import TouchModel

/// A time as users type it.
enum TimeArgument: Equatable {
  case day(LocalTime)
  /// A month, given by its first day.
  case month(LocalTime)
  case minute(LocalTime)
  /// A whole day, this many calendar days ago: 0 is today.
  case wholeDay(daysAgo: Int)
  /// A time of today.
  case today(hour: Int, minute: Int)
  /// This many calendar days ago, at the current time of day.
  case daysAgo(Int)
  case minutesAgo(Int)

  /// - Returns: nil if the text is not a time.
  init?(_ text: String) {
    switch text {
    case "today": self = .wholeDay(daysAgo: 0)
    case "yesterday": self = .wholeDay(daysAgo: 1)
    default:
      guard let time = Self.ago(text) ?? Self.point(text[...]) else { return nil }
      self = time
    }
  }

  /// Parses a number and a unit, such as `7d`.
  private static func ago(_ text: String) -> TimeArgument? {
    guard let unit = text.last, let count = Int(text.dropLast()), (0...100_000).contains(count),
      text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") })
    else { return nil }
    return switch unit {
    case "w": .daysAgo(7 * count)
    case "d": .daysAgo(count)
    case "h": .minutesAgo(60 * count)
    case "m": .minutesAgo(count)
    default: nil
    }
  }

  /// Parses a date, a month, a time of day, or a date with a time of day.
  private static func point(_ text: Substring) -> TimeArgument? {
    let parts = text.split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 == "T" || $0 == " " })
    guard parts.count == 2 else {
      if let clock = clock(text) { return .today(hour: clock.hour, minute: clock.minute) }
      return date(text).map { .day($0) } ?? date(text + "-01").map { .month($0) }
    }
    guard var date = date(parts[0]), let clock = clock(parts[1]) else { return nil }
    (date.hour, date.minute) = clock
    return .minute(date)
  }

  private static func clock(_ text: Substring) -> (hour: Int, minute: Int)? {
    guard let numbers = numbers(text, ":", [2, 2]), numbers[0] < 24, numbers[1] < 60
    else { return nil }
    return (numbers[0], numbers[1])
  }

  private static func date(_ text: Substring) -> LocalTime? {
    guard let numbers = numbers(text, "-", [4, 2, 2]) else { return nil }
    guard let day = Day(year: numbers[0], month: numbers[1], day: numbers[2]) else { return nil }
    return LocalTime(day: day.text)
  }

  private static func numbers(
    _ text: Substring, _ separator: Character, _ digits: [Int]
  ) -> [Int]? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == digits,
      parts.allSatisfy({ $0.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } })
    else { return nil }
    return parts.compactMap { Int($0) }
  }

  /// Returns the start of a span, for `--since`.
  func start(now: WallTime) -> WallTime? {
    switch self {
    case .day(let date), .month(let date): return date.dayStart
    case .wholeDay(let days): return Self.midnight(days, before: now)
    case .minute(let time): return time.wall
    case .today(let hour, let minute):
      guard var time = LocalTime(now) else { return nil }
      (time.hour, time.minute, time.second) = (hour, minute, 0)
      return time.wall
    case .daysAgo(let days):
      guard var time = LocalTime(now) else { return nil }
      time.day -= days
      return time.wall
    case .minutesAgo(let minutes):
      return WallTime(milliseconds: now.milliseconds - Int64(minutes) * 60_000)
    }
  }

  /// Returns the end of a span, for `--until`. For a day or a month, this is the end of that day or
  /// month.
  func end(now: WallTime) -> WallTime? {
    switch self {
    case .day(let date): date.nextDayStart
    case .month(let first): LocalTime(year: first.year, month: first.month + 1, day: 1).wall
    case .wholeDay(let days): Self.midnight(days - 1, before: now)
    case .minute, .today, .daysAgo, .minutesAgo: start(now: now)
    }
  }

  /// Returns the start of the day that was this many calendar days before `now`.
  private static func midnight(_ days: Int, before now: WallTime) -> WallTime? {
    LocalTime(now).flatMap { LocalTime(year: $0.year, month: $0.month, day: $0.day - days).wall }
  }
}

extension TimeArgument: FormedArgument {
  static let forms =
    "2026-11-21, 2026-11 (a month), 2026-11-21T14:00, 14:00 (today), today, yesterday, or a time ago "
    + "such as 2w, 7d, 12h or 30m"

  init?(argument: String) { self.init(argument) }
}
