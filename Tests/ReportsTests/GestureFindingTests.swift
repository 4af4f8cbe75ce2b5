import Testing

@testable import Reports
@testable import TouchModel

@Suite struct GestureFindingTests {
  /// A number of sessions that made a gesture, once each, and how often it was observed, and not
  /// answered.
  private typealias Made = (sessions: Int64, observed: Int64, unanswered: Int64)

  private let key: GridKey

  init() throws {
    let geometry = try #require(DisplayGeometry(pixelWidth: 1920, pixelHeight: 1080))
    key = GridKey(display: "HDMI-A-1", screen: "product", geometry: geometry)
  }

  private func summed(
    _ made: [Gesture: Made], on control: String? = nil, of sessions: UInt64 = 229
  ) throws -> SummedGestures {
    var numbers = Array(repeating: Int64(0), count: GestureKind.numberCount)
    for (gesture, made) in made {
      let first = GestureKind.index(of: gesture, .times)
      numbers.replaceSubrange(
        first..<(first + 4), with: [made.sessions, made.sessions, made.observed, made.unanswered])
    }
    let subject = GestureKind.subject(key, control: control)
    let counts = SummedCounts(subject, sessions: sessions, numbers)
    let shape = try #require(GestureKind().shape(of: subject.key))
    #expect(shape.isPlausible(numbers, sessions))
    let view = FoundView(sessions: sessions, touches: 10_000, masks: [])
    return try #require(SummedGestures(FoundCounts(counts, view: view)))
  }

  private func texts(_ gestures: SummedGestures...) -> [String] {
    Finding.gestures(GestureReport(gestures)).map(\.text)
  }

