import TestSupport
import Testing

@testable import TouchModel

/// Contacts of a hand that holds the device: a display of 1024 x 768 points, 4 to the mm.
@Suite struct GripTests {
  private var kiosk: Kiosk
  private let panel: Int

  init() throws { try self.init(countsGrips: true) }

  private init(countsGrips: Bool) throws {
    kiosk = Kiosk(SessionRules(idleTimeout: 600_000_000, countsGrips: countsGrips))
    panel = try kiosk.add(.test())
    kiosk.recorder.panelSizes["DSI-1"] = PanelSize(width: 256, height: 192)
  }

  private mutating func down(_ slot: Int, _ x: Double, _ y: Double) {
    kiosk.down(panel, slot, Int32(4 * x), Int32((y * 4096 / 768).rounded(.up)))
  }

  private mutating func tap(milliseconds: Int64 = 80) {
    kiosk.tap(panel, 2000, 1500, milliseconds: milliseconds)
  }

  private mutating func record() throws -> SessionRecord {
    kiosk.pass(1000)
    kiosk.stop()
    return try #require(kiosk.finals.last)
  }

  @Test(
    arguments: [
      (0, 300, .gripLeft), (39, 300, .gripLeft), (41, 300, .longPress), (1023, 300, .gripRight),
      (985, 300, .gripRight), (982, 300, .longPress), (500, 2, .gripTop), (500, 767, .gripBottom),
      (20, 10, .gripTop), (10, 20, .gripLeft), (500, 300, .longPress),
    ] as [(Double, Double, Gesture)])
  func `A contact that rests at an edge while a finger taps is a grip of this edge`(
    x: Double, y: Double, gesture: Gesture
  ) throws {
    var test = self
    test.down(5, x, y)
    test.kiosk.pass(500)
    test.tap()
    test.kiosk.pass(500)
    test.kiosk.up(test.panel, 5)
    #expect(try test.record().gestures == [gesture: 1, .tap: 1])
  }

  /// Touches at the left edge, and what else happens meanwhile.
  @Test func `Contacts that move, are short, or beside which nobody acts are no grips`() throws {
    func gestures(_ body: (inout GripTests) throws -> Void) throws -> GestureTimes {
      var test = try GripTests()
      test.down(5, 5, 300)
      test.kiosk.pass(300)
      try body(&test)
      test.kiosk.pass(500)
      test.kiosk.up(test.panel, 5)
      return try test.record().gestures
    }
    let panel = self.panel
    #expect(try gestures { $0.tap() } == [.gripLeft: 1, .tap: 1])
    #expect(try gestures { _ in } == [.longPress: 1])
    #expect(
      try gestures {
        $0.tap()
        $0.kiosk.move(panel, 5, 100, 1600)
      } == [.drag: 1, .tap: 1])
    // A touch that may be a ghost, and a palm.
    #expect(try gestures { $0.tap(milliseconds: 30) } == [.longPress: 1, .tap: 1])
    #expect(try gestures { $0.kiosk.down(panel, 1, 2000, 1500, isPalm: true) } == [.longPress: 1])
    // One that goes on for longer, and one in a mask.
    #expect(try gestures { $0.down(1, 500, 300) } == [.longPress: 1])
    #expect(
      try gestures {
        try $0.kiosk.mask(
          Mask(screen: "default", rectangle: Rectangle(x: 400, y: 200, width: 300, height: 300)))
        $0.tap()
      } == [.longPress: 1])
    // A second hand at the other edge does not act.
    #expect(
      try gestures {
        $0.down(1, 1020, 300)
        $0.kiosk.pass(600)
        $0.kiosk.up(panel, 1)
      } == [.longPress: 1])
  }

  @Test mutating func `Both hands that hold the device grip it, and each tap is a tap`() throws {
    down(5, 5, 300)
    down(6, 1020, 300)
    for _ in 0..<3 {
      kiosk.pass(700)
      tap()
    }
    kiosk.pass(700)
    kiosk.up(panel, 5)
    kiosk.up(panel, 6)
    #expect(try record().gestures == [.gripLeft: 1, .gripRight: 1, .tap: 3])
  }

  /// Whether a tap near the end of the rest was committed in time depends on `late_names` alone.
  @Test func `Masked touches do not change when a tap makes a grip`() throws {
    func play(_ gap: Int, masked: [Int] = []) throws -> SessionRecord {
      var test = try GripTests()
      try test.kiosk.mask(
        Mask(screen: "default", rectangle: Rectangle(x: 600, y: 0, width: 200, height: 768)))
      for time in 0..<150 {
        if time == 0 { test.down(5, 5, 300) }
        if time == 60 { test.down(0, 300, 300) }
        if time == 68 { test.kiosk.up(test.panel, 0) }
        if time == 68 + gap { test.kiosk.up(test.panel, 5) }
        if masked.contains(time) { test.down(7, 700, 300) }
        if masked.contains(time - 3) { test.kiosk.up(test.panel, 7) }
        test.kiosk.pass(10)
      }
      return try test.record()
    }
    var random = SeededGenerator(seed: 1)
    for gap in 0..<40 {
      let alone = try play(gap)
      #expect(alone.gestures[.gripLeft] == (gap < 17 ? nil : 1), "\(gap)")
      for _ in 0..<8 {
        let masked = (0..<30).map { 4 * $0 + 4 * Int.random(in: 0..<2, using: &random) }
        let beside = try play(gap, masked: masked)
        #expect(beside.totals.masked > 10)
        #expect(beside.changedCounts == alone.changedCounts, "\(gap), \(masked)")
      }
    }
  }

  @Test func `Grips can be kept out of the grids, as palms`() throws {
    for countsGrips in [true, false] {
      var test = try GripTests(countsGrips: countsGrips)
      test.down(5, 5, 300)
      test.kiosk.pass(700)
      test.tap()
      test.kiosk.pass(700)
      test.kiosk.up(test.panel, 5)
      let record = try test.record()
      #expect(record.totals.palms == (countsGrips ? 0 : 1))
      #expect(record.gestures == (countsGrips ? [.tap: 1, .gripLeft: 1] : [.tap: 1]))
      #expect(test.kiosk.sum(record.id, "default") == (countsGrips ? 2 : 1))
    }
  }
}
