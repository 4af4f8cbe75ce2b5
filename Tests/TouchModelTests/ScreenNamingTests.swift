import Testing

@testable import TouchModel

/// The screen that a touch belongs to, and how long each screen was shown.
@Suite struct ScreenNamingTests {
  private var kiosk = Kiosk()
  private let panel: Int

  init() throws { panel = try kiosk.add(.test()) }

  @Test mutating func `A change in the future applies at once`() throws {
    try kiosk.show("menu", ago: -10_000)
    kiosk.tap(panel)
    kiosk.stop()
    #expect(kiosk.sum(1, "menu") == 1)
  }

  /// - Parameter isKnown: whether the display had a touchscreen when its screen was named.
  @Test(arguments: [true, false])
  func `A display shows its masked screen when a touchscreen comes back to it`(isKnown: Bool) throws
  {
    var kiosk = Kiosk()
    try kiosk.mask(Mask(screen: "pay"))
    let other = try kiosk.add(.test(display: "HDMI-1"))
    if isKnown {
      let panel = try kiosk.add(.test())
      try kiosk.show("pay", display: "DSI-1")
      kiosk.remove(panel)
      kiosk.pass(10_000)
    } else {
      kiosk.recorder.setAbsentScreen("pay", of: "DSI-1", at: kiosk.now)
    }
    kiosk.tap(other)
    let panel = try kiosk.add(.test())
    kiosk.tap(panel)
    kiosk.stop()
    let totals = try #require(kiosk.finals.last?.totals)
    #expect(totals.counted == 1 && totals.masked == 1)
  }

  @Test func `A name for all displays, or for the display, replaces that of an absent display`()
    throws
  {
    var kiosk = Kiosk()
    try kiosk.mask(Mask(screen: "pay"))
    kiosk.recorder.setAbsentScreen("pay", of: "DSI-1", at: kiosk.now)
    kiosk.recorder.setAbsentScreen("pay", of: "HDMI-1", at: kiosk.now)
    kiosk.recorder.setAbsentScreen("menu", of: "HDMI-1", at: kiosk.now)
    #expect(kiosk.recorder.timeline(ofNew: "HDMI-1").current == "menu")
    kiosk.pass(1)
    try kiosk.show("home")
    #expect(kiosk.recorder.timeline(ofNew: "DSI-1").current == "home")
    // A late name does not replace a later one.
    kiosk.recorder.setAbsentScreen("pay", of: "DSI-1", at: kiosk.now)
    try kiosk.show("menu", ago: 100)
    #expect(kiosk.recorder.timeline(ofNew: "DSI-1").current == "pay")
  }

  @Test func `A client that is gone leaves an absent display without a name, but with its mask`()
    throws
  {
    var kiosk = Kiosk()
    try kiosk.mask(Mask(screen: "pay"))
    try kiosk.show("home")
    for (display, screen) in [("A", "shop"), ("B", "pay")] {
      kiosk.recorder.setAbsentScreen(screen, of: display, by: ClientID(1), at: kiosk.now)
    }
    #expect(!kiosk.recorder.forgetNames(of: ClientID(1), at: kiosk.now).isForgotten)
    #expect(kiosk.recorder.timeline(ofNew: "A").current == "default")
    #expect(kiosk.recorder.timeline(ofNew: "B").current == "pay")
  }

  @Test mutating func `A session that is full shows no further screen of an absent display`()
    throws
  {
    try kiosk.mask(Mask(screen: "pay"))
    kiosk.tap(panel)
    for number in 1..<OpenSession.screenLimit + 9 { try? kiosk.show("\(number)") }
    let shown = kiosk.recorder.timeline(ofNew: "A").current
    kiosk.recorder.setAbsentScreen("shop", of: "B", at: kiosk.now)
    kiosk.recorder.setAbsentScreen("pay", of: "C", at: kiosk.now)
    #expect(kiosk.recorder.timeline(ofNew: "B").current == shown)
    #expect(kiosk.recorder.timeline(ofNew: "C").current == "pay")
  }

  @Test func `An absent display's names need little memory`() throws {
    var kiosk = Kiosk()
    for number in 0..<5000 {
      kiosk.recorder.setAbsentScreen("\(number)", of: "A", at: kiosk.now)
    }
    #expect(kiosk.recorder.absent["A"].map { $0.count <= 1025 } == true)
  }

