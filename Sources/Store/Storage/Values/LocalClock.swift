internal import Glibc
internal import TouchModel

/// The clock of a time zone. Times are in seconds since 1970. A local time is what the clock shows:
/// the seconds from 1970-01-01 00:00 to its date and time of day, with 86,400 seconds in every day.
///
/// If the clock is set back, it shows some local times twice. If it is set forward, it skips local
/// times, perhaps a midnight or a whole day.
public struct LocalClock: Sendable {
  /// Returns the number of seconds by which the clock is ahead of UTC at a time.
  private let offset: @Sendable (Int64) -> Int64

  /// The greatest distance of a clock from UTC, in s, with a margin. No clock ever was farther from
  /// UTC.
  private static let offsetLimit: Int64 = 16 * 3600
  /// A time within which no clock was ever set twice, in s.
  private static let step: Int64 = 2 * 3600
  private static let day: Int64 = 86_400

  /// - Parameter offset: returns the seconds by which the clock is ahead of UTC at a time.
  public init(offset: @escaping @Sendable (Int64) -> Int64) { self.offset = offset }

  /// The clock of this process's time zone, as it is set now.
  public static var system: LocalClock {
    // localtime_r alone may not notice that the zone was changed.
    tzset()
    return LocalClock { time in
      var clock = time_t(time)
      var parts = unsafe tm()
      guard unsafe localtime_r(&clock, &parts) != nil else { return 0 }
      return unsafe Int64(parts.tm_gmtoff)
    }
  }

  /// Returns the local time that the clock shows at a time.
  func shown(at time: Int64) -> Int64 { time + offset(time) }

  /// Returns the hour that the clock shows at a time, 0 to 23.
  func hour(at time: WallTime) -> Int {
    let shown = shown(at: time.milliseconds.flooredQuotient(by: 1000))
    return Int((shown - Self.day * shown.flooredQuotient(by: Self.day)) / 3600)
  }

  /// Returns the earliest time at which the clock shows a local time or a later one. If the clock
  /// shows the local time twice, this is the first of the two. If the clock skips the local time,
  /// this is the moment at which it is set forward.
  public func earliest(showing local: Int64) -> Int64 {
    var start = local - Self.offsetLimit
    var offset = self.offset(start)
    while true {
      let end = start + Self.step
      let newer = self.offset(end)
      let change = newer == offset ? end : self.change(after: start, until: end)
      if change - 1 + offset >= local { return max(start, local - offset) }
      if end - 1 + newer >= local { return max(change, local - newer) }
      (start, offset) = (end, newer)
    }
  }

  /// Returns the first time after `start` at which the offset differs from the one at `start`.
  /// - Precondition: the offsets at `start` and `end` differ.
  private func change(after start: Int64, until end: Int64) -> Int64 {
    let offset = self.offset(start)
    var (low, high) = (start, end)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if self.offset(middle) == offset { low = middle } else { high = middle }
    }
    return high
  }

  /// Returns the day at a time, in days since 1970-01-01. A day begins when the clock first shows
  /// its date or a later one. If the clock is then set back over midnight, the day continues
  /// although the clock shows the previous date.
  func day(at time: Int64) -> Int64 {
    let offset = self.offset(time)
    let shown = (time + offset).flooredQuotient(by: Self.day)
    // The clock can only have shown a later date before if it was set back within the last day.
    guard self.offset(time - Self.day) > offset, start(ofDay: shown + 1) <= time else {
      return shown
    }
    return shown + 1
  }

  /// Returns the time at which a day begins. A day that the clock skips begins when the next one
  /// does.
  func start(ofDay day: Int64) -> Int64 { earliest(showing: day * Self.day) }
}

extension Int64 {
  /// Returns the quotient, rounded down.
  func flooredQuotient(by divisor: Int64) -> Int64 {
    self / divisor - (self % divisor < 0 ? 1 : 0)
  }
}
