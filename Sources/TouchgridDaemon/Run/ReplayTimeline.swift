internal import TouchModel

/// The three clocks while recordings play: the recording's times, moved to where the replay stands. However
/// often a recording steps back, time goes on.
struct ReplayTimeline {
  /// The moment of `origin`.
  private var start: Moment
  private var origin: Timestamp
  private var latest: Timestamp

  /// - Parameters:
  ///   - start: when the first recording begins.
  ///   - origin: its first time.
  init(start: Moment, origin: Timestamp) {
    self.start = start
    self.origin = origin
    latest = origin
  }

  /// - Parameter time: of the recording.
  mutating func moment(of time: Timestamp) -> Moment {
    latest = max(latest, time)
    return start.later(latest - origin)
  }
}

extension Moment {
  func later(_ microseconds: Int64) -> Moment {
    Moment(
      monotonic: monotonic + microseconds, boottime: boottime + microseconds,
      wall: WallTime(milliseconds: wall.milliseconds + microseconds / 1000))
  }

  /// The moment at which `CLOCK_BOOTTIME` shows a time; no suspend lies between.
  func at(boottime time: Timestamp) -> Moment { later(time - boottime) }
}
