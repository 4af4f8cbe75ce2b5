/// Recognises suspected ghosts of one panel: touches without motion or duration that the panel
/// repeats at exactly the same raw position at regular intervals (raspberrypi/linux#7638: every
/// 12.864 s, for ever). Such a series is a rhythm, and each of its times is a beat.
struct GhostDetector: Sendable {
  /// The maximum duration of a ghost, in µs. People's taps last 50 ms and more.
  static let longestDuration: Int64 = 40_000
  /// The shortest period of a rhythm, in µs. A faster one may be a finger that taps.
  static let shortestPeriod: Int64 = 1_000_000
  /// The longest period of a rhythm, in µs: one hour. Slower ghosts do no harm.
  static let longestPeriod: Int64 = 3_600_000_000
  /// The number of touches at equal intervals that make a rhythm.
  static let touchesForBeat = 4
  /// The number of consecutive beats that may be missing before the rhythm ends.
  private static let missedBeats: Int64 = 8
  /// The maximum number of positions that are watched at a time.
  private static let watchLimit = 16

  struct Verdict: Sendable {
    /// The period of the rhythm, in µs.
    var period: Int64
    /// The earlier touches of the rhythm, if this touch is the one that established it; otherwise
    /// empty.
    var earlier: [TouchID]
  }

  private struct Watch: Sendable {
    var x: Int32
    var y: Int32
    /// The last touches at this position, oldest first; fewer than `touchesForBeat`. Once there is
    /// a rhythm, `times` contains only the last one, and `touches` is empty.
    var times: [Timestamp]
    var touches: [TouchID]
    /// The period of the rhythm, in µs; nil if there is none.
    var period: Int64?
    var last: Timestamp { times[times.count - 1] }
  }

  /// The watched positions, sorted by the time of their last touch.
  private var watches: [Watch] = []

  /// - Returns: whether a touch that begins at this position and time would fall on a beat.
  func expects(x: Int32, y: Int32, at time: Timestamp) -> Bool {
    guard let watch = watches.first(where: { $0.x == x && $0.y == y }), let period = watch.period
    else { return false }
    return Self.isInBeat(time - watch.last, period: period)
  }

  /// Records a touch that neither moved nor lasted.
  /// - Returns: nil if the touch is not a suspected ghost.
  mutating func observe(touch: TouchID, x: Int32, y: Int32, at time: Timestamp) -> Verdict? {
    guard let index = watches.firstIndex(where: { $0.x == x && $0.y == y }) else {
      if watches.count == Self.watchLimit {
        // Quick taps all over the panel must not displace a known rhythm.
        watches.remove(at: watches.firstIndex { $0.period == nil } ?? 0)
      }
      watches.append(Watch(x: x, y: y, times: [time], touches: [touch]))
      return nil
    }
    var watch = watches.remove(at: index)
    defer { watches.append(watch) }
    if let period = watch.period {
      guard Self.isInBeat(time - watch.last, period: period) else {
        // The touch is off the beat: a finger hit the position by chance, and the rhythm continues.
        // But after more than `missedBeats` beats the rhythm has ended, and a new one may begin.
        if Self.beats(in: time - watch.last, period: period) > Self.missedBeats {
          watch.period = nil
          watch.times = [time]
          watch.touches = [touch]
        }
        return nil
      }
      watch.times = [time]
      watch.touches = []
      return Verdict(period: period, earlier: [])
    }
    watch.times.append(time)
    watch.touches.append(touch)
    guard watch.times.count >= Self.touchesForBeat else { return nil }
    if let period = Self.period(of: watch.times) {
      let earlier = Array(watch.touches.dropLast())
      watch.period = period
      watch.times = [time]
      watch.touches = []
      return Verdict(period: period, earlier: earlier)
    }
    watch.times.removeFirst()
    watch.touches.removeFirst()
    return nil
  }

  private static func period(of times: [Timestamp]) -> Int64? {
    let mean = (times[times.count - 1] - times[0]) / Int64(times.count - 1)
    guard (shortestPeriod...longestPeriod).contains(mean) else { return nil }
    let regular = mean - tolerance(mean)...mean + tolerance(mean)
    let isRegular = zip(times, times.dropFirst()).allSatisfy { regular.contains($1 - $0) }
    return isRegular ? mean : nil
  }

  private static func isInBeat(_ interval: Int64, period: Int64) -> Bool {
    let beats = beats(in: interval, period: period)
    guard (1...missedBeats).contains(beats) else { return false }
    return abs(interval - beats * period) <= beats * tolerance(period)
  }

  /// The nearest whole number of beats. Adding half a period before the division could overflow,
  /// because an interval may have any size, for example in a recording.
  private static func beats(in interval: Int64, period: Int64) -> Int64 {
    interval / period + (interval % period >= period - period / 2 ? 1 : 0)
  }

  /// 1 %: a panel's clock is far more regular, a finger far less.
  private static func tolerance(_ period: Int64) -> Int64 { period / 100 }
}

/// Collects the suspected ghosts that belong to no session, until they are stored. A rhythm that
/// continues for weeks must not cost one transaction per touch.
struct GhostCollector: Sendable {
  /// The time for which ghosts are collected: one hour, in µs.
  static let longestDelay: Int64 = 3_600_000_000

  private var gathered: [GhostTally] = []
  /// The time of the first collected ghost, on `CLOCK_BOOTTIME`; nil if there is none.
  private var since: Timestamp?
  private var ready: [GhostTally] = []

  /// The time at which to release the collected ghosts, on `CLOCK_BOOTTIME`, even if the rhythm has
  /// stopped; nil if there are none.
  var deadline: Timestamp? { since.map { $0 + Self.longestDelay } }

  mutating func add(_ tally: GhostTally, at time: Timestamp) {
    if since == nil { since = time }
    let same = gathered.firstIndex {
      $0.device == tally.device && $0.x == tally.x && $0.y == tally.y
    }
    if let same {
      gathered[same].touches += tally.touches
    } else {
      gathered.append(tally)
    }
  }

  /// Makes the collected ghosts available to `takeReleased`.
  mutating func release() {
    ready += gathered
    gathered.removeAll()
    since = nil
  }

  /// Whether `takeReleased` has nothing to return.
  var isEmpty: Bool { ready.isEmpty }

  mutating func takeReleased() -> [GhostTally] {
    guard !ready.isEmpty else { return [] }
    defer { ready.removeAll() }
    return ready
  }
}
