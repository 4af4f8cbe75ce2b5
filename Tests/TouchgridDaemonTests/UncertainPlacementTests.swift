import Foundation
import Synchronization
import TestSupport
import Testing
import TouchModel

@testable import TouchgridDaemon

/// Masks while the size of a display, or the display of a panel, is a guess.
@Suite struct UncertainPlacementTests {
  private static let keypad = """
    [[mask]]
    screen = "default"
    x = 100
    y = 100
    width = 50
    height = 50
    """

  @Test(arguments: [
    [], [DRMConnector(name: "HDMI-A-1")],
    [DRMConnector(name: "DSI-1"), DRMConnector(name: "HDMI-A-1")],
  ])
  func `While the size is guessed, a masked rectangle covers its whole screen`(
    connectors: [DRMConnector]
  ) throws {
    let machine = try Machine(Self.keypad, connectors)
    try machine.plug("a")
    machine.typePIN(on: "a")
    #expect(machine.totals == [4, 0, 4])
    #expect(machine.capture.widenedMasks.map(\.screen) == ["default"])
  }

  @Test func `With a known size, only the rectangle is masked`() throws {
    let machine = try Machine(Self.keypad, [Self.monitor])
    try machine.plug("a")
    machine.typePIN(on: "a")
    machine.touch("a", x: 120, y: 120)
    #expect(machine.totals == [5, 4, 1])
    #expect(machine.capture.widenedMasks.isEmpty)
  }

  @Test(arguments: [[], [Self.panel], [Self.monitor], [Self.panel, Self.monitor]])
  func `A mask for a display covers a panel that may lie on it`(connectors: [DRMConnector]) throws {
    let machine = try Machine(
      """
      [[mask]]
      screen = "default"
      display = "HDMI-A-1"
      """, connectors)
    try machine.plug("a")
    machine.typePIN(on: "a")
    #expect(machine.totals == [4, 0, 4])
  }

  @Test func `A mask for a display does not cover a panel that is configured for another`() throws {
    let machine = try Machine(
      """
      [[device]]
      match = "*"
      display = "DSI-1"
      [[mask]]
      screen = "default"
      display = "HDMI-A-1"
      """, [Self.panel])
    try machine.plug("a")
    machine.typePIN(on: "a")
    #expect(machine.totals == [4, 4, 0])
  }

  @Test func `Masks that clients add are widened too`() throws {
    let machine = try Machine("", [])
    try machine.plug("a")
    machine.capture.setMasks(
      [Mask(screen: "default", rectangle: Rectangle(x: 0, y: 0, width: 5, height: 5))],
      at: machine.now)
    machine.typePIN(on: "a")
    #expect(machine.totals == [4, 0, 4])
  }

  @Test func `Once the monitor is there, masks are exact, and masked touches stay masked`() throws {
    let machine = try Machine(Self.keypad, [DRMConnector(name: "HDMI-A-1")])
    try machine.plug("a")
    machine.typePIN(on: "a")
    machine.down("a", x: 300, y: 300)
    machine.connectors = [Self.monitor]
    machine.capture.reassignGuessedDisplays(at: machine.now)
    machine.up("a")
    #expect(machine.totals == [5, 0, 5])
    machine.pass(seconds: 8)
    machine.touch("a", x: 300, y: 300)
    machine.touch("a", x: 120, y: 120)
    #expect(machine.totals == [7, 1, 6])
    #expect(machine.capture.widenedMasks.isEmpty)
  }

