import Testing
import TouchFeedback
import TouchModel

/// The number that is drawn at the second and later taps of a quick series.
@Suite struct TapCountTests {
  private func fingers() -> Fingers {
    var fingers = Fingers()
    fingers.style.countsTaps = true
    return fingers
  }

  @Test func `The second and third of quick taps are numbered`() {
    var fingers = fingers()
    fingers.tap(1, at: 0)
    #expect(fingers.labels(at: 30) == [])
    fingers.tap(2, 110, 105, at: 200)
    #expect(fingers.labels(at: 230) == ["2"])
    fingers.tap(3, 100, 100, at: 450)
    #expect(fingers.labels(at: 480).last == "3")
    // There are no numbers unless the style asks for them.
    fingers.style.countsTaps = false
    #expect(fingers.labels(at: 480) == [])
  }

  @Test(arguments: [(350.0, true), (350.1, false)])
  func `The pause is measured from touch-up to touch-down and is at most 350 ms`(
    pause: Double, counts: Bool
  ) {
    var fingers = fingers()
    fingers.tap(1, at: 0)
    fingers.report(2, .began, at: 60 + pause)
    #expect(fingers.labels(at: 60 + pause) == (counts ? ["2"] : []))
  }

  @Test(arguments: [(44.0, true), (44.1, false)])
  func `Taps within 44 points are at the same place`(distance: Double, counts: Bool) {
    var fingers = fingers()
    fingers.tap(1, 100, 100, at: 0)
    fingers.report(2, .began, 100 + distance, 100, at: 100)
    #expect(fingers.labels(at: 100) == (counts ? ["2"] : []))
  }

  @Test func `A swipe is not a tap`() {
    var fingers = fingers()
    fingers.report(1, .began, 100, 100, at: 0)
    fingers.report(1, .moved, 300, 100, at: 50)
    fingers.report(1, .moved, 100, 100, at: 100)
    fingers.report(1, .ended, 100, 100, at: 110)
    fingers.report(2, .began, 100, 100, at: 200)
    #expect(fingers.labels(at: 200) == [])
  }

  @Test func `Two fingers at once and cancelled touches are not double taps`() {
    var fingers = fingers()
    fingers.report(1, .began, at: 0)
    fingers.report(2, .began, 120, 100, at: 10)
    #expect(fingers.labels(at: 10) == [])
    fingers.report(1, .cancelled, at: 20)
    fingers.report(2, .cancelled, at: 20)
    fingers.report(3, .began, at: 50)
    #expect(fingers.labels(at: 50) == [])
  }

  @Test func `The number stops at 999`() {
    var fingers = fingers()
    for tap in 0..<1100 {
      fingers.report(Int64(tap), .began, at: Double(tap) * 20)
      fingers.report(Int64(tap), .ended, at: Double(tap) * 20 + 10)
    }
    #expect(fingers.labels(at: 21_990).last == "999")
  }
}
