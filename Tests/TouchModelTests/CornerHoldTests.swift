import Testing

@testable import TouchModel

/// The fingers that hold two corners.
@Suite struct CornerHoldTests {
  private func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(microseconds: milliseconds * 1000)
  }

  private func hold(
    _ places: [(x: Double, y: Double)], firstAt start: Int64 = 0, apart: Int64 = 500
  ) -> CornerHold {
    var hold = CornerHold()
    for (number, place) in places.enumerated() {
      hold.place(
        TouchID(UInt64(number)), x: place.x, y: place.y, isNew: true,
        at: time(start + Int64(number) * apart))
    }
    return hold
  }

  @Test func `Two corners are held long enough three seconds after the second one`() {
    #expect(hold([(0.05, 0.05), (0.95, 0.95)]).end == time(3500))
    // Further fingers change nothing.
    #expect(hold([(0, 0), (1, 0), (0.5, 0.5), (0.02, 0.9)]).end == time(3500))
  }

  @Test func `One corner, two fingers in one corner, and fingers beside corners do not count`() {
    #expect(hold([(0, 0)]).end == nil)
    #expect(hold([(0, 0), (0.1, 0.1)]).end == nil)
    #expect(hold([(0, 0), (0.5, 0)]).end == nil)
  }

  @Test func `A finger that lifts or slides away holds its corner no longer`() {
    var lifted = hold([(0, 0), (1, 0)])
    lifted.lift(TouchID(0))
    #expect(lifted.end == nil)
    var slid = hold([(0, 0), (1, 0)])
    slid.place(TouchID(1), x: 0.95, y: 0.02, isNew: false, at: time(900))
    #expect(slid.end == time(3500))
    for x in [0.6, 0.95] {
      slid.place(TouchID(1), x: x, y: 0.02, isNew: false, at: time(1000))
      #expect(slid.end == nil)
    }
  }
}
