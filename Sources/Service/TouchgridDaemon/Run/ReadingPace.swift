internal import TouchInput
internal import TouchModel

/// How long a touched panel may stay unread, so that one read takes the events of several frames.
/// The kernel's buffer must not overflow meanwhile, even if all fingers move.
struct ReadingPace {
  /// The longest rest, in µs.
  static let longestRest: Int64 = 50_000
  /// The longest step while something is masked, in µs. Shorter ones are halves of it.
  static let longestStep: Int64 = 250_000
  /// The shortest step, in µs: a sixteenth.
  static let shortestStep: Int64 = longestStep / 16
  /// What is assumed of a panel until its frames were timed, in µs. No touchscreen on a USB bus at
  /// full speed is faster.
  private static let assumedPeriod: Int64 = 1_000
  /// The fingers of a hand that may touch down during a rest, after the first one.
  private static let hand = 4
  /// How many periods are timed together. Buses deliver some frames late and the next one soon
  /// after.
  private static let timedPeriods = 8
  /// The longest time between two frames of a finger that moves, in µs. A longer one says nothing
  /// of the panel.
  private static let longestPeriod: Int64 = 25_000

  private let buffer: KernelBuffer
  /// How many events may wait in the kernel: at first half of what it has room for.
  private var room: Int
  /// The time from one frame to the next at the panel's highest rate so far, in µs; nil until that
  /// is known.
  private var shortestPeriod: Int64?
  /// The same since somebody began to touch. The rate may have changed since an earlier touch.
  private(set) var period: Int64?
  private var timed = 0
  /// What the periods before these took; nil after a pause.
  private var former: Int64?
  private var start = Timestamp.zero
  private var latest = Timestamp(microseconds: .min)

  init(_ buffer: KernelBuffer) {
    self.buffer = buffer
    room = buffer.capacity / 2
  }

  /// Times a frame.
  /// - Parameter time: the kernel's.
  mutating func noteFrame(at time: Timestamp) {
    let previous = latest
    latest = time
    guard time >= previous, time - previous <= Self.longestPeriod else {
      start = time
      timed = 0
      former = nil
      return
    }
    timed += 1
    guard timed == Self.timedPeriods else { return }
    let found = max(1, (time - start) / Int64(Self.timedPeriods))
    // Frames that a busy system delivers late come in a burst, which is no rate.
    let steady = max(found, former ?? found)
    former = found
    period = min(period ?? .max, steady)
    shortestPeriod = min(shortestPeriod ?? .max, steady)
    start = time
    timed = 0
  }

  /// Notes that nobody touches any more.
  mutating func noteEnd() { period = nil }

  /// Notes that events were lost: from now on the buffer counts as half as large.
  mutating func noteLoss() { room = max(1, room / 2) }

  /// How long the buffer may go unread, in µs.
  private func limit(_ period: Int64?, _ frame: Int) -> Int64 {
    Int64(max(1, room / frame)).multipliedOrMax(by: period ?? Self.assumedPeriod)
  }

  /// Returns the length of a rest while nothing is masked, in µs; nil if each frame must be read at
  /// once.
  /// - Parameter contacts: how many are down. Until the rate is known, at most a hand more is
  ///   expected.
  func rest(contacts: Int) -> Int64? {
    let frame =
      period == nil ? buffer.frame(ofContacts: contacts + Self.hand) : buffer.largestFrame
    let rest = min(limit(period, frame), Self.longestRest)
    return rest < 2 * (period ?? Self.assumedPeriod) ? nil : rest
  }

  /// The length of the steps in which the panel is read while something is masked, in µs. It
  /// depends on the panel alone.
  var step: Int64 {
    var step = Self.longestStep
    let limit = limit(shortestPeriod, buffer.largestFrame)
    while step > limit, step > Self.shortestStep { step /= 2 }
    return step
  }
}

extension Int64 {
  fileprivate func multipliedOrMax(by other: Int64) -> Int64 {
    let (product, isTooLarge) = multipliedReportingOverflow(by: other)
    return isTooLarge ? .max : product
  }
}
