import ArgumentParser
import Storage
import TouchModel

/// A time as users type it.
enum TimeArgument: Equatable {
  case day(LocalTime)
  case minute(LocalTime)
  /// A time of today.
  case today(hour: Int, minute: Int)
  /// This many calendar days ago, at the current time of day.
  case daysAgo(Int)
  case minutesAgo(Int)

  /// - Returns: nil if the text is not a time.
  init?(_ text: String) {
    if let unit = text.last, let count = Int(text.dropLast()), (0...100_000).contains(count),
      text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") })
    {
      switch unit {
      case "d": self = .daysAgo(count)
      case "h": self = .minutesAgo(60 * count)
      case "m": self = .minutesAgo(count)
      default: return nil
      }
      return
    }
    let parts = text.split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 == "T" || $0 == " " })
    guard parts.count == 2 else {
      if let clock = Self.clock(text[...]) {
        self = .today(hour: clock.hour, minute: clock.minute)
      } else if let date = Self.date(text[...]) {
        self = .day(date)
      } else {
        return nil
      }
      return
    }
    guard var date = Self.date(parts[0]), let clock = Self.clock(parts[1]) else { return nil }
    (date.hour, date.minute) = clock
    self = .minute(date)
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
    case .day(let date): return date.dayStart
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

  /// Returns the end of a span, for `--until`. For a day, it is the end of the day.
  func end(now: WallTime) -> WallTime? {
    if case .day(let date) = self { date.nextDayStart } else { start(now: now) }
  }
}

extension TimeArgument: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}