  @Test func `Modes that the kernel lists after it reported the monitor are found`() throws {
    let machine = try Machine(Self.keypad, [])
    try machine.plug("a")
    #expect(machine.capture.nextLook == nil)
    machine.connectors = [DRMConnector(name: "HDMI-A-1")]
    machine.capture.reassignGuessedDisplays(at: machine.now)
    #expect(machine.placement(of: "a").geometrySource == .guess)
    #expect(machine.capture.nextDeadline != nil)
    machine.connectors = [Self.monitor]
    _ = machine.totals
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1920)
    // The list may be that of the monitor before.
    #expect(!machine.capture.widenedMasks.isEmpty)
    machine.pass(seconds: 8)
    #expect(machine.capture.widenedMasks.isEmpty && machine.capture.nextLook == nil)
  }

  @Test func `A monitor without modes is looked at seven times only`() throws {
    let machine = try Machine(Self.keypad, [DRMConnector(name: "HDMI-A-1")])
    try machine.plug("a")
    var looks = 0
    while machine.capture.nextLook != nil, looks < 100 {
      let before = machine.capture.nextLook?.due
      _ = machine.totals
      if machine.capture.nextLook?.due != before { looks += 1 }
    }
    #expect(looks == 7)
  }

  @Test func `A late name masks touches from before the monitor was known`() throws {
    let machine = try Machine(
      Self.keypad.replacing("default", with: "pin"), [DRMConnector(name: "HDMI-A-1")])
    try machine.plug("a")
    machine.down("a", x: 300, y: 300)
    let began = machine.now.monotonic
    machine.connectors = [Self.monitor]
    machine.capture.reassignGuessedDisplays(at: machine.now)
    machine.up("a")
    try machine.capture.recorder.setScreen("pin", changed: began, at: machine.now)
    #expect(machine.totals == [1, 0, 1])
  }

  @Test func `Turning a display of guessed size keeps masks widened, and giving its size does not`()
    throws
  {
    let machine = try Machine("", [DRMConnector(name: "HDMI-A-1")])
    try machine.plug("a")
    let corner = Mask(screen: "default", rectangle: Rectangle(x: 0, y: 0, width: 5, height: 5))
    machine.capture.setMasks([corner], at: machine.now)
    machine.capture.apply(DisplayOverride(rotation: .half), to: "HDMI-A-1", at: machine.now)
    machine.typePIN(on: "a")
    #expect(machine.totals == [4, 0, 4])
    let size = Configuration.Display.Size(width: 1920, height: 1080)
    machine.capture.apply(DisplayOverride(size: size), to: "HDMI-A-1", at: machine.now)
    machine.typePIN(on: "a")
    #expect(machine.totals == [8, 4, 4])
  }

  @Test func `The only described display need not be the touchscreen's`() throws {
    let machine = try Machine(
      """
      [[display]]
      name = "HDMI-A-1"
      [[mask]]
      screen = "default"
      display = "DSI-1"
      """, [Self.panel, Self.monitor])
    try machine.plug("a")
    machine.typePIN(on: "a")
    #expect(machine.totals == [4, 0, 4])
  }

  @Test func `A display that gets another mode has the new size`() throws {
    let machine = try Machine(
      Self.keypad, [DRMConnector(name: "HDMI-A-1", width: 1024, height: 768)])
    try machine.plug("a")
    machine.connectors = [Self.monitor]
    machine.capture.reassignGuessedDisplays(at: machine.now)
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1920)
  }

  @Test func `The compositor's mode takes precedence over the kernel's preferred one`() throws {
    let machine = try Machine("", [Self.monitor])
    try machine.plug("a")
    machine.report(Self.otherMode)
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1280)
    #expect(machine.placement(of: "a").geometrySource == .client)
    // A panel that comes later lies on it as well, and a change of the connector's modes moves
    // neither.
    try machine.plug("b")
    machine.connectors = [DRMConnector(name: "HDMI-A-1", width: 1024, height: 768)]
    machine.capture.reassignGuessedDisplays(at: machine.now)
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1280)
    #expect(machine.placement(of: "b").geometry.pixelWidth == 1280)
    // The kernel's own mode is known from the kernel.
    let own = Configuration.Display.Size(width: 1024, height: 768)
    machine.report(own)
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1024)
    #expect(machine.placement(of: "a").geometrySource == .drm)
  }

  @Test func `A mode may be reported before the panel and the monitor are there`() throws {
    let machine = try Machine("[[device]]\nmatch = \"*\"\ndisplay = \"HDMI-A-1\"", [])
    machine.report(Self.otherMode)
    try machine.plug("a")
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1280)
  }

  @Test func `The configuration and SetDisplay take precedence over a compositor's mode`() throws {
    let machine = try Machine(
      "[[display]]\nname = \"HDMI-A-1\"\nwidth = 800\nheight = 480", [Self.monitor])
    try machine.plug("a")
    machine.report(Self.otherMode)
    #expect(machine.placement(of: "a").geometry.pixelWidth == 800)

    let other = try Machine("", [Self.monitor])
    try other.plug("a")
    let size = Configuration.Display.Size(width: 640, height: 400)
    other.capture.apply(DisplayOverride(size: size), to: "HDMI-A-1", at: other.now)
    other.report(Self.otherMode)
    #expect(other.placement(of: "a").geometry.pixelWidth == 640)
  }

  @Test func `A mode that would move a configured rectangle masks its whole screen`() throws {
    let machine = try Machine(Self.keypad, [Self.monitor])
    try machine.plug("a")
    machine.report(Self.otherMode)
    machine.typePIN(on: "a")
    #expect(machine.totals == [4, 0, 4])
    #expect(machine.capture.widenedMasks.map(\.screen) == ["default"])
    // Another client cannot take the doubt away, nor can this one.
    machine.report(Self.monitor.size, by: 2)
    machine.report(Self.monitor.size)
    machine.leave(1)
    machine.typePIN(on: "a")
    #expect(machine.totals == [8, 0, 8])
    // The configuration is read again.
    machine.capture.assignment.setConfiguration(machine.capture.assignment.configuration)
    machine.capture.assignDisplays(at: machine.now)
    machine.typePIN(on: "a")
    #expect(machine.totals == [12, 4, 8])
    #expect(machine.capture.widenedMasks.isEmpty)
  }

  @Test func `Another monitor, or one without modes yet, masks whole screens`() throws {
    let machine = try Machine(Self.keypad, [Self.monitor])
    try machine.plug("a")
    machine.report(Self.monitor.size)
    machine.connectors = [DRMConnector(name: "HDMI-A-1", width: 3840, height: 2160)]
    machine.capture.reassignGuessedDisplays(at: machine.now)
    #expect(machine.capture.widenedMasks.map(\.screen) == ["default"])
    machine.pass(seconds: 8)
    #expect(machine.capture.widenedMasks.map(\.screen) == ["default"])

    let other = try Machine(Self.keypad, [Self.monitor])
    try other.plug("a")
    other.connectors = [DRMConnector(name: "HDMI-A-1")]
    other.capture.reassignGuessedDisplays(at: other.now)
    other.pass(seconds: 3)
    #expect(other.capture.widenedMasks.map(\.screen) == ["default"])
    #expect(other.placement(of: "a").geometry.pixelWidth == 1920)
    other.connectors = [DRMConnector(name: "HDMI-A-1", width: 3840, height: 2160)]
    other.pass(seconds: 8)
    #expect(other.placement(of: "a").geometry.pixelWidth == 3840)
    #expect(other.capture.widenedMasks.isEmpty)
  }

  @Test func `If the monitor is on another connector, whole screens are masked`() throws {
    let machine = try Machine(Self.keypad, [Self.monitor])
    try machine.plug("a")
    machine.connectors = [DRMConnector(name: "DP-1", width: 3840, height: 2160)]
    machine.capture.reassignGuessedDisplays(at: machine.now)
    machine.pass(seconds: 8)
    machine.typePIN(on: "a")
    #expect(machine.totals == [4, 0, 4])
    // It was off for a while.
    machine.connectors = [Self.monitor]
    machine.capture.reassignGuessedDisplays(at: machine.now)
    machine.pass(seconds: 8)
    machine.typePIN(on: "a")
    #expect(machine.totals == [8, 4, 4])
  }

  @Test func `A second monitor does not make a panel's display uncertain`() throws {
    let machine = try Machine(Self.keypad, [Self.monitor])
    try machine.plug("a")
    let second = DRMConnector(name: "DP-1", width: 1280, height: 1024)
    machine.connectors = [second, Self.monitor]
    machine.settle()
    // Its own is off for the night.
    machine.connectors = [second]
    machine.settle()
    machine.connectors = [second, Self.monitor]
    machine.settle()
    machine.typePIN(on: "a")
    #expect(machine.placement(of: "a").geometrySource == .drm)
    // A report while monitors change.
    machine.capture.reassignGuessedDisplays(at: machine.now)
    machine.report(Self.monitor.size)
    machine.pass(seconds: 8)
    #expect(machine.placement(of: "a").geometrySource == .drm)
    // Another monitor in the place of its own.
    machine.connectors = [second, DRMConnector(name: "HDMI-A-1", width: 3840, height: 2160)]
    machine.report(nil)
    machine.settle()
    #expect(machine.placement(of: "a").geometry.pixelWidth == 3840)
    #expect(machine.placement(of: "a").geometrySource == .drm)
  }

  @Test func `A size set by a client stays known without modes of the monitor`() throws {
    let machine = try Machine("", [DRMConnector(name: "HDMI-A-1")])
    try machine.plug("a")
    let size = Configuration.Display.Size(width: 1920, height: 1080)
    machine.capture.apply(DisplayOverride(size: size), to: "HDMI-A-1", at: machine.now)
    machine.settle()
    #expect(machine.placement(of: "a").geometrySource == .client)
  }

  @Test func `The report of a client that has disconnected contradicts nothing`() throws {
    let machine = try Machine(
      Self.keypad, [DRMConnector(name: "HDMI-A-1", width: 1024, height: 768)])
    try machine.plug("a")
    machine.report(Configuration.Display.Size(width: 1024, height: 768))
    machine.connectors = [Self.monitor]
    machine.capture.reassignGuessedDisplays(at: machine.now)
    machine.capture.release(ClientID(1), at: machine.now)
    machine.pass(seconds: 3)
    machine.report(Self.monitor.size, by: 2)
    machine.pass(seconds: 12)
    machine.typePIN(on: "a")
    #expect(machine.totals == [4, 4, 0])
  }

  @Test
  func `A client whose mode follows the kernel's after a moment contradicts nothing`() throws {
    let machine = try Machine(
      Self.keypad, [DRMConnector(name: "HDMI-A-1", width: 1024, height: 768)])
    try machine.plug("a")
    machine.report(Configuration.Display.Size(width: 1024, height: 768))
    machine.connectors = [Self.monitor]
    machine.capture.reassignGuessedDisplays(at: machine.now)
    machine.report(Self.monitor.size)
    machine.pass(seconds: 8)
    machine.typePIN(on: "a")
    #expect(machine.totals == [4, 4, 0])
  }

  @Test func `A monitor that is off at night, and its follower, change no geometry`() throws {
    let machine = try Machine(
      "[[device]]\nmatch = \"*\"\ndisplay = \"HDMI-A-1\"", [Self.monitor])
    try machine.plug("a")
    machine.report(Self.otherMode)
    machine.connectors = []
    machine.report(nil)
    machine.capture.reassignGuessedDisplays(at: machine.now)
    machine.pass(seconds: 8)
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1280)
    machine.connectors = [DRMConnector(name: "HDMI-A-1")]
    machine.capture.reassignGuessedDisplays(at: machine.now)
    machine.pass(seconds: 3)
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1280)
    machine.connectors = [Self.monitor]
    machine.capture.reassignGuessedDisplays(at: machine.now)
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1280)
    machine.report(Self.otherMode)
    machine.pass(seconds: 8)
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1280)
    #expect(machine.placement(of: "a").geometrySource == .client)
  }

  @Test func `Modes that the kernel lists late replace those of the former monitor`() throws {
    let machine = try Machine("", [DRMConnector(name: "HDMI-A-1", width: 1024, height: 768)])
    try machine.plug("a")
    machine.capture.reassignGuessedDisplays(at: machine.now)
    machine.connectors = [Self.monitor]
    _ = machine.totals
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1920)
  }

  @Test func `A mode applies to the panel's display, whatever else is connected`() throws {
    let machine = try Machine(Self.keypad, [Self.monitor])
    try machine.plug("a")
    machine.connectors = [Self.panel, Self.monitor]
    machine.report(Self.otherMode)
    #expect(machine.capture.widenedMasks.map(\.screen) == ["default"])
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1280)
  }

  @Test func `A mode holds until its client withdraws it or has been gone for a while`() throws {
    let machine = try Machine("", [Self.monitor])
    try machine.plug("a")
    machine.report(Self.otherMode)
    machine.report(Configuration.Display.Size(width: 800, height: 600), by: 2)
    #expect(machine.placement(of: "a").geometry.pixelWidth == 800)
    machine.leave(2)
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1280)
    // A follower that starts again reports the same.
    machine.report(Self.otherMode, by: 3)
    machine.leave(1)
    #expect(machine.placement(of: "a").geometrySource == .client)
    // The compositor may still use the mode, though nobody reports it.
    machine.leave(3)
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1280)
    #expect(machine.placement(of: "a").geometrySource == .guess)
    machine.report(Self.otherMode)
    machine.report(nil)
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1920)
    // A monitor that is off says nothing else: what was known stays, as a guess.
    machine.report(Self.otherMode)
    machine.connectors = []
    machine.report(nil)
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1280)
    #expect(machine.placement(of: "a").geometrySource == .guess)
  }

  private static let otherMode = Configuration.Display.Size(width: 1280, height: 720)

  @Test func `A monitor that is switched off does not move a panel`() throws {
    let machine = try Machine(Self.keypad, [Self.monitor])
    try machine.plug("a")
    machine.connectors = []
    machine.capture.reassignGuessedDisplays(at: machine.now)
    machine.typePIN(on: "a")
    #expect(machine.totals == [4, 4, 0])
  }

  @Test func `A second panel gets the known size of its display`() throws {
    let machine = try Machine(
      Self.keypad + "\n[[device]]\nmatch = \"*\"\ndisplay = \"HDMI-A-1\"", [Self.monitor])
    try machine.plug("a")
    machine.connectors = []
    try machine.plug("b")
    for device in ["a", "b"] {
      let placement = machine.placement(of: device)
      #expect(placement.geometry.pixelWidth == 1920, "\(device)")
      #expect(placement.geometrySource == .drm, "\(device)")
    }
    #expect(machine.capture.widenedMasks.isEmpty)
  }

  @Test func `After the uncertain panel is unplugged, masks are exact`() throws {
    let machine = try Machine(
      Self.keypad + "\n[[device]]\nmatch = \"a\"\ndisplay = \"DSI-1\"",
      [Self.panel, Self.monitor])
    try machine.plug("a")
    try machine.plug("b")
    #expect(machine.capture.widenedMasks.map(\.display) == ["panel b"])
    machine.touch("a", x: 1000, y: 1000)
    machine.unplug("b")
    #expect(machine.capture.widenedMasks.isEmpty)
    #expect(machine.totals == [1, 1, 0])
  }

  @Test func `A mask beyond the limit of rectangles covers its whole screen`() throws {
    let masks = (0..<Masks.limit).map {
      Mask(screen: "s\($0)", rectangle: Rectangle(x: 0, y: 0, width: 1, height: 1))
    }
    let doubt = PlacementUncertainty(display: "d", isSizeGuessed: true, alternatives: .all)
    let widened = Masks.widened(masks, by: [doubt, doubt])
    #expect(widened.count == Masks.limit)
    let all = try #require(Masks(masks, widened: widened))
    #expect(all.covers(screen: "s511", display: "d", point: Point(x: 500, y: 500)))
    #expect(!all.covers(screen: "s511", display: "e", point: Point(x: 500, y: 500)))
  }

  private static let panel = DRMConnector(name: "DSI-1", width: 800, height: 480)
  private static let monitor = DRMConnector(name: "HDMI-A-1", width: 1920, height: 1080)
}

