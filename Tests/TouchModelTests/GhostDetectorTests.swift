import TestSupport
import Testing

@testable import TouchModel

@Suite struct GhostDetectorTests {
  /// The period of a real panel's ghost touches, in µs: raspberrypi/linux#7638.
  static let period: Int64 = 12_864_000

  /// Returns the times of a rhythm with jitter, in µs.
  private static func beat(
    _ count: Int, period: Int64 = period, jitter: Int64 = 4000, from start: Int64 = 0,
    seed: UInt64 = 1
  ) -> [Timestamp] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map {
      let off = Int64(random.next() % UInt64(2 * jitter + 1)) - jitter
      return Timestamp(microseconds: start + Int64($0) * period + off)
    }
  }

  /// Feeds touches without motion or duration at one place. Returns for each whether it is a
  /// suspected ghost.
  private func suspects(_ detector: inout GhostDetector, _ times: [Timestamp], x: Int32 = 5)
    -> [Bool]
  {
    times.enumerated().map { index, time in
      detector.observe(touch: TouchID(UInt64(index)), x: x, y: 7, at: time) != nil
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `A ghost of period 12.864 s is recognised from the fourth touch on, despite jitter`(
    seed: UInt64
  ) {
    var detector = GhostDetector()
    let verdicts = suspects(&detector, Self.beat(2000, seed: seed))
    #expect(verdicts.prefix(3).allSatisfy { !$0 })
    #expect(verdicts.dropFirst(3).allSatisfy { $0 })
  }

  @Test func `The fourth ghost names the three before it, and later ones name none`() throws {
    var detector = GhostDetector()
    var earlier: [[TouchID]] = []
    for (index, time) in Self.beat(6).enumerated() {
      if let verdict = detector.observe(touch: TouchID(UInt64(index)), x: 5, y: 7, at: time) {
        earlier.append(verdict.earlier)
        #expect(abs(verdict.period - Self.period) < 10_000)
      }
    }
    #expect(earlier == [[TouchID(0), TouchID(1), TouchID(2)], [], []])
  }

  @Test func `A touch in rhythm is expected, and one off the rhythm or the place is not`() throws {
    var detector = GhostDetector()
    let times = Self.beat(5, jitter: 0)
    _ = suspects(&detector, times)
    let next = times[4] + Self.period
    #expect(detector.expects(x: 5, y: 7, at: next))
    #expect(!detector.expects(x: 5, y: 7, at: next + 1_000_000))
    #expect(!detector.expects(x: 6, y: 7, at: next))
    #expect(!GhostDetector().expects(x: 5, y: 7, at: next))
  }

  @Test func `A known ghost may miss fewer than eight beats`() {
    for missing in 1...12 {
      var detector = GhostDetector()
      let times = Self.beat(5 + missing, jitter: 0)
      _ = suspects(&detector, Array(times.prefix(4)))
      let isSuspect =
        detector.observe(
          touch: TouchID(99), x: 5, y: 7, at: times[3] + Int64(missing + 1) * Self.period) != nil
      #expect(isSuspect == (missing < 8), "\(missing)")
    }
  }

  @Test func `A rhythm that paused for long, as over a night, is learnt again`() {
    var detector = GhostDetector()
    _ = suspects(&detector, Self.beat(20))
    let verdicts = suspects(&detector, Self.beat(20, from: 36_000_000_000, seed: 2))
    #expect(verdicts.dropFirst(3).allSatisfy { $0 })
    #expect(verdicts.prefix(3).allSatisfy { !$0 })
  }

  @Test func `Two simultaneous ghosts are both recognised`() {
    var detector = GhostDetector()
    var touches: [(Timestamp, Int32)] = Self.beat(50).map { ($0, 5) }
    touches += Self.beat(90, period: 7_100_000, from: 3_000_000).map { ($0, 4000) }
    touches.sort { $0.0 < $1.0 }
    var suspected: [Int32: Int] = [:]
    for (index, touch) in touches.enumerated() {
      let verdict = detector.observe(touch: TouchID(UInt64(index)), x: touch.1, y: 7, at: touch.0)
      if verdict != nil { suspected[touch.1, default: 0] += 1 }
    }
    #expect(suspected == [5: 47, 4000: 87])
  }

  @Test func `A finger on the ghost's place is not a ghost and does not end the rhythm`() {
    var detector = GhostDetector()
    let times = Self.beat(10, jitter: 0)
    _ = suspects(&detector, Array(times.prefix(5)))
    #expect(detector.observe(touch: TouchID(77), x: 5, y: 7, at: times[4] + 5_000_000) == nil)
    #expect(suspects(&detector, Array(times.suffix(5))).allSatisfy { $0 })
  }

  @Test func `A known rhythm survives many quick taps all over the panel`() {
    var detector = GhostDetector()
    let times = Self.beat(6, jitter: 0)
    _ = suspects(&detector, Array(times.prefix(5)))
    for index in 0..<100 as Range<Int32> {
      let time = times[4] + Int64(index) * 100_000
      _ = detector.observe(touch: TouchID(UInt64(1000 + index)), x: 100 + index, y: 9, at: time)
    }
    #expect(detector.expects(x: 5, y: 7, at: times[5]))
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `Quick taps of a person on one place are not ghosts, at any human rhythm`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var detector = GhostDetector()
    var time: Int64 = 0
    // Taps at intervals from 0.1 s to 3 s, alternately 5 to 8 % late and early.
    let rhythm = 100_000 + Int64(random.next() % 2_900_000)
    for index in 0..<100 as Range<UInt64> {
      let swing = rhythm * Int64(5 + random.next() % 4) / 100
      time += index % 2 == 0 ? rhythm + swing : rhythm - swing
      let verdict = detector.observe(
        touch: TouchID(index), x: 5, y: 7, at: Timestamp(microseconds: time))
      #expect(verdict == nil)
    }
  }

  @Test func `A rhythm faster than one second is not a ghost`() {
    var detector = GhostDetector()
    let verdicts = suspects(&detector, Self.beat(50, period: 999_000, jitter: 0))
    #expect(verdicts.allSatisfy { !$0 })
    var slower = GhostDetector()
    #expect(suspects(&slower, Self.beat(50, period: 1_000_000, jitter: 0)).contains(true))
  }

  @Test func `Times of any size and order do not trap`() {
    var random = SeededGenerator(seed: 9)
    let wild: [Int64] = [.min, .max, 0, -1, .max / 2, .min / 2, .max / 3, 12_864_000]
    for _ in 0..<500 {
      var detector = GhostDetector()
      for index in 0..<40 as Range<UInt64> {
        let time = Timestamp(microseconds: wild[Int(random.next() % 8)])
        _ = detector.expects(x: 1, y: 1, at: time)
        _ = detector.observe(touch: TouchID(index), x: 1, y: 1, at: time)
      }
      _ = suspects(&detector, Self.beat(5), x: 1)
      for time in wild { _ = detector.expects(x: 1, y: 7, at: Timestamp(microseconds: time)) }
      #expect(!detector.expects(x: 2, y: 2, at: .zero))
    }
  }
}
