import TouchModel

/// How fast recorded frames are played.
public enum Pace: Hashable, Sendable {
  /// With the recorded pauses, each cut to `maxPause` microseconds where given.
  case recorded(maxPause: Int64? = nil)
  /// At regular intervals; after a delay it catches up, so that the mean rate holds.
  case rate(framesPerSecond: Double)
  /// Without any pause. Readers that cannot keep up lose events (`SYN_DROPPED`).
  case asFastAsPossible
}

/// When each frame is due, in nanoseconds of `CLOCK_MONOTONIC`. Decides only; `Player` sleeps.
struct Schedule {
  /// A frame this late is the ordinary trembling of a schedule that holds: nothing shifts for it.
  static let tolerance: Int64 = 2_000_000

  private let pace: Pace
  private let interval: Double
  private var due: Int64
  private var frames: Double = 0
  private let start: Int64
  private var last: Timestamp?

  /// - Parameter now: when the first frame is due.
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

  /// The time to sleep until; nil for not at all.
  /// - Parameter time: the recorded time of the next frame. One that steps back counts as no pause.
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

  /// Tells when the frame was really out. In `recorded`, everything after a late one is as late:
  /// frames pushed out in a burst would be faster than any finger.
  mutating func wrote(at now: Int64) {
    if case .recorded = pace, now - due > Self.tolerance { due = now }
  }
}

/// Saturates: a recording may claim any time.
private func sum(_ time: Int64, _ nanoseconds: Int64) -> Int64 {
  let (sum, overflow) = time.addingReportingOverflow(nanoseconds)
  return overflow ? .max : sum
}