/// The daemon's way from frames to sessions, without devices and without a store. Panels have one
/// raw unit per pixel of `monitor`.
private final class Machine {
  let capture: Capture
  private let connected: Connectors
  private var devices: [String: SessionRecorder.DeviceIndex] = [:]
  private var clock: Int64 = 1_000_000
  private var finger = TouchID(0)

  private final class Connectors: Sendable {
    let list: Mutex<[DRMConnector]>
    init(_ list: [DRMConnector]) { self.list = Mutex(list) }
  }

  init(_ text: String, _ connectors: [DRMConnector]) throws {
    let configuration = try Configuration(text: text, file: "test.toml")
    connected = Connectors(connectors)
    capture = Capture(
      rules: configuration.sessionRules,
      assignment: DisplayAssignment(configuration: configuration) { [connected] in
        connected.list.withLock { $0 }
      },
      firstSession: 1, mint: TouchIDGenerator(), storage: NoStore(), log: Log(level: .error))
    capture.setMasks(configuration.masks, at: nil)
  }

  var connectors: [DRMConnector] {
    get { connected.list.withLock { $0 } }
    set { connected.list.withLock { $0 = newValue } }
  }

  /// A client reports the compositor's mode of HDMI-A-1.
  func report(_ mode: Configuration.Display.Size?, by client: UInt64 = 1) {
    #expect(capture.setMode(mode, of: "HDMI-A-1", by: ClientID(client), at: now))
  }

