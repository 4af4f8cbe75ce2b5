import TestSupport
import Testing

@testable import TouchModel

/// Responses of the screen to touches of controls: a display of 1024 x 768 points.
@Suite struct ResponseTests {
  private let display: Placement
  private var kiosk = Kiosk(SessionRules(idleTimeout: 600_000_000))
  private var panel = 0

  init() throws {
    display = try #require(Placement.test())
    panel = try kiosk.add(display)
    let pay = try #require(Rectangle(x: 400, y: 400, width: 40, height: 40))
    let menu = try #require(Rectangle(x: 100, y: 100, width: 40, height: 40))
    kiosk.recorder.setControls(
      [
        ScreenControls(
          screen: "default",
          controls: [Control(name: "pay", rectangle: pay), Control(name: "menu", rectangle: menu)])
      ], at: kiosk.now)
  }

  private mutating func tap(_ x: Double, _ y: Double, milliseconds: Int64 = 80) {
    kiosk.tap(
      panel, Int32(4 * x), Int32((y * 4096 / 768).rounded(.up)), milliseconds: milliseconds)
  }

  /// Reports a response to a touch that has just ended.
  private mutating func respond(
    _ milliseconds: Int64?, to control: String = "pay", on screen: String = "default",
    display: String? = nil, touchEndedAgo ago: Int64 = 0
  ) {
    kiosk.recorder.add(
      TouchResponse(
        screen: screen, display: display, control: control,
        ended: kiosk.now.monotonic + -1000 * ago, milliseconds: milliseconds), at: kiosk.now)
  }

  private mutating func responses() throws -> [[Int64]] {
    kiosk.stop()
    let counts = try #require(kiosk.finals.last?.controls.first)
    #expect(counts.isPlausible)
    return [counts[0].responses, counts[1].responses]
  }

  private let none = [Int64](repeating: 0, count: ControlSums.responseBins)

  @Test(
    arguments: [
      (0, 0), (16, 0), (17, 1), (32, 1), (33, 2), (1000, 6), (2048, 7), (2049, 8), (4096, 8),
      (4097, 9), (nil, 9),
    ] as [(Int64?, Int)])
  func `A response counts in its bin`(milliseconds: Int64?, bin: Int) throws {
    var test = self
    test.tap(410, 410)
    test.kiosk.pass(3000)
    test.respond(milliseconds, touchEndedAgo: 3000)
    var wanted = none
    wanted[bin] = 1
    #expect(try test.responses() == [wanted, none])
  }

  /// Makes touches wait for late names, by a mask on another screen.
  private mutating func maskAnotherScreen() throws {
    try kiosk.mask(Mask(screen: "pin", rectangle: nil))
  }

  @Test mutating func `A response that arrives before its touch is counted counts as well`() throws
  {
    try maskAnotherScreen()
    tap(410, 410)
    // Names may still arrive for 250 ms, so the touch is not counted yet.
    respond(10)
    #expect(kiosk.recorder.runningSession(withGrids: true, at: kiosk.now)?.controls == [])
    kiosk.pass(4000)
    #expect(try responses()[0][0] == 1)
  }

  @Test mutating func `A touch has one response, and only for its own control, screen and display`()
    throws
  {
    tap(410, 410)
    kiosk.pass(500)
    respond(10, to: "menu", touchEndedAgo: 500)
    respond(10, on: "other one", touchEndedAgo: 500)
    respond(10, display: "HDMI-A-1", touchEndedAgo: 500)
    respond(10)  // Another touch: this one ended more than 250 ms before.
    #expect(
      try #require(kiosk.recorder.runningSession(withGrids: true, at: kiosk.now))
        .controls[0][0].responses == none)
    respond(100, display: "DSI-1", touchEndedAgo: 400)
    respond(100, touchEndedAgo: 500)
    #expect(try responses() == [[0, 0, 0, 1, 0, 0, 0, 0, 0, 0], none])
  }

  @Test mutating func `Of two touches, a response belongs to the one that ended nearer`() throws {
    tap(410, 410)
    kiosk.pass(100)
    tap(410, 410)
    kiosk.pass(1000)
    respond(nil, touchEndedAgo: 1000)
    respond(20, touchEndedAgo: 1180)
    #expect(try responses()[0] == [0, 1, 0, 0, 0, 0, 0, 0, 0, 1])
  }

  @Test mutating func `Near misses, swipes and possible ghosts have no response`() throws {
    try maskAnotherScreen()
    tap(396, 410)
    respond(10)
    kiosk.pass(2000)
    kiosk.down(panel, 0, 1640, 2187)
    kiosk.pass(100)
    kiosk.move(panel, 0, 1640, 3000)
    kiosk.up(panel, 0)
    respond(10)
    kiosk.pass(2000)
    // The response belongs to this one, not to the tap after it.
    tap(410, 410, milliseconds: 20)
    respond(10)
    kiosk.pass(100)
    tap(410, 410)
    kiosk.pass(9000)
    #expect(try responses() == [none, none])
  }

  /// A control that is masked in part: the app responds to touches in the mask, and outside.
  @Test mutating func `On a screen with a mask, no touch has a response`() throws {
    try kiosk.mask(
      Mask(screen: "default", rectangle: Rectangle(x: 90, y: 90, width: 30, height: 60)))
    for x in [110.0, 130] {
      tap(x, 110)
      respond(10, to: "menu")
      kiosk.pass(400)
      respond(nil, to: "menu", touchEndedAgo: 400)
    }
    tap(410, 410)
    kiosk.pass(400)
    respond(10, touchEndedAgo: 400)
    kiosk.pass(9000)
    #expect(try responses() == [none, none])
  }

  @Test mutating func `Many responses without touches do not keep others out`() throws {
    try maskAnotherScreen()
    for number in 0..<200 as Range<Int64> { respond(number, to: "\(number)") }
    tap(410, 410)
    kiosk.pass(10)
    respond(5, touchEndedAgo: 10)
    for _ in 0..<200 { respond(1) }
    #expect(try responses()[0] == [1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test mutating func `A response to a touch of a session that has ended is ignored`() throws {
    tap(410, 410)
    kiosk.endSession()
    kiosk.pass(100)
    tap(800, 700)
    respond(5, touchEndedAgo: 180)
    kiosk.stop()
    for record in kiosk.finals {
      for counts in record.controls { #expect(counts[0].responses == none) }
    }
    #expect(kiosk.finals.count == 2)
  }
}
