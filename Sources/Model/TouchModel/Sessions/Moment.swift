/// One moment on three clocks.
public struct Moment: Hashable, Sendable {
  /// `CLOCK_MONOTONIC`, the clock of events.
  public var monotonic: Timestamp
  /// `CLOCK_BOOTTIME`, which includes suspend.
  public var boottime: Timestamp
  /// `CLOCK_REALTIME`, which may jump.
  public var wall: WallTime

  public init(monotonic: Timestamp, boottime: Timestamp, wall: WallTime) {
    self.monotonic = monotonic
    self.boottime = boottime
    self.wall = wall
  }

  /// A moment without the wall clock. Ordered by the clock that includes suspend.
  struct Instant: Hashable, Comparable, Sendable {
    var monotonic: Timestamp
    var boottime: Timestamp
    static func < (left: Instant, right: Instant) -> Bool { left.boottime < right.boottime }
  }

  var instant: Instant { Instant(monotonic: monotonic, boottime: boottime) }

  /// Converts the monotonic time of an event. The event was unread until now, so it came after the
  /// last suspend, and the distance between the two clocks has not changed since.
  func instant(of event: Timestamp) -> Instant {
    Instant(monotonic: event, boottime: boottime(of: event))
  }

  func boottime(of event: Timestamp) -> Timestamp { boottime + (event - monotonic) }

  /// An earlier moment. Its wall time is derived from this moment's wall time, even if the clock
  /// was set in between.
  func earlier(_ instant: Instant) -> Moment {
    let elapsed = max(0, boottime - instant.boottime)
    return Moment(
      monotonic: instant.monotonic, boottime: instant.boottime,
      wall: WallTime(milliseconds: wall.milliseconds - elapsed / 1000))
  }
}
