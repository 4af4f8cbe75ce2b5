import Testing

@testable import TouchModel

@Suite struct ScreenTimelineTests {
  private func timeline(_ changes: [(Int64, String)]) -> ScreenTimeline {
    var timeline = ScreenTimeline()
    for (time, name) in changes { timeline.insert(name, at: .ms(time)) }
    return timeline
  }

  @Test func `A reset gives way to any name, reported before or after it`() {
    var timeline = timeline([(10, "a")])
    timeline.reset(at: .ms(30))
    #expect(timeline.current == "default" && timeline.namer == nil)
    timeline.insert("b", at: .ms(20), by: ClientID(7))
    #expect([20, 30, 40].map { timeline.name(at: .ms($0)) } == ["b", "b", "b"])
    #expect(timeline.namer == ClientID(7))
    timeline.reset(at: .ms(50))
    timeline.insert("c", at: .ms(60))
    #expect([49, 50, 60].map { timeline.name(at: .ms($0)) } == ["b", "default", "c"])
  }

  @Test func `The periods between two times have no gaps and no overlaps`() {
    let timeline = timeline([(10, "a"), (20, "b"), (20, "c")])
    var stretches: [String] = []
    timeline.forEachStretch(from: .ms(5), to: .ms(25)) { stretches.append("\($0) \($2 - $1)") }
    #expect(stretches == ["default 5000", "a 10000", "c 5000"])
  }

  @Test func `A thinned timeline keeps the names at touch-downs and all later ones`() {
    var timeline = timeline([(10, "a"), (20, "b"), (30, "c"), (40, "d"), (50, "e")])
    #expect(timeline.crowdedUntil == nil)
    timeline.thin(before: .ms(45), keeping: [.ms(25), .ms(29), .ms(60)])
    #expect(timeline.count == 4)
    // The screen between the two kept changes is unknown: it may have been a masked one.
    #expect([30, 39].allSatisfy { timeline.name(at: .ms($0)) == nil })
    #expect([20, 29, 40, 49, 50].map { timeline.name(at: .ms($0)) } == ["b", "b", "d", "d", "e"])
    #expect(timeline.name(at: .ms(19)) == nil)
    timeline.insert("late", at: .ms(22))
    #expect([21, 29].map { timeline.name(at: .ms($0)) } == ["b", "late"])
    for time in 51...2000 as ClosedRange<Int64> { timeline.insert("f", at: .ms(time)) }
    #expect(timeline.crowdedUntil == .ms(2000 - Int64(ScreenTimeline.limit) / 2 + 1))
  }

  @Test func `Forgetting the past keeps the present name`() {
    var timeline = timeline([(10, "a"), (20, "b"), (30, "c")])
    timeline.forget(before: .ms(25))
    #expect([25, 29, 30].map { timeline.name(at: .ms($0)) } == ["b", "b", "c"])
    timeline.forget(before: .ms(1000))
    #expect(timeline.name(at: .ms(1000)) == "c")
  }
}
