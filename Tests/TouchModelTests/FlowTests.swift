import TestSupport
import Testing

@testable import TouchModel

/// How people move between screens: what a session leaves for the counts of its day.
@Suite struct FlowTests {
  private var kiosk = Kiosk(SessionRules(idleTimeout: 60_000_000))
  private var panel = 0

  init() throws {
    panel = try kiosk.add(Placement.test())
    kiosk.recorder.funnels = [
      Funnel(name: "order", screens: ["home", "menu", "pay"]),
      Funnel(name: "help", screens: ["help", "home"]),
    ]
    try kiosk.show("home")
    kiosk.pass(10_000)
  }

  /// Taps, and lets time pass.
  private mutating func tap(then pause: Int64 = 2000) {
    kiosk.tap(panel)
    kiosk.pass(pause)
  }

  /// Taps, upon which the app shows another screen, and lets time pass.
  private mutating func tap(to screen: String, then pause: Int64) throws {
    tap(then: 0)
    try kiosk.show(screen)
    kiosk.pass(pause)
  }

  private mutating func flow() throws -> FlowCounts {
    kiosk.pass(120_000)
    let last = try #require(kiosk.finals.last)
    return try #require(last.flow)
  }

  private func screen(_ name: String, _ flow: FlowCounts) throws -> ScreenFlow {
    try #require(flow.screens.first { $0.screen == name })
  }

  private func bin(_ milliseconds: Int64) -> Int { PauseBins.bin(of: milliseconds * 1000) }

