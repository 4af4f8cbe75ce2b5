import TestSupport
import Testing

@testable import TouchModel

/// The rules of gestures, on a display of 1024 x 768 points of a quarter of a millimetre. A raw unit is
/// 1/16 mm across and 3/64 mm down.
@Suite struct GestureRuleTests {
  private var kiosk = Kiosk(SessionRules(idleTimeout: 600_000_000))
  private let panel: Int

  init() throws {
    panel = try kiosk.add(.test())
    kiosk.recorder.panelSizes["DSI-1"] = PanelSize(width: 256, height: 192)
  }

  private mutating func told() throws -> GestureTimes {
    kiosk.pass(1000)
    kiosk.stop()
    return try #require(kiosk.finals.last).gestures
  }

  /// Draws a line to the right from 1000, 1000 within a time.
  private mutating func line(_ x: Int32, milliseconds: Int64) {
    kiosk.down(panel, 0, 1000, 1000)
    kiosk.pass(milliseconds / 2)
    kiosk.move(panel, 0, 1000 + x, 1000)
    kiosk.pass(milliseconds - milliseconds / 2)
    kiosk.up(panel)
  }

  @Test(
    arguments: [
      (0, 499, .tap), (0, 500, .longPress), (42, 500, .longPress), (43, 500, .drag),
      (128, 499, .tap), (129, 400, .drag), (169, 400, .drag), (170, 400, .swipeRight),
      (170, 500, .swipeRight), (170, 501, .drag), (-170, 400, .swipeLeft),
    ] as [(Int32, Int64, Gesture)])
  func `A touch is told by its way and its time`(
    way: Int32, time: Int64, gesture: Gesture
  ) throws {
    var test = self
    test.line(way, milliseconds: time)
    #expect(try test.told() == [gesture: 1])
  }

  @Test mutating func `A finger that goes there and back does not swipe`() throws {
    kiosk.draw(panel, (1000, 1000), (1600, 1000), (1000, 1000), (1300, 1000))
    #expect(try told() == [.drag: 1])
  }

  @Test(arguments: [(39, 2, 0), (40, 0, 1), (300, 0, 1), (301, 2, 0)] as [(Int64, Int64, Int64)])
  func `Two taps are a double tap if the pause is right`(
    pause: Int64, taps: Int64, doubleTaps: Int64
  ) throws {
    var test = self
    test.kiosk.tap(test.panel)
    test.kiosk.pass(pause)
    test.kiosk.tap(test.panel, 228, 100)
    let told = try test.told()
    #expect(told[.tap, default: 0] == taps && told[.doubleTap, default: 0] == doubleTaps)
  }

  @Test mutating func `Of five quick taps, four are double taps`() throws {
    for _ in 0..<5 {
      kiosk.tap(panel)
      kiosk.pass(100)
    }
    #expect(try told() == [.doubleTap: 2, .tap: 1])
  }

  @Test mutating func `Taps that are far apart, or on two screens, are no double tap`() throws {
    kiosk.tap(panel)
    kiosk.pass(100)
    kiosk.tap(panel, 229, 100)
    kiosk.pass(1000)
    kiosk.tap(panel)
    kiosk.pass(50)
    try kiosk.show("menu")
    kiosk.pass(50)
    kiosk.tap(panel)
    kiosk.pass(1000)
    kiosk.stop()
    let counts = try #require(kiosk.finals.last).changedCounts
      .filter { $0.subject.kind == GestureKind.name }
    #expect(counts.map(\.gestures) == [[.tap: 3], [.tap: 1]])
  }

  @Test mutating func `Fingers on two touchscreens do not belong together`() throws {
    let other = try kiosk.add(
      Placement.test().map { placement in
        var placement = placement
        placement.device += " too"
        return placement
      })
    kiosk.down(panel, 0, 1000, 1000)
    kiosk.down(other, 1, 1400, 1000)
    kiosk.pass(200)
    kiosk.move(panel, 0, 800, 1000)
    kiosk.move(other, 1, 1900, 1000)
    kiosk.pass(200)
    kiosk.up(panel, 0)
    kiosk.up(other, 1)
    #expect(try told() == [.swipeLeft: 1, .swipeRight: 1])
  }

