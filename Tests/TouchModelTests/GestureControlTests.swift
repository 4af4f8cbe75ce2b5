import TestSupport
import Testing

@testable import TouchModel

/// Gestures on controls, and whether the screen responds to them: a display of 1024 x 768 points, 4
/// to the mm.
@Suite struct GestureControlTests {
  private var kiosk = Kiosk(SessionRules(idleTimeout: 600_000_000))
  private let panel: Int

  init() throws {
    panel = try kiosk.add(.test())
    kiosk.recorder.panelSizes["DSI-1"] = PanelSize(width: 256, height: 192)
    try set(photo: 200)
  }

  /// - Parameter left: where the photo begins.
  private mutating func set(photo left: Double) throws {
    let photo = try #require(Rectangle(x: left, y: 200, width: 400, height: 200))
    let pay = try #require(Rectangle(x: 800, y: 600, width: 100, height: 60))
    kiosk.recorder.setControls(
      [
        ScreenControls(
          screen: "default",
          controls: [
            Control(name: "photo", rectangle: photo), Control(name: "pay", rectangle: pay),
          ])
      ], at: kiosk.now)
  }

  private func raw(_ x: Double, _ y: Double) -> (Int32, Int32) {
    (Int32(4 * x), Int32((y * 4096 / 768).rounded(.up)))
  }

  private mutating func down(_ slot: Int, _ x: Double, _ y: Double) {
    let (x, y) = raw(x, y)
    kiosk.down(panel, slot, x, y)
  }

  private mutating func move(_ slot: Int, _ x: Double, _ y: Double) {
    let (x, y) = raw(x, y)
    kiosk.move(panel, slot, x, y)
  }

  private mutating func tap(_ x: Double, _ y: Double, milliseconds: Int64 = 80) {
    let (x, y) = raw(x, y)
    kiosk.tap(panel, x, y, milliseconds: milliseconds)
  }

  private mutating func swipe(_ from: Double, _ to: Double, y: Double = 300) {
    down(0, from, y)
    kiosk.pass(100)
    move(0, to, y)
    kiosk.pass(100)
    kiosk.up(panel)
  }

  /// Two fingers move apart. The first to touch begins on the photo.
  private mutating func spread() {
    down(0, 300, 300)
    kiosk.pass(10)
    down(1, 700, 300)
    kiosk.pass(200)
    move(0, 250, 300)
    move(1, 850, 300)
    kiosk.pass(50)
    kiosk.up(panel, 0)
    kiosk.up(panel, 1)
  }

  private mutating func respond(_ milliseconds: Int64?, to control: String, ago: Int64 = 0) {
    kiosk.recorder.add(
      TouchResponse(
        screen: "default", display: nil, control: control,
        ended: kiosk.now.monotonic + -1000 * ago, milliseconds: milliseconds), at: kiosk.now)
  }

  private mutating func record() throws -> SessionRecord {
    kiosk.pass(1000)
    kiosk.stop()
    let record = try #require(kiosk.finals.last)
    for place in record.gesturePlaces {
      let shape = GestureKind().shape(of: place.counts.subject.key)
      #expect(shape?.isPlausible(place.counts.numbers, 1) == true)
    }
    return record
  }

  @Test mutating func `A gesture counts for its screen, and for the control on which it began`()
    throws
  {
    swipe(590, 900)  // From the photo to a place beside it.
    kiosk.pass(1000)
    tap(810, 610)
    kiosk.pass(1000)
    tap(20, 20)
    kiosk.pass(1000)
    spread()
    let record = try record()
    #expect(record.gestures == [.swipeRight: 1, .tap: 2, .spread: 1])
    #expect(record.gestures(on: "photo") == [.swipeRight: 1, .spread: 1])
    #expect(record.gestures(on: "pay") == [.tap: 1])
  }

  @Test mutating func `A control that moves is still the same control`() throws {
    swipe(210, 500)
    kiosk.pass(1000)
    try set(photo: 400)
    swipe(210, 500)
    kiosk.pass(1000)
    swipe(790, 500)
    let record = try record()
    #expect(record.gestures(on: "photo") == [.swipeRight: 1, .swipeLeft: 1])
    #expect(record.gesturePlaces.count == 2)
  }

  @Test mutating func `A response to one of its touches is one to the gesture`() throws {
    // Nothing observed the first tap.
    tap(810, 610)
    kiosk.pass(100)
    tap(812, 612)
    kiosk.pass(2500)
    respond(nil, to: "pay", ago: 2500)
    spread()
    kiosk.pass(2500)
    respond(nil, to: "photo", ago: 2500)
    swipe(500, 210)
    kiosk.pass(100)
    respond(30, to: "photo", ago: 100)
    kiosk.pass(1000)
    swipe(500, 210)
    kiosk.pass(2500)
    respond(nil, to: "photo", ago: 2500)
    kiosk.pass(1000)
    swipe(500, 210)
    let record = try record()
    let screen = try #require(record.gesturePlaces.first { $0.control == nil }).counts
    #expect(screen.gestures == [.doubleTap: 1, .spread: 1, .swipeLeft: 3])
    #expect(screen.numbers(.observed) == [.doubleTap: 1, .spread: 1, .swipeLeft: 2])
    #expect(screen.numbers(.unanswered) == [.doubleTap: 1, .spread: 1, .swipeLeft: 1])
    let photo = try #require(record.gesturePlaces.first { $0.control == "photo" }).counts
    #expect(photo.numbers(.unanswered) == [.spread: 1, .swipeLeft: 1])
  }

  @Test mutating func `A ghost is taken back from its control as well`() throws {
    let (x, y) = raw(810, 610)
    tap(20, 20)
    kiosk.pass(12_856)
    for _ in 0..<4 {
      kiosk.tap(panel, x, y, milliseconds: 8)
      kiosk.pass(12_856)
    }
    let record = try record()
    #expect(record.totals.ghosts == 4 && record.gestures == [.tap: 1])
    #expect(record.gestures(on: "pay") == [:])
  }

  @Test mutating func `Masked touches are no gestures of the control beneath, and get no response`()
    throws
  {
    try kiosk.mask(
      Mask(screen: "default", rectangle: Rectangle(x: 250, y: 250, width: 100, height: 100)))
    tap(300, 300)
    kiosk.pass(100)
    respond(nil, to: "photo", ago: 100)
    kiosk.pass(1000)
    spread()  // The first finger is masked, and the second on no control.
    kiosk.pass(1000)
    swipe(590, 400, y: 390)
    kiosk.pass(100)
    respond(nil, to: "photo", ago: 100)
    let record = try record()
    #expect(record.totals.masked == 2)
    #expect(record.gestures == [.swipeRight: 1, .swipeLeft: 1])
    #expect(record.gestures(on: "photo") == [.swipeLeft: 1])
    #expect(record.gesturePlaces.allSatisfy { $0.counts.numbers(.observed).isEmpty })
  }
}