  /// The client disconnects, and does not come back.
  func leave(_ client: UInt64) {
    capture.release(ClientID(client), at: now)
    pass(seconds: 11)
  }

  /// The kernel reports that monitors have changed, and some seconds pass.
  func settle() {
    capture.reassignGuessedDisplays(at: now)
    pass(seconds: 8)
  }

  func pass(seconds: Int) {
    for _ in 0..<seconds {
      clock += 1_000_000
      capture.advance(to: now)
    }
  }

  var now: Moment {
    let time = Timestamp(microseconds: clock)
    return Moment(monotonic: time, boottime: time, wall: WallTime(milliseconds: clock / 1000))
  }

  func plug(_ key: String) throws {
    let contacts = try ContactProtocol(of: .panel(x: 0...1919, y: 0...1079))
    let attached = try #require(
      capture.attach(
        PanelIdentity(key: key, name: key, contactProtocol: contacts), slots: 10, isVirtual: false,
        at: now))
    devices[key] = attached.device
  }

  func unplug(_ key: String) {
    if let device = devices.removeValue(forKey: key) { capture.detach(device, at: now) }
  }

  func placement(of key: String) -> Placement { capture.recorder.placement(of: devices[key] ?? 0) }

  /// Touches four times outside of all rectangles in these tests.
  func typePIN(on key: String) {
    for x in [300, 400, 500, 600] as [Int32] { touch(key, x: x, y: 700) }
  }

  func touch(_ key: String, x: Int32, y: Int32) {
    down(key, x: x, y: y)
    up(key)
  }

  func down(_ key: String, x: Int32, y: Int32) {
    finger = capture.mint.mint()
    take(key, .began, x: x, y: y)
  }

  func up(_ key: String) { take(key, .ended, x: last.x, y: last.y) }

  private var last: (x: Int32, y: Int32) = (0, 0)

  private func take(_ key: String, _ phase: Phase, x: Int32, y: Int32) {
    clock += 50_000
    last = (x, y)
    capture.take(
      [TouchUpdate(touch: finger, phase: phase, slot: 0, trackingID: 1, x: x, y: y)],
      of: devices[key] ?? 0, at: now.monotonic, now: now)
    capture.advance(to: now)
  }

  /// Begun, counted and masked touches, at a time when late names cannot change them.
  var totals: [UInt64] {
    clock += 1_000_000
    capture.advance(to: now)
    let totals = capture.recorder.totals ?? SessionTotals()
    return [totals.begun, totals.counted, totals.masked]
  }
}

private struct NoStore: RecordSink {
  func store(_ record: SessionRecord) {}
  func store(_ ghosts: [GhostTally], at time: WallTime) {}
}