  @Test mutating func `A hand that rests on the glass does not change the gestures of another`()
    throws
  {
    kiosk.down(panel, 5, 400, 2000)
    for _ in 0..<4 {
      kiosk.pass(400)
      kiosk.tap(panel, 3000, 2000)
      kiosk.pass(400)
      kiosk.draw(panel, (1000, 1000), (1300, 1000), (1600, 1000))
    }
    kiosk.up(panel, 5)
    #expect(try told() == [.tap: 4, .swipeRight: 4, .longPress: 1])
  }

  @Test mutating func `Palms, and touches whose beginning or end was not seen, are no gestures`()
    throws
  {
    kiosk.tap(panel)
    kiosk.pass(1000)
    kiosk.down(panel, isPalm: true)
    kiosk.down(panel, preexisting: true)
    kiosk.pass(80)
    kiosk.up(panel)
    kiosk.down(panel)
    kiosk.pass(80)
    kiosk.up(panel, 0, .cancelled, .lost)
    #expect(try told() == [.tap: 1])
  }

  @Test mutating func `Ghosts are taken back, and are no part of other gestures`() throws {
    kiosk.tap(panel)
    kiosk.pass(12_856)
    for _ in 0..<20 {
      kiosk.tap(panel, 3000, 2000, slot: 9, milliseconds: 8)
      kiosk.pass(100)
      kiosk.tap(panel, 3000, 2000)
      kiosk.pass(12_676)
    }
    let told = try told()
    #expect(kiosk.finals.last?.totals.ghosts == 20)
    #expect(told == [.tap: 21])
  }

  @Test mutating func `A session whose only touches were ghosts has no gestures`() throws {
    kiosk.haunt(panel, 4)
    #expect(try told() == [:])
    let numbers = kiosk.finals.last?.changedCounts
      .first { $0.subject.kind == GestureKind.name }?.numbers
    #expect(numbers == Array(repeating: 0, count: GestureKind.numberCount))
  }
}

@Suite struct GestureKindTests {
  private let kind = GestureKind()

  @Test func `Numbers that cannot be are refused`() throws {
    let key = try GridKey(display: "DSI-1", screen: "a \"b\"", geometry: geometry())
    let subject = GestureKind.subject(key)
    let place = try #require(GestureKind.place(of: subject.key))
    #expect(place.screen == key && place.control == nil)
    let control = GestureKind.subject(key, control: "pay \"now\"").key
    #expect(GestureKind.place(of: control)?.control == "pay \"now\"")
    #expect(kind.shape(of: control.replacing("\"control\"", with: "\"other\"")) == nil)
    #expect(kind.shape(of: subject.key + " ") == nil && kind.shape(of: "{}") == nil)
    let shape = try #require(kind.shape(of: subject.key))
    let zeros = Array(repeating: Int64(0), count: GestureKind.numberCount)
    func isPlausible(
      _ times: Int64, _ sessions: Int64, _ observed: Int64 = 0, _ unanswered: Int64 = 0
    ) -> Bool {
      var numbers = zeros
      let first = GestureKind.index(of: .pinch, .times)
      numbers.replaceSubrange(first..<(first + 4), with: [times, sessions, observed, unanswered])
      return shape.isPlausible(numbers, 3)
    }
    #expect(isPlausible(0, 0) && isPlausible(1, 1) && isPlausible(9, 3))
    #expect(!isPlausible(-1, 0) && !isPlausible(1, 0) && !isPlausible(0, 1) && !isPlausible(1, 2))
    #expect(!isPlausible(9, 4) && !isPlausible(.max, 1))
    #expect(isPlausible(9, 3, 9, 9) && isPlausible(9, 3, 5, 0))
    #expect(!isPlausible(9, 3, 10, 0) && !isPlausible(9, 3, 5, 6) && !isPlausible(9, 3, 5, -1))
    var numbers = zeros
    for gesture in [Gesture.tap, .doubleTap, .pinch] {
      numbers[GestureKind.index(of: gesture, .times)] = 10
    }
    #expect(try #require(shape.view).touches(numbers) == 50)
  }

  @Test func `The order of the numbers in the store does not change`() {
    #expect(
      Gesture.allCases.map(\.rawValue) == [
        "tap", "doubleTap", "longPress", "swipeLeft", "swipeRight", "swipeUp", "swipeDown", "drag",
        "pinch", "spread", "turn", "fingersTap", "gripLeft", "gripRight", "gripTop", "gripBottom",
      ])
  }
}