  @Test mutating func `A session leaves its changes, waiting times, exit and funnels`() throws {
    try tap(to: "menu", then: 3000)
    tap(then: 1000)
    try tap(to: "pay", then: 2000)
    let flow = try flow()
    #expect(flow.sessions == 1 && FlowCounts(flow.summed) == flow.sorted)
    #expect(
      flow.steps == [
        FlowStep(display: "DSI-1", from: "home", to: "menu", times: 1, sessions: 1),
        FlowStep(display: "DSI-1", from: "menu", to: "pay", times: 1, sessions: 1),
      ])
    #expect(flow.funnels.map(\.reached) == [[0, 0], [1, 1, 1]])
    let (home, menu, pay) = try (screen("home", flow), screen("menu", flow), screen("pay", flow))
    #expect(home.entries == 1 && home.visits == 0 && menu.visits == 1 && pay.visits == 1)
    // Nobody waited at the first screen: the touch began the session.
    #expect(home.firstTouches == PauseBins.none)
    #expect(menu.firstTouches[bin(3000)] == 1 && menu.firstTouches.reduce(0, +) == 1)
    #expect(menu.pauses[bin(1000)] == 1 && menu.pauses[PauseBins.count] == 1)
    #expect(pay.firstTouches[PauseBins.count] == 1)
    #expect(pay.exits == [1, 0, 0, 0, 0] && home.exits.reduce(0, +) == 0)
    #expect(pay.oneTouchSessions == 0)
  }

  @Test mutating func `What the app shows after the person has left is no change`() throws {
    try tap(to: "thanks", then: 5500)
    try kiosk.show("advert")
    let flow = try flow()
    #expect(flow.steps.map(\.to) == ["thanks"])
    #expect(try screen("thanks", flow).exits[0] == 1)
    #expect(try screen("thanks", flow).oneTouchSessions == 1)
    #expect(!flow.screens.contains { $0.screen == "advert" })
  }

  @Test mutating func `A change that a later touch confirms counts`() throws {
    tap(then: 20_000)
    try kiosk.show("help")
    kiosk.pass(10_000)
    try kiosk.show("home")
    kiosk.pass(2000)
    tap()
    let flow = try flow()
    #expect(flow.steps.count == 2 && flow.funnels.map(\.reached) == [[1, 1], [1, 0, 0]])
    let help = try screen("help", flow)
    #expect(help.firstTouches[PauseBins.count] == 1 && help.visits == 1)
  }

  @Test mutating func `An app that ends the session on its first screen has left from another`()
    throws
  {
    try tap(to: "thanks", then: 3000)
    try kiosk.show("home")
    kiosk.endSession()
    let flow = try flow()
    let client = try #require(SessionEnd.allCases.firstIndex(of: .client))
    #expect(try screen("thanks", flow).exits[client] == 1 && flow.steps.map(\.to) == ["thanks"])
  }

  @Test mutating func `A masked touch tells only that there was one`() throws {
    try kiosk.mask(Mask(screen: "pin"))
    try tap(to: "pin", then: 3000)
    tap(then: 700)
    try tap(to: "pay", then: 1000)
    tap(then: 0)
    let flow = try flow()
    let pin = try screen("pin", flow)
    #expect(pin.visits == 1 && pin.firstTouches == PauseBins.none && pin.pauses == PauseBins.none)
    #expect(try screen("pay", flow).firstTouches[bin(1000)] == 1)
  }

  @Test mutating func `On a screen with a mask, no waiting times are counted`() throws {
    try kiosk.mask(
      Mask(screen: "pay", rectangle: Rectangle(x: 0, y: 0, width: 200, height: 200)))
    try tap(to: "pay", then: 1000)
    kiosk.tap(panel, 3000, 3000)
    kiosk.pass(1000)
    tap(then: 1000)
    kiosk.tap(panel, 3000, 3000)
    kiosk.pass(500)
    kiosk.tap(panel, 3000, 3000)
    let pay = try screen("pay", flow())
    #expect(pay.visits == 1 && pay.firstTouches == PauseBins.none && pay.pauses == PauseBins.none)
  }

  @Test(arguments: [(300, false), (2100, false), (300, true), (2100, true)])
  func `The pace of masked touches leaves no trace`(pace: Int64, isClient: Bool) throws {
    func flow(_ pace: Int64) throws -> FlowCounts {
      var test = self
      try test.kiosk.show("pay")
      try test.kiosk.mask(
        Mask(screen: "pay", rectangle: Rectangle(x: 0, y: 0, width: 200, height: 200)))
      test.kiosk.tap(test.panel, 3000, 3000)
      test.kiosk.pass(1000)
      for _ in 0..<4 { test.tap(then: pace) }
      test.kiosk.pass(9000 - 4 * (pace + 80))
      if !isClient { test.kiosk.tap(test.panel, 3000, 3000) }
      // An app may take its mask away before the session ends.
      try test.kiosk.mask()
      test.kiosk.pass(2000)
      try test.kiosk.show("thanks")
      test.kiosk.pass(4000)
      if isClient { test.kiosk.endSession() }
      return try test.flow()
    }
    #expect(try flow(pace) == flow(500))
  }

  /// The touch after the mask may be a ghost, so it does not tell itself that the screen was seen.
  @Test func `When a mask was touched does not tell whether the next screen was seen`() throws {
    func flow(_ time: Int64) throws -> FlowCounts {
      var test = self
      try test.kiosk.mask(Mask(screen: "pin"))
      test.tap(then: 0)
      try test.kiosk.show("pin")
      test.kiosk.pass(time)
      test.tap(then: 20_000 - time)
      try test.kiosk.show("menu")
      test.kiosk.pass(1000)
      test.kiosk.tap(test.panel, milliseconds: 8)
      return try test.flow()
    }
    #expect(try flow(1000) == flow(19_000))
    #expect(try flow(1000).steps.count == 2)
  }

  @Test mutating func `Ghosts after the person has left change nothing`() throws {
    try tap(to: "menu", then: 20_000)
    try kiosk.show("home")
    for _ in 0..<4 {
      kiosk.pass(5000)
      kiosk.tap(panel, 50, 50, milliseconds: 0)
    }
    let flow = try flow()
    #expect(flow.steps.map(\.to) == ["menu"])
    #expect(try screen("menu", flow).exits[0] == 1)
  }

  @Test mutating func `A screen that is named every few seconds stays one visit`() throws {
    try tap(to: "menu", then: 0)
    for _ in 0..<6 {
      kiosk.pass(4000)
      tap(then: 4000)
      try kiosk.show("menu")
    }
    let menu = try screen("menu", flow())
    #expect(menu.visits == 1 && menu.firstTouches[bin(4000)] == 1)
    #expect(menu.firstTouches.reduce(0, +) == 1)
    #expect(menu.pauses[bin(8000)] == 5 && menu.pauses[PauseBins.count] == 1)
  }

  @Test mutating func `A touch that ends the session as it begins sees what was shown before`()
    throws
  {
    try tap(to: "thanks", then: 3000)
    kiosk.down(panel)
    kiosk.pass(50)
    try kiosk.show("home")
    kiosk.endSession()
    kiosk.pass(50)
    kiosk.up(panel)
    let flow = try flow()
    #expect(flow.steps.map(\.to) == ["thanks"])
  }

  @Test mutating func `A touch that may be a ghost is no first touch`() throws {
    try tap(to: "menu", then: 1000)
    kiosk.tap(panel, milliseconds: 20)
    let menu = try screen("menu", flow())
    #expect(menu.firstTouches == PauseBins.none && menu.visits == 1)
  }

  @Test mutating func `A session with a pause, or without a touch, is not counted`() throws {
    tap()
    kiosk.pause()
    kiosk.pass(1000)
    kiosk.resume()
    tap()
    kiosk.pass(120_000)
    #expect(kiosk.finals.count == 1 && kiosk.finals[0].flow == nil)
    _ = kiosk.beginSession()
    kiosk.pass(1000)
    kiosk.endSession()
    #expect(kiosk.finals.count == 2 && kiosk.finals[1].flow == nil)
  }

  @Test mutating func `A session with endless changes of screens is not counted`() throws {
    tap(then: 0)
    for number in 0..<1200 {
      try kiosk.show("advert \(number % 3)")
      kiosk.pass(20)
    }
    tap()
    kiosk.pass(120_000)
    #expect(kiosk.finals.count == 1 && kiosk.finals[0].flow == nil)
  }

  @Test mutating func `Displays that nobody touches do not count`() throws {
    let other = try #require(Placement.test(display: "HDMI-A-1"))
    _ = try kiosk.add(other)
    tap(then: 0)
    try kiosk.show("advert", display: "HDMI-A-1")
    kiosk.pass(1000)
    tap()
    let flow = try flow()
    #expect(flow.screens.map(\.display) == ["DSI-1"] && flow.steps.isEmpty)
  }

  @Test func `The store's subjects give the same counts, in an order that tells nothing`() throws {
    let one = try Self.sample("a")
    #expect(FlowCounts(one.summed.reversed()) == one.sorted)
    #expect(
      one.summed.allSatisfy { CountKinds.all.shape(of: $0.subject)?.count == $0.numbers.count })
    for wrong in [
      { $0.steps[0].times = .max }, { $0.steps[0].sessions = 3 }, { $0.screens[0].entries = 2 },
      { $0.screens[0].pauses.removeLast() }, { $0.funnels[0].reached = [0, 1] },
      { $0.screens[0].sessions = 2 },
    ] as [(inout FlowCounts) -> Void] {
      var counts = one
      wrong(&counts)
      #expect(FlowCounts(counts.summed) != counts.sorted, "\(counts)")
    }
  }

  private static func sample(_ next: String) throws -> FlowCounts {
    var tally = FlowTally(
      began: .zero, funnels: [Funnel(name: "order", screens: ["home", "never"])])
    tally.show("home", on: "DSI-1", from: .zero)
    tally.show(next, on: "DSI-1", from: .ms(100))
    tally.add(
      FlowTally.Touch(
        display: "DSI-1", screen: "home", shown: .zero, began: .ms(10), ended: .ms(50),
        isKnown: true))
    let counts = tally.finish(.idle, at: .ms(50))
    return try #require(counts)
  }

  @Test func `Waiting times fall into ranges of half an octave`() {
    #expect(PauseBins.limits.prefix(4) == [125_000, 176_777, 250_000, 353_553])
    #expect(PauseBins.limits.count == 24 && PauseBins.limits[23] == 362_038_672)
    for (time, bin) in [(0, 0), (176_776, 0), (176_777, 1), (400_000_000, 23)] as [(Int64, Int)] {
      #expect(PauseBins.bin(of: time) == bin)
    }
    #expect(PauseBins.median(PauseBins.none) == nil)
    var numbers = PauseBins.none
    (numbers[6], numbers[24]) = (10, 99)
    // The middle of the range from 1 s to 1.41 s on a logarithmic scale.
    #expect(abs((PauseBins.median(numbers) ?? 0) - 1189.2) < 0.1)
  }
}
