internal import Glibc

/// The clock of a time zone. Times are in seconds since 1970. A local time is what the clock shows: the seconds from
/// 1970-01-01 00:00 to its date and time of day, with 86,400 seconds in every day.
///
/// Clocks are set back, so a zone may show a local time twice; they are set forward, so it may skip a local time, a
/// midnight, or a whole day.
public struct LocalClock: Sendable {
  /// By how many seconds the clock is ahead of UTC at a time.
  private let offset: @Sendable (Int64) -> Int64

  /// Seconds: no clock is or was this far from UTC.
  private static let offsetLimit: Int64 = 16 * 3600
  /// Seconds: within so short a time no clock was set twice.
  private static let step: Int64 = 2 * 3600
  private static let day: Int64 = 86_400

  init(offset: @escaping @Sendable (Int64) -> Int64) { self.offset = offset }

  /// The clock of this process's time zone, as that is now.
  public static var system: LocalClock {
    // localtime_r alone need not notice that the zone was changed.
    tzset()
    return LocalClock { time in
      var clock = time_t(time)
      var parts = unsafe tm()
      guard unsafe localtime_r(&clock, &parts) != nil else { return 0 }
      return unsafe Int64(parts.tm_gmtoff)
    }
  }

  /// The local time at a time.
  func shown(at time: Int64) -> Int64 { time + offset(time) }

  /// The earliest time at which the clock shows a local time or a later one: the first of two where it shows the local
  /// time twice, and the moment at which it is set forward where it skips it.
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

  /// The time from which on the offset is another than at `start`.
  private func change(after start: Int64, until end: Int64) -> Int64 {
    let offset = self.offset(start)
    var (low, high) = (start, end)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if self.offset(middle) == offset { low = middle } else { high = middle }
    }
    return high
  }

  /// The day at a time, in days since 1970-01-01. A day begins when the clock first shows its date, or a later one.
  /// Where the clock is then set back over midnight, the day goes on although the clock shows the date before.
  func day(at time: Int64) -> Int64 {
    let offset = self.offset(time)
    let shown = (time + offset).flooredQuotient(by: Self.day)
    // It cannot have shown a later date unless it was set back since: by less than a day.
    guard self.offset(time - Self.day) > offset, start(ofDay: shown + 1) <= time else {
      return shown
    }
    return shown + 1
  }

  /// When a day begins. Days that do not exist begin when the next one does.
  func start(ofDay day: Int64) -> Int64 { earliest(showing: day * Self.day) }
}

extension Int64 {
  /// The quotient, rounded down.
  func flooredQuotient(by divisor: Int64) -> Int64 {
    self / divisor - (self % divisor < 0 ? 1 : 0)
  }
}
