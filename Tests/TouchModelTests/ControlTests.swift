import TestSupport
import Testing

@testable import TouchModel

/// What touches count for controls: a display of 1024 x 768 points, 4 points to the mm.
@Suite struct ControlTests {
  private let display: Placement
  private var kiosk = Kiosk(SessionRules(idleTimeout: 600_000_000))
  private var panel = 0

  init() throws {
    display = try #require(Placement.test())
    panel = try kiosk.add(display)
    kiosk.recorder.panelSizes = ["DSI-1": try #require(PanelSize(width: 256, height: 192))]
  }

  /// A control of 40 x 20 points, with its left top corner at a point.
  private func control(
    _ name: String, _ x: Double, _ y: Double, width: Double = 40, height: Double = 20,
    rage: Bool = true
  ) throws -> Control {
    Control(
      name: name, rectangle: try #require(Rectangle(x: x, y: y, width: width, height: height)),
      countsRage: rage)
  }

  private mutating func set(_ controls: [Control], screen: String = "default") {
    kiosk.recorder.setControls([ScreenControls(screen: screen, controls: controls)], at: kiosk.now)
  }

  /// Taps a point of the display. A raw unit is a quarter of a point across and 3/16 down.
  private mutating func tap(
    _ x: Double, _ y: Double, milliseconds: Int64 = 80, then pause: Int64 = 4000
  ) {
    kiosk.tap(panel, Int32(4 * x), Self.raw(y), milliseconds: milliseconds)
    kiosk.pass(pause)
  }

  /// The first raw unit at a point or below it.
  private static func raw(_ y: Double) -> Int32 { Int32((y * 4096 / 768).rounded(.up)) }

  private mutating func counts(_ screen: String = "default") throws -> [ControlCounts] {
    kiosk.stop()
    let last = try #require(kiosk.finals.last)
    return last.controls.filter { $0.key.screen == screen }
  }

  @Test(arguments: [(2900, 1), (3100, 0)] as [(Int64, Int64)])
  func `A near miss is retried by a hit within 3 s`(pause: Int64, retried: Int64) throws {
    var test = self
    test.set([try control("pay", 400, 400)])
    test.tap(394, 410, then: pause - 80)
    test.tap(410, 410)
    #expect(try test.counts()[0][0].retried == retried)
  }

  @Test mutating func `Another touch between a near miss and a hit makes it no retry`() throws {
    set([try control("pay", 400, 400), try control("menu", 100, 100)])
    tap(394, 410, then: 300)
    tap(110, 110, then: 300)
    tap(410, 410, then: 300)
    #expect(try counts()[0][0].retried == 0)
  }

  @Test mutating func `A masked touch does not come between a near miss and a hit`() throws {
    try kiosk.mask(
      Mask(screen: "default", rectangle: Rectangle(x: 600, y: 600, width: 100, height: 100)))
    set([try control("pay", 400, 400), try control("secret", 610, 610)])
    tap(394, 410, then: 300)
    tap(620, 620, then: 300)
    tap(410, 410, then: 300)
    let sums = try counts()[0]
    #expect(sums[0].retried == 1)
    #expect(sums[1] == ControlSums(), "nothing of a masked touch reaches a control")
  }

  @Test mutating func `Three taps within a second are rage, and each that follows belongs to it`()
    throws
  {
    set([try control("pay", 400, 400), try control("plus", 100, 100, rage: false)])
    for pause in [750, 300, 300, 300, 900, 2000] as [Int64] { tap(410, 410, then: pause - 80) }
    // Two taps are no rage, nor are three that are too far apart.
    for _ in 0..<2 { tap(410, 410, then: 200) }
    kiosk.pass(2000)
    for x in [401.0, 420, 439] { tap(x, 410, then: 200) }
    kiosk.pass(2000)
    for _ in 0..<5 { tap(110, 110, then: 200) }
    let sums = try counts()[0]
    // The first two taps are too slow together with the third.
    #expect(sums[0].rageRuns == 1 && sums[0].rageTaps == 5 && sums[0].rageSessions == 1)
    #expect(sums[1].hits.count == 5 && sums[1].rageRuns == 0)
  }

  @Test mutating func `A swipe counts for no control`() throws {
    set([try control("pay", 400, 400)])
    kiosk.down(panel, 0, Int32(4 * 410.0), Self.raw(410))
    for step in 1...10 as ClosedRange<Int32> {
      kiosk.pass(20)
      kiosk.move(panel, 0, 1640 + 14 * step, Self.raw(410))
    }
    kiosk.up(panel)
    kiosk.pass(2000)
    // 8 mm are 128 raw units: this one is a tap.
    kiosk.down(panel, 0, 1640, Self.raw(410))
    kiosk.pass(20)
    kiosk.move(panel, 0, 1640 + 128, Self.raw(410))
    kiosk.up(panel)
    kiosk.pass(2000)
    #expect(try counts()[0][0].hits.count == 1)
  }

  @Test mutating func `A ghost is taken back`() throws {
    set([try control("pay", 400, 400)])
    tap(390, 410)
    for _ in 0..<6 {
      tap(410, 410, milliseconds: 0, then: 12_000)
    }
    tap(420, 411)
    let sums = try counts()[0][0]
    #expect(sums.hits.count == 1 && sums.hits.x == 0 && sums.hits.y == 1)
    #expect(sums.nearMisses.count == 1 && sums.sessions == 1)
    #expect(kiosk.finals.last?.totals.ghosts == 6)
  }

  @Test mutating func `A touch is compared with the layout of the moment when it began`() throws {
    set([try control("pay", 400, 400)])
    kiosk.down(panel, 0, Int32(4 * 410.0), Self.raw(410))
    kiosk.pass(100)
    set([try control("pay", 500, 500)])
    kiosk.pass(100)
    kiosk.up(panel)
    kiosk.pass(1000)
    tap(410, 410)
    tap(510, 510)
    let counts = try counts()
    #expect(counts.count == 2)
    #expect(counts.map { $0[0].hits.count }.sorted() == [1, 1])
    #expect(Set(counts.map { $0.set.controls[0].rectangle.x }) == [400, 500])
  }

  @Test mutating func `Former layouts are forgotten`() throws {
    for number in 0..<2000 {
      set(
        try (0..<50).map { try control("\($0)", Double(number), Double(10 * $0)) },
        screen: "screen \(number % 700)")
    }
    #expect(kiosk.recorder.controlLayouts.rememberedControls < 40_000)
    set([])
    kiosk.pass(20_000)
    set([])
    #expect(kiosk.recorder.controlLayouts.isEmpty)
  }

  @Test mutating func `Without the detection of ghosts, quick taps can be rage`() throws {
    kiosk.recorder.setRules(
      SessionRules(idleTimeout: 600_000_000, separatesGhosts: false), at: kiosk.now)
    set([try control("pay", 400, 400)])
    for _ in 0..<3 { tap(410, 410, milliseconds: 10, then: 200) }
    kiosk.pass(3000)
    #expect(try counts()[0][0].rageRuns == 1)
  }

  @Test mutating func `Controls of a display precede those of all displays`() throws {
    kiosk.recorder.setControls(
      [
        ScreenControls(screen: "default", controls: [try control("all", 400, 400)]),
        ScreenControls(
          screen: "default", display: "DSI-1", controls: [try control("own", 400, 400)]),
        ScreenControls(
          screen: "default", display: "HDMI-A-1", controls: [try control("other", 400, 400)]),
      ], at: nil)
    tap(410, 410)
    #expect(try counts().map { $0.set.controls[0].name } == ["own"])
  }

  @Test mutating func `A screen has at most eight sets in a session`() throws {
    for number in 0..<10 {
      set([try control("pay", Double(400 + number), 400)])
      tap(420, 410)
    }
    #expect(kiosk.recorder.lacksControls)
    let counts = try counts()
    #expect(counts.count == 8)
    #expect(kiosk.finals.last?.totals.counted == 10)
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `Random touches count as the rules say`(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    var test = self
    let controls = try (0..<12).map { number in
      try control(
        "\(number)", Double(Int.random(in: 0..<900, using: &dice)),
        Double(Int.random(in: 0..<700, using: &dice)),
        width: Double(Int.random(in: 10..<160, using: &dice)),
        height: Double(Int.random(in: 10..<60, using: &dice)))
    }
    test.set(controls)
    var expected = controls.map { _ in ControlSums() }
    for _ in 0..<400 {
      let (x, y) = (
        Double(Int.random(in: 0..<1024, using: &dice)),
        Double(Int.random(in: 0..<768, using: &dice))
      )
      test.tap(x, y)
      let point = test.display.locate(rawX: Int32(4 * x), rawY: Self.raw(y)).point
      Self.add(point, controls, &expected)
    }
    let counts = try test.counts()[0]
    for index in controls.indices {
      #expect(counts[index] == expected[index], "control \(index)")
      #expect(ControlSums(counts[index].numbers[...]) == counts[index])
    }
    #expect(counts.isPlausible && counts.set.pointSize == 0.25)
  }

  @Test func `A release shows hits and near misses of controls, and nothing else`() throws {
    var test = self
    test.set([
      try control("pay", 0, 0, width: 100, height: 50),
      try control("help", 200, 0, width: 100, height: 50),
    ])
    test.tap(10, 10)
    let subject = try test.counts()[0].subject
    guard case .units(let units) = ControlKind().disclosure else {
      Issue.record("controls are in releases")
      return
    }
    let found = try #require(units(subject.key))
    #expect(found.key == subject.key.replacing("\"rage\":true", with: "\"rage\":false"))
    #expect(ControlKind().shape(of: found.key) != nil)
    #expect(
      found.units.map { $0.parts.map(\.places) } == [
        [[0, 1, 2, 3, 4, 5, 46], [6, 7, 8, 9, 10, 11]],
        [[47, 48, 49, 50, 51, 52, 93], [53, 54, 55, 56, 57, 58]],
      ])
    #expect(found.units.map { $0.parts.map(\.sessions) } == [[46, nil], [93, nil]])
    #expect(found.units[1].area?.x == 200 && found.units[1].touches == [47, 53])
    #expect(units("[]") == nil)
  }

  /// The rules of `docs/controls.md`, written down once more.
  private static func add(
    _ point: Point, _ controls: [Control], _ sums: inout [ControlSums]
  ) {
    let distances = controls.map { control in
      let edges = control.rectangle
      let x = max(edges.x - point.x, 0, point.x - edges.x - edges.width)
      let y = max(edges.y - point.y, 0, point.y - edges.y - edges.height)
      return (x * x + y * y).squareRoot() / 4
    }
    guard let least = distances.min(), least <= 10,
      let nearest = distances.lastIndex(of: least)
    else { return }
    let edges = controls[nearest].rectangle
    let x = Int64((point.x - edges.x - edges.width / 2).rounded())
    let y = Int64((point.y - edges.y - edges.height / 2).rounded())
    if least == 0 {
      sums[nearest].hits.add(x, y)
      return sums[nearest].sessions = 1
    }
    if least <= 5 { sums[nearest].nearMisses.add(x, y) }
    let ring = [1.0, 2, 3, 5, 10].firstIndex { least <= $0 } ?? 0
    let right = point.x - edges.x - edges.width
    let below = point.y - edges.y - edges.height
    let beyond = [edges.x - point.x, right, edges.y - point.y, below].map { max(0, $0) }
    let across = max(beyond[0], beyond[1])
    let side =
      across >= max(beyond[2], beyond[3])
      ? (beyond[0] > 0 ? 0 : 1) : (beyond[2] > 0 ? 2 : 3)
    sums[nearest].beside[side][ring] += 1
  }
}