  @Test func `Of more absent displays than are remembered, any may show a masked screen`() throws {
    var kiosk = Kiosk()
    try kiosk.mask(Mask(screen: "pay"))
    for number in 0..<16 { kiosk.recorder.setAbsentScreen("menu", of: "A\(number)", at: kiosk.now) }
    kiosk.recorder.setAbsentScreen("menu", of: "B", at: kiosk.now)
    #expect(kiosk.recorder.timeline(ofNew: "B").current == "default")
    for number in 0..<16 { kiosk.recorder.setAbsentScreen("pay", of: "C\(number)", at: kiosk.now) }
    kiosk.recorder.setAbsentScreen("pay", of: "D", at: kiosk.now)
    #expect(kiosk.recorder.absent.count == 16)
    #expect(kiosk.recorder.timeline(ofNew: "C0").current == "pay")
    #expect(kiosk.recorder.timeline(ofNew: "D").current == "pay")
    try kiosk.show("home")
    #expect(kiosk.recorder.timeline(ofNew: "D").current == "home")
  }

  @Test mutating func `A session has at most 256 screens, but known and masked ones are accepted`()
    throws
  {
    kiosk.down(panel)
    // `default` is the first screen of the session.
    for number in 1..<256 { try kiosk.show("screen \(number)") }
    #expect(throws: SessionRecorder.ScreenError.tooManyScreens(limit: 256)) {
      try kiosk.show("one more")
    }
    try kiosk.show("screen 7")
    #expect(kiosk.recorder.displays["DSI-1"]?.timeline.current == "screen 7")
    // A masked screen may exceed the limit: otherwise its touches would be counted on the screen
    // before.
    try kiosk.mask(Mask(screen: "pay"))
    try kiosk.show("pay")
    #expect(kiosk.recorder.displays["DSI-1"]?.timeline.current == "pay")
  }

  @Test mutating func `Masked screens beyond every limit are shown, and masked as a whole`() throws
  {
    let last = OpenSession.screenLimit + Masks.limit + 1
    let corner = Rectangle(x: 0, y: 0, width: 1, height: 1)
    for number in 1...last {
      try kiosk.mask(Mask(screen: "pin \(number)", rectangle: corner))
      try kiosk.show("pin \(number)")
      if number == 1 { kiosk.tap(panel, 3000, 3000) }
    }
    kiosk.tap(panel, 3000, 3000)
    kiosk.pass(1000)
    // A change of masks does not bring its touches back.
    try kiosk.mask()
    kiosk.tap(panel, 3000, 3000)
    try kiosk.show("pin 7")
    kiosk.tap(panel, 3000, 3000)
    kiosk.stop()
    let totals = try #require(kiosk.finals.first?.totals)
    #expect(totals.counted == 2 && totals.masked == 2)
    #expect(kiosk.views[1]?.keys.contains { $0.screen == "pin \(last)" } == false)
  }

  private func changes(_ kiosk: Kiosk) -> Int {
    var changes = 0
    kiosk.recorder.displays["DSI-1"]?.timeline.forEachStretch(
      from: Timestamp(microseconds: .min), to: Timestamp(microseconds: .max)
    ) { _, _, _ in changes += 1 }
    return changes
  }

  @Test mutating func `Names are forgotten even if a finger stays down after its session's end`()
    throws
  {
    kiosk.down(panel)
    kiosk.endSession()
    try kiosk.advertise(2000)
    #expect(kiosk.finals.map(\.totals.stillDown) == [1])
    #expect(changes(kiosk) <= 3)
  }

  @Test func `Names are forgotten even if a suspected ghost stays down`() throws {
    var kiosk = Kiosk(SessionRules(maxDuration: 100_000_000))
    let panel = try kiosk.add(.test())
    kiosk.haunt(panel)
    kiosk.down(panel, 0, 3000, 2000)
    #expect(kiosk.recorder.current == nil)
    try kiosk.advertise(2000)
    #expect(changes(kiosk) <= 23)
  }

  @Test
  func `In a session of days without touches, names are forgotten but their times kept`() throws {
    var kiosk = Kiosk(SessionRules(mode: .manual))
    let panel = try kiosk.add(.test())
    _ = kiosk.beginSession()
    kiosk.tap(panel)
    try kiosk.advertise(7000)
    #expect(changes(kiosk) <= 5)
    kiosk.endSession()
    let shown = (kiosk.views[1] ?? [:]).values.reduce(0) { $0 + $1.shownMilliseconds }
    let advert = try #require(kiosk.views[1]?.first { $0.key.screen == "advert 3" }).value
    #expect(shown == 80 + 7000 * 5000)
    #expect(advert.shownMilliseconds == 1000 * 5000)
  }
}