  @Test func `Swipes after which nothing changed are a finding`() throws {
    let photo = try summed([.swipeLeft: (38, 38, 37), .swipeRight: (20, 20, 20)], on: "photo")
    let screen = try summed([.tap: (229, 0, 0), .swipeLeft: (38, 38, 37)])
    let found = Finding.gestures(GestureReport([screen, photo]))
    #expect(
      found.map(\.text) == [
        "In 38 of 229 sessions people swiped “photo” on “product” to the left, and nothing changed "
          + "after 37 of the 38 times that were observed. Let it react, or make it look as if it did "
          + "not."
      ])
    let finding = try #require(found.first)
    #expect(finding.kind == .gesture && finding.controls == ["photo"] && finding.key == key)
  }

  @Test(
    arguments: [
      (38, 0, 0), (38, 19, 19), (38, 38, 19), (38, 38, 0), (12, 12, 12), (0, 0, 0),
    ] as [(Int64, Int64, Int64)])
  func `Swipes to which the screen may respond, and rare ones, are none`(
    sessions: Int64, observed: Int64, unanswered: Int64
  ) throws {
    let made = (sessions: sessions, observed: observed, unanswered: unanswered)
    #expect(texts(try summed([:]), try summed([.swipeUp: made], on: "photo")) == [])
  }

  @Test func `Unobserved pinches and long presses are findings that say only what people did`()
    throws
  {
    let screen = try summed([.spread: (40, 0, 0), .longPress: (50, 0, 0), .pinch: (30, 0, 0)])
    let pay = try summed(
      [.longPress: (45, 0, 0), .tap: (200, 0, 0), .drag: (100, 0, 0)], on: "pay")
    let map = try summed([.spread: (38, 0, 0), .pinch: (30, 0, 0)], on: "map")
    #expect(
      texts(screen, pay, map) == [
        "In 45 of 229 sessions people pressed “pay” on “product” for half a second or longer. See "
          + "whether it shows at once that it was touched.",
        "In 38 of 229 sessions people spread two fingers on “map” on “product”. See whether it does "
          + "what they expect.",
      ])
    // Where no control is, the screen itself is pinched.
    #expect(
      texts(screen, pay).last
        == "In 40 of 229 sessions people spread two fingers on “product”. See whether it does what "
        + "they expect.")
    let answered = try summed([.spread: (38, 38, 2)], on: "map")
    #expect(texts(try summed([.spread: (40, 38, 2)]), answered) == [])
  }

  @Test func `Grips are a finding of the screen where most are`() throws {
    let held =
      "In 60 of 229 sessions people held the left edge of “product”. Keep buttons "
      + "away from there, and such touches off the maps (edge_grips = false)."
    let pay = try summed([.gripLeft: (60, 0, 0)], on: "pay")
    #expect(texts(try summed([.gripLeft: (60, 0, 0), .gripTop: (5, 0, 0)]), pay) == [held])
  }

  @Test func `Too few sessions are no finding`() throws {
    let few = try summed([.longPress: (19, 0, 0)], on: "pay", of: 19)
    #expect(texts(try summed([.longPress: (19, 0, 0)], of: 19), few) == [])
    let enough = try summed([.longPress: (20, 0, 0)], on: "pay", of: 20)
    #expect(texts(try summed([.longPress: (20, 0, 0)], of: 20), enough).count == 1)
  }

  @Test func `The report puts gestures and rage in one order, and swiped controls are in use`()
    throws
  {
    let names = ["pay", "photo", "unused"]
    let controls = try names.enumerated().map { number, name in
      Control(
        name: name,
        rectangle: try #require(
          Rectangle(x: 100, y: 100 + 300 * Double(number), width: 200, height: 100)))
    }
    var sums = controls.map { _ in ControlSums() }
    (sums[0].hits.count, sums[0].sessions) = (400, 200)
    (sums[0].rageRuns, sums[0].rageTaps, sums[0].rageSessions) = (60, 180, 60)
    let set = try #require(ControlSet(controls, pointSize: 0.25))
    let counted = SummedControls(
      counts: ControlCounts(key: key, set: set, numbers: sums.flatMap(\.numbers)),
      sessions: 229, view: FoundView(sessions: 229, touches: 1000, masks: []))
    func findings(_ swipes: Int64) throws -> [Finding] {
      var report = Report(
        title: "", made: Report.Time(at: WallTime(milliseconds: 0), text: ""), version: "",
        span: "", screens: [Report.Screen(key: key)])
      report.add(
        [counted],
        gestures: [
          try summed([.swipeLeft: (swipes, swipes, swipes)]),
          try summed([.swipeLeft: (swipes, swipes, swipes)], on: "photo"),
        ])
      return report.findings
    }
    #expect(try findings(80).map(\.kind) == [.gesture, .rage, .untouched])
    #expect(try findings(50).map(\.kind) == [.rage, .gesture, .untouched])
    #expect(try findings(50).last?.controls == ["unused"])
    #expect(try Set(findings(1).last?.controls ?? []) == ["photo", "unused"])
  }

  @Test func `Sides that make other gestures are told apart, by screen and by control`() throws {
    let screen = try summed([.swipeLeft: (38, 0, 0), .turn: (4, 0, 0)])
    let photo = try summed([.swipeLeft: (38, 0, 0)], on: "photo")
    let other = try summed([.swipeLeft: (60, 0, 0), .turn: (5, 0, 0)], of: 300)
    func compare(_ a: [SummedGestures], _ b: [SummedGestures]) -> ControlComparison {
      ControlComparison([], [], gestures: (a, b), level: 0.05)
    }
    let same = compare([screen, photo], [screen, photo])
    #expect(same.differences.count == 2 && same.found.isEmpty)
    let found = compare([screen, photo], [other]).found
    #expect(found.map(\.name) == ["photo"] && found.map(\.measure) == [.made(.swipeLeft)])
    #expect(found[0].b.value == 0 && abs(found[0].a.value - 38.0 / 229) < 1e-9)
    let text = compare([screen, photo], [other]).lines(width: 100).joined(separator: "\n")
    #expect(text.contains("product  photo    sessions with swipe left  17 %  0 %  "), "\(text)")
  }
}
