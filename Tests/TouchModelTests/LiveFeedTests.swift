import Testing

@testable import TouchModel

@Suite struct LiveFeedTests {
  private var kiosk = Kiosk()
  private let panel: Int

  init() throws { panel = try kiosk.add(.test()) }

  /// A mask of the top left quarter of the test display.
  private func quarter(_ screen: String = "default") -> Mask {
    Mask(screen: screen, rectangle: Rectangle(x: 0, y: 0, width: 512, height: 384))
  }

  private func words(_ frames: [LiveFrame]) -> [String] {
    frames.map { frame in
      frame.touches.map { touch in
        let reason = touch.cancellation.map { " (\($0.rawValue))" } ?? ""
        return "\(touch.touch) \(touch.phase.rawValue)\(reason)"
      }.joined(separator: ", ")
    }
  }

  @Test
  mutating func
    `Without masks frames are shown at once, with the touch's place, display and screen`() throws
  {
    try kiosk.show("menu")
    #expect(kiosk.watch().isEmpty)
    kiosk.down(panel, 0, 0, 0, preexisting: true)
    kiosk.pass(10)
    kiosk.move(panel, 0, 2048, 1024)
    kiosk.pass(10)
    kiosk.up(panel)
    let frames = kiosk.look()
    #expect(words(frames) == ["1 began", "1 moved", "1 ended"])
    #expect(
      frames.map(\.time) == [20, 10, 0].map { kiosk.now.monotonic + -$0 * 1000 })
    #expect(
      frames[1].touches == [
        LiveTouch(
          touch: TouchID(1), phase: .moved, point: Point(x: 512, y: 192),
          previous: Point(x: 0, y: 0), block: Block(column: 32, row: 12), device: "1209:0001@test",
          display: "DSI-1", screen: "menu", preexisting: true)
      ])
    #expect(frames[0].touches[0].previous == nil)
    #expect(kiosk.nextDeadline == kiosk.recorder.nextDeadline)
  }

  @Test mutating func `A resting touch is shown only in frames with other changes`() throws {
    kiosk.watch()
    var first = TouchUpdate(touch: TouchID(7), phase: .began, slot: 0, trackingID: 1, x: 1, y: 1)
    var second = TouchUpdate(touch: TouchID(8), phase: .began, slot: 1, trackingID: 2, x: 9, y: 9)
    kiosk.process([first, second], panel)
    (first.phase, second.phase) = (.stationary, .stationary)
    kiosk.process([first, second], panel)
    (second.phase, second.x) = (.moved, 100)
    kiosk.process([first, second], panel)
    #expect(words(kiosk.look()) == ["1 began, 2 began", "1 stationary, 2 moved"])
  }

  @Test mutating func `With masks frames wait until no late name can come, and its mask applies`()
    throws
  {
    try kiosk.mask(Mask(screen: "pin"))
    kiosk.watch()
    kiosk.tap(panel, milliseconds: 50)
    #expect(kiosk.look().isEmpty)
    kiosk.pass(50)
    try kiosk.show("pin", ago: 60)
    kiosk.pass(10)
    kiosk.tap(panel, milliseconds: 50)
    kiosk.pass(90)
    #expect(kiosk.look().isEmpty)
    kiosk.pass(1)
    #expect(words(kiosk.look()) == ["1 began"])
    kiosk.pass(250)
    // The first touch began before the change of the screen, and the second one after it.
    #expect(words(kiosk.look()) == ["1 ended"])
    #expect(kiosk.recorder.totals?.masked == 1)
    #expect(kiosk.feed?.nextDeadline == nil)
  }

  @Test
  func `A touch that begins in a mask is never shown; one that enters it is cancelled`() throws {
    var kiosk = Kiosk(SessionRules(lateNames: 0))
    let panel = try kiosk.add(.test())
    try kiosk.mask(quarter())
    kiosk.watch()
    kiosk.draw(panel, (100, 100), (4000, 4000))
    #expect(kiosk.look().isEmpty)
    kiosk.draw(panel, (4000, 100), (3000, 100), (100, 100), (4000, 4000))
    let frames = kiosk.look()
    #expect(words(frames) == ["1 began", "1 moved", "1 cancelled (masked)"])
    #expect(frames.last?.touches.map(\.point) == [Point(x: 750, y: 18.75)])
    // This touch crosses the mask without a sample inside it.
    kiosk.draw(panel, (2200, 100), (100, 2200))
    #expect(words(kiosk.look()) == ["2 began", "2 cancelled (masked)"])
  }

  @Test
  mutating func `A touch that was already down and only rests has no number before it is shown`()
    throws
  {
    try kiosk.mask(quarter())
    var resting = TouchUpdate(
      touch: TouchID(7), phase: .began, slot: 1, trackingID: 1, x: 4000, y: 4000)
    kiosk.process([resting], panel)
    kiosk.watch()
    resting.phase = .stationary
    kiosk.process([resting], panel)
    kiosk.pass(300)
    kiosk.tap(panel, 4000, 100)
    kiosk.pass(300)
    #expect(words(kiosk.look()) == ["1 began", "1 ended"])
    (resting.phase, resting.x) = (.moved, 3000)
    kiosk.process([resting], panel)
    kiosk.pass(300)
    #expect(words(kiosk.look()) == ["2 moved"])
  }

  @Test func `An added mask cancels the touches in it, and no others`() throws {
    var kiosk = Kiosk(SessionRules(lateNames: 0))
    let panel = try kiosk.add(.test())
    kiosk.watch()
    kiosk.down(panel, 0, 100, 100)
    kiosk.down(panel, 1, 4000, 4000)
    kiosk.pass(10)
    _ = kiosk.look()
    try kiosk.mask(quarter(), quarter("menu"))
    #expect(words(kiosk.look()) == ["1 cancelled (masked)"])
    kiosk.up(panel, 0)
    kiosk.move(panel, 1, 3000, 3000)
    kiosk.pass(10)
    #expect(words(kiosk.look()) == ["2 moved"])
    try kiosk.mask(quarter(), quarter("menu"), Mask(screen: "default"))
    #expect(words(kiosk.look()) == ["2 cancelled (masked)"])
  }

  @Test
  mutating func `A pause between two frames cancels touches, and waiting frames are not shown`()
    throws
  {
    try kiosk.mask(Mask(screen: "pin"))
    kiosk.watch()
    kiosk.down(panel)
    kiosk.pass(300)
    kiosk.move(panel, 0, 3000, 3000)
    kiosk.recorder.pause(at: kiosk.now)
    kiosk.recorder.resume(at: kiosk.now)
    kiosk.move(panel, 0, 100, 100)
    kiosk.pass(1000)
    let frames = kiosk.look()
    #expect(words(frames) == ["1 began", "1 cancelled (paused)"])
    #expect(frames.last?.touches.map(\.point) == [Point(x: 25, y: 18.75)])
  }

  @Test mutating func `When a mask is removed, touches from before are not shown`() throws {
    try kiosk.mask(Mask(screen: "default"))
    kiosk.watch()
    kiosk.tap(panel, milliseconds: 50)
    kiosk.down(panel, 1)
    try kiosk.mask()
    kiosk.pass(1000)
    kiosk.up(panel, 1)
    #expect(kiosk.look().isEmpty)
    kiosk.tap(panel)
    #expect(words(kiosk.look()) == ["1 began", "1 ended"])
    kiosk.stop()
    #expect(kiosk.finals.first?.totals.masked == 2)
  }

  @Test mutating func `Palms, lost touches and touches of removed devices are cancelled`() throws {
    kiosk.watch()
    kiosk.down(panel, 0)
    kiosk.up(panel, 0, .cancelled, .palm)
    kiosk.down(panel, 0)
    kiosk.up(panel, 0, .cancelled, .lost)
    kiosk.down(panel, 0)
    kiosk.remove(panel)
    let reasons = kiosk.look().flatMap(\.touches).compactMap(\.cancellation)
    #expect(reasons == [.palm, .lost, .removed])
    #expect(kiosk.feed?.state.isEmpty == true)
  }

  @Test(arguments: [true, false])
  mutating func `An echo is not shown, or is cancelled when its original is read`(
    virtualFirst: Bool
  ) throws {
    let duplicate = try kiosk.add(.test(), isVirtual: true)
    kiosk.watch()
    kiosk.tapDuplicated(panel, duplicate, virtualFirst: virtualFirst)
    #expect(
      words(kiosk.look())
        == (virtualFirst
          ? ["1 began", "1 cancelled (lost), 2 began", "2 ended"] : ["1 began", "1 ended"]))
  }

  @Test func `A new watcher sees the touches that are down and how they go on`() throws {
    var kiosk = Kiosk(SessionRules(mode: .manual))
    let panel = try kiosk.add(.test())
    kiosk.down(panel, 0, 0, 0)
    kiosk.move(panel, 0, 2048, 1024)
    kiosk.pass(10)
    let state = kiosk.watch()
    #expect(state.map(\.phase) == [.stationary] && state.map(\.point) == [Point(x: 512, y: 192)])
    kiosk.move(panel, 0, 1024, 1024)
    kiosk.up(panel)
    let frames = kiosk.look()
    #expect(words(frames) == ["1 moved", "1 ended"])
    #expect(frames.first?.touches.first?.previous == Point(x: 512, y: 192))
  }

  @Test mutating func `With masks, a new watcher sees only touches that can no longer be masked`()
    throws
  {
    try kiosk.mask(quarter(), Mask(screen: "pin"))
    kiosk.down(panel, 0, 4000, 4000)
    kiosk.down(panel, 1, 100, 100)
    kiosk.down(panel, 2, 4000, 100)
    kiosk.move(panel, 2, 100, 100)
    kiosk.move(panel, 2, 4000, 100)
    kiosk.pass(260)
    kiosk.down(panel, 3, 4000, 4000)
    kiosk.down(panel, 4, 4000, 4000)
    #expect(kiosk.watch().map(\.touch) == [TouchID(1)])
    kiosk.pass(10)
    kiosk.move(panel, 3, 3000, 4000)
    kiosk.move(panel, 2, 3000, 4000)
    kiosk.up(panel, 4)
    kiosk.up(panel, 2)
    kiosk.up(panel, 1)
    kiosk.up(panel, 0)
    kiosk.pass(300)
    #expect(words(kiosk.look()) == ["2 moved", "1 ended"])
  }

  @Test func `When too many frames wait, the shown touches are lost and never return`() throws {
    var kiosk = Kiosk(SessionRules(lateNames: 5_000_000))
    let panel = try kiosk.add(.test())
    try kiosk.mask(quarter())
    kiosk.watch()
    kiosk.down(panel, 0, 4000, 4000)
    kiosk.pass(5001)
    kiosk.down(panel, 1, 4000, 4000)
    for number in 0..<LiveFeed.queueLimit {
      kiosk.move(panel, 0, 3000, 3000 + Int32(number % 1000))
    }
    #expect(words(kiosk.look()) == ["1 began", "1 cancelled (lost)"])
    kiosk.up(panel, 0)
    kiosk.up(panel, 1)
    kiosk.pass(6000)
    #expect(kiosk.look().isEmpty && kiosk.feed?.nextDeadline == nil)
    kiosk.tap(panel, 4000, 4000)
    kiosk.pass(6000)
    #expect(words(kiosk.look()) == ["2 began", "2 ended"])
  }
}
