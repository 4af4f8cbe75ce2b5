/// One moment on the three clocks that matter.
public struct Moment: Hashable, Sendable {
  /// `CLOCK_MONOTONIC`, that of events.
  public var monotonic: Timestamp
  /// `CLOCK_BOOTTIME`: goes on during suspend.
  public var boottime: Timestamp
  /// `CLOCK_REALTIME`: may jump.
  public var wall: WallTime

  public init(monotonic: Timestamp, boottime: Timestamp, wall: WallTime) {
    self.monotonic = monotonic
    self.boottime = boottime
    self.wall = wall
  }

  /// A moment without the clock that may jump. Ordered by the one that goes on during suspend.
  struct Instant: Hashable, Comparable, Sendable {
    var monotonic: Timestamp
    var boottime: Timestamp
    static func < (left: Instant, right: Instant) -> Bool { left.boottime < right.boottime }
  }

  var instant: Instant { Instant(monotonic: monotonic, boottime: boottime) }

  /// When an event of this monotonic time happened: since the last suspend, as it is still unread.
  func instant(of event: Timestamp) -> Instant {
    Instant(monotonic: event, boottime: boottime(of: event))
  }

  func boottime(of event: Timestamp) -> Timestamp { boottime + (event - monotonic) }

  /// An earlier moment, with the wall-clock time that it would have had by today's clock.
  func earlier(_ instant: Instant) -> Moment {
    let elapsed = max(0, boottime - instant.boottime)
    return Moment(
      monotonic: instant.monotonic, boottime: instant.boottime,
      wall: WallTime(milliseconds: wall.milliseconds - elapsed / 1000))
  }
}
