import TouchModel

/// The speed at which recorded frames are played.
public enum Pace: Hashable, Sendable {
  /// With the recorded pauses, each limited to `maxPause` µs if given.
  case recorded(maxPause: Int64? = nil)
  /// At regular intervals. After a delay, frames are written faster until the mean rate is reached
  /// again.
  case rate(framesPerSecond: Double)
  /// Without pauses. Readers that are too slow lose events (`SYN_DROPPED`).
  case asFastAsPossible
}

/// Computes when each frame is due, in ns of `CLOCK_MONOTONIC`. `Player` does the sleeping.
struct Schedule {
  /// The delay, in ns, up to which a frame counts as on time and the schedule is not shifted.
  static let tolerance: Int64 = 2_000_000

  private let pace: Pace
  private let interval: Double
  private var due: Int64
  private var frames: Double = 0
  private let start: Int64
  private var last: Timestamp?

  /// - Parameter now: the time when the first frame is due, in ns.
  /// - Throws: `.impossibleRate`.
  init(_ pace: Pace, now: Int64) throws(VirtualTouchscreenError) {
    self.pace = pace
    start = now
    due = now
    if case .rate(let rate) = pace {
      guard rate > 0, rate <= 1_000_000 else { throw .impossibleRate(rate) }
      interval = 1e9 / rate
    } else {
      interval = 0
    }
  }

  /// Returns the time when the next frame is due, in ns; nil if it is due immediately.
  /// - Parameter time: the recorded time of the frame. If it is earlier than that of the previous
  ///   frame, there is no pause.
  mutating func next(_ time: Timestamp) -> Int64? {
    defer {
      last = time
      frames += 1
    }
    switch pace {
    case .recorded(let maxPause):
      let pause = max(0, last.map { time - $0 } ?? 0)
      let (nanoseconds, overflow) = min(pause, max(0, maxPause ?? .max))
        .multipliedReportingOverflow(by: 1000)
      due = sum(due, overflow ? .max : nanoseconds)
    case .rate: due = sum(start, Int64(exactly: (frames * interval).rounded()) ?? .max)
    case .asFastAsPossible: return nil
    }
    return due
  }

  /// Records that the frame was written at `now`, in ns. With the pace `recorded`, a frame that is
  /// late by more than `tolerance` delays all later frames by the same time. If they caught up
  /// instead, the touches would move faster than any finger.
  mutating func wrote(at now: Int64) {
    if case .recorded = pace, now - due > Self.tolerance { due = now }
  }
}

/// Returns the sum, limited to the greatest `Int64`, because a recording may contain any time.
private func sum(_ time: Int64, _ nanoseconds: Int64) -> Int64 {
  let (sum, overflow) = time.addingReportingOverflow(nanoseconds)
  return overflow ? .max : sum
}
