import Glibc
public import TouchModel

/// A destination for frames: a virtual touchscreen, or a substitute in tests.
public protocol FrameSink: ~Copyable {
  mutating func write(_ frame: ArraySlice<InputEvent>) throws(VirtualTouchscreenError)
}

extension FrameSink where Self: ~Copyable {
  public mutating func write(_ frame: [InputEvent]) throws(VirtualTouchscreenError) {
    try write(frame[...])
  }
}

extension VirtualTouchscreen: FrameSink {}

/// Plays recorded events frame by frame.
public struct Player {
  /// A frame that is about to be written.
  public struct Frame {
    /// The number of the frame, counted from 0.
    public let index: Int
    /// The events, with `SYN_REPORT` last. `SYN_REPORT` may be missing in the last frame of a
    /// recording that was cut off.
    public let events: ArraySlice<InputEvent>
    /// The recorded time of the frame's last event.
    public let time: Timestamp
    /// The current time on `CLOCK_MONOTONIC`.
    public let now: Timestamp
  }

  private let events: [InputEvent]
  private let pace: Pace

  /// - Parameter pace: a rate must be above 0 and at most 1,000,000 frames a second.
  public init(_ events: [InputEvent], pace: Pace) {
    self.events = events
    self.pace = pace
  }

  /// Plays all frames, and returns when the last one has been written.
  /// - Parameter beforeFrame: called right before a frame is written; returns false to stop.
  /// - Throws: `VirtualTouchscreenError`: an impossible rate, or an error of the sink.
  public func play<Sink: FrameSink & ~Copyable>(
    into sink: inout Sink, beforeFrame: (Frame) -> Bool = { _ in true }
  ) throws(VirtualTouchscreenError) {
    var schedule = try Schedule(pace, now: monotonicNanoseconds())
    var rest = events[...]
    var index = 0
    while let last = frameEnd(rest) {
      let frame = rest[...last]
      let time = events[last].time
      if let due = schedule.next(time) { sleep(until: due) }
      let now = monotonicNanoseconds()
      let shown = Frame(
        index: index, events: frame, time: time, now: Timestamp(microseconds: now / 1000))
      guard beforeFrame(shown) else { return }
      try sink.write(frame)
      schedule.wrote(at: monotonicNanoseconds())
      rest = rest[(last + 1)...]
      index += 1
    }
  }

  /// Returns the index of the first `SYN_REPORT`, or of the last event if there is none; nil if
  /// there are no events.
  private func frameEnd(_ rest: ArraySlice<InputEvent>) -> Int? {
    let end = rest.firstIndex { $0.type == EventType.syn && $0.code == SynCode.report }
    return end ?? rest.indices.last
  }
}

private func monotonicNanoseconds() -> Int64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// Sleeps until `due`, in ns. The time is absolute, so that signals and the time between calls add
/// no delay.
private func sleep(until due: Int64) {
  var time = timespec(
    tv_sec: Int(due / 1_000_000_000), tv_nsec: Int(due % 1_000_000_000))
  while unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
}
