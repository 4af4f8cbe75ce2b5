import TestSupport
import Testing

@testable import TouchModel

/// What clients with the role `signal` may learn: whether somebody touches.
@Suite struct ActivityTests {
  private var kiosk = Kiosk()
  private let panel: Int

  init() throws { panel = try kiosk.add(.test()) }

  private static let minute: Int64 = 60_000_000

  /// The time from `start` to the end of the span of the last touch, in ms; nil if there was none.
  private func spanEnd(_ kiosk: Kiosk, since start: Timestamp) -> Int64? {
    kiosk.recorder.activity.lastSpanEnd.map { ($0 - start) / 1000 }
  }

  private func state(
    _ kiosk: inout Kiosk, after idleAfter: Int64 = minute, since start: Timestamp
  ) -> Activity.State? {
    kiosk.recorder.activityState(idleAfter: idleAfter, since: start, at: kiosk.now.boottime)
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func `Nobody can tell masked touches from others, or when they came within 5 s`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var (open, masked) = (Kiosk(), Kiosk())
    try masked.mask(Mask(screen: ScreenTimeline.initialName))
    let panels = (try open.add(.test()), try masked.add(.test()))
    let start = open.now.boottime
    for span in 0..<20 as Range<Int64> {
      // In each span both people touch, or none does; when and how often differs.
      let touches = Bool.random(using: &random)
      func use(_ kiosk: inout Kiosk, _ panel: Int, isMasked: Bool) {
        var left: Int64 = 5000
        for _ in 0..<(touches ? Int.random(in: 1...4, using: &random) : 0) {
          let wait = Int64.random(in: 0...900, using: &random)
          kiosk.pass(wait)
          if isMasked, Bool.random(using: &random) {
            kiosk.down(panel, isPalm: true)
            left -= wait
          } else {
            kiosk.tap(panel, 100 * Int32.random(in: 0...40, using: &random), milliseconds: 80)
            left -= wait + 80
          }
        }
        kiosk.pass(left)
      }
      use(&open, panels.0, isMasked: false)
      use(&masked, panels.1, isMasked: true)
      #expect(spanEnd(open, since: start) == spanEnd(masked, since: start))
      if touches { #expect(spanEnd(open, since: start) == 5000 * (span + 1)) }
      for idleAfter in [5_000_000, 12_345_678, Self.minute] {
        #expect(
          state(&open, after: idleAfter, since: start)
            == state(&masked, after: idleAfter, since: start))
      }
    }
    #expect(masked.recorder.totals?.counted ?? 0 == 0)
  }

  @Test mutating func `The state is unknown, then active, then idle`() throws {
    let start = kiosk.now.boottime
    #expect(state(&kiosk, since: start) == nil)
    kiosk.pass(59_999)
    #expect(state(&kiosk, since: start) == nil)
    kiosk.pass(1)
    #expect(state(&kiosk, since: start) == .idle)
    kiosk.pass(100)
    kiosk.tap(panel)
    #expect(state(&kiosk, since: start) == .active)
    // The touch was 0.1 s after the start of a span.
    kiosk.pass(64_819)
    #expect(state(&kiosk, since: start) == .active)
    let idle = kiosk.recorder.idleTime(idleAfter: Self.minute, since: start)
    kiosk.pass(1)
    #expect(state(&kiosk, since: start) == .idle)
    #expect(idle == kiosk.now.boottime)
  }

  @Test(arguments: [false, true], [nil, .palm] as [Cancellation?])
  func `A finger that lifts or becomes a palm counts until its end, in a mask or not`(
    isMasked: Bool, reason: Cancellation?
  ) throws {
    var kiosk = Kiosk()
    if isMasked { try kiosk.mask(Mask(screen: ScreenTimeline.initialName)) }
    let panel = try kiosk.add(.test())
    let start = kiosk.now.boottime
    kiosk.down(panel)
    kiosk.pass(121_000)
    #expect(state(&kiosk, since: start) == .active)
    #expect(kiosk.recorder.idleTime(idleAfter: Self.minute, since: start) == nil)
    kiosk.up(panel, 0, reason == nil ? .ended : .cancelled, reason)
    #expect(spanEnd(kiosk, since: start) == 125_000)
    #expect(state(&kiosk, since: start) == .active)
  }

  @Test mutating func `Touches during a pause count, and so do fingers that stay down after it`()
    throws
  {
    let start = kiosk.now.boottime
    kiosk.pause()
    kiosk.pass(7000)
    kiosk.down(panel)
    #expect(spanEnd(kiosk, since: start) == 10_000)
    kiosk.pass(5000)
    kiosk.move(panel, 0, 200, 200)
    #expect(spanEnd(kiosk, since: start) == 15_000)
    kiosk.resume()
    kiosk.pass(5000)
    kiosk.move(panel, 0, 300, 300)
    #expect(spanEnd(kiosk, since: start) == 20_000)
    #expect(kiosk.recorder.current == nil)
  }

  @Test(arguments: [false, true])
  mutating func `Ghosts do not count once their rhythm is known, nor do palms`(pauses: Bool) throws
  {
    kiosk.haunt(panel, 4)
    let known = kiosk.recorder.activity
    if pauses { kiosk.pause() }
    kiosk.haunt(panel, 6)
    #expect(kiosk.recorder.activity == known)
    if pauses { kiosk.resume() } else { kiosk.down(panel, isPalm: true) }
    #expect(kiosk.recorder.activity == known)
    kiosk.tap(panel)
    #expect(kiosk.recorder.activity != known)
  }

  @Test mutating func `Time in suspend counts as time without touches`() throws {
    let start = kiosk.now.boottime
    kiosk.tap(panel)
    kiosk.suspend(3_600_000)
    #expect(state(&kiosk, since: start) == .idle)
  }

  @Test func `Extreme times do not trap`() {
    for time in [Int64.min, -1, 0, 1, .max - 1, .max] {
      var activity = Activity()
      activity.note(Timestamp(microseconds: time))
      _ = activity.state(
        idleAfter: .max, since: Timestamp(microseconds: .min), isTouched: false,
        at: Timestamp(microseconds: time))
      #expect(activity.lastSpanEnd.map { $0.microseconds >= time } == true)
    }
  }
}
