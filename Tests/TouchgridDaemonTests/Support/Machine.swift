import Synchronization
import TestSupport
import Testing
import TouchInput
import TouchModel

@testable import TouchgridDaemon

/// The part of the daemon that turns frames into sessions (`Capture`), without devices and without
/// a store. Panels have one raw unit per pixel of `monitor`.
final class Machine {
  static let keypad = """
    [[mask]]
    screen = "default"
    x = 100
    y = 100
    width = 50
    height = 50
    """

  static let panel = DRMConnector(name: "DSI-1", width: 800, height: 480)
  static let monitor = DRMConnector(name: "HDMI-A-1", width: 1920, height: 1080)

  let capture: Capture
  private let connected: Connectors
  private var devices: [String: SessionRecorder.DeviceIndex] = [:]
  private var clock: Int64 = 1_000_000
  private var finger = TouchID(0)

  private final class Connectors: Sendable {
    let state: Mutex<(list: [DRMConnector], readings: Int)>
    init(_ list: [DRMConnector]) { state = Mutex((list, 0)) }

    func read() -> [DRMConnector] {
      state.withLock { state in
        state.readings += 1
        return state.list
      }
    }
  }

  /// - Parameter panels: the keys of the panels that are plugged in at first.
  init(_ text: String, _ connectors: [DRMConnector], panels: [String] = ["a"]) throws {
    let configuration = try Configuration(text: text, file: "test.toml")
    connected = Connectors(connectors)
    capture = Capture(
      rules: configuration.sessionRules,
      assignment: DisplayAssignment(configuration: configuration),
      connectors: { [connected] in connected.read() }, firstSession: 1,
      mint: TouchIDGenerator(), storage: NoStore(), log: Log(level: .error))
    capture.setMasks(configuration.masks, at: nil)
    for key in panels { try plug(key) }
  }

  var connectors: [DRMConnector] {
    get { connected.state.withLock { $0.list } }
    set { connected.state.withLock { $0.list = newValue } }
  }

  /// Connects monitors, and handles that.
  func connect(_ connectors: [DRMConnector]) {
    self.connectors = connectors
    capture.reassignGuessedDisplays(at: now)
  }

  /// How often the connected displays have been read.
  var readings: Int { connected.state.withLock { $0.readings } }

  /// Reports the compositor's mode of HDMI-A-1 as a client; nil withdraws the report.
  func report(_ mode: Configuration.Display.Size?, by client: UInt64 = 1) {
    #expect(capture.setMode(mode, of: "HDMI-A-1", by: ClientID(client), at: now))
  }

  /// Disconnects a client, and lets its reports expire.
  func leave(_ client: UInt64) {
    capture.release(ClientID(client), at: now)
    pass(seconds: 11)
  }

  /// Handles a change of monitors, and lets 8 s pass, after which the displays have been read for
  /// the last time if all have modes.
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

  /// Touches four times, outside of all masked rectangles in these tests.
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
    capture.process(
      [TouchUpdate(touch: finger, phase: phase, slot: 0, trackingID: 1, x: x, y: y)],
      of: devices[key] ?? 0, at: now.monotonic, now: now)
    capture.advance(to: now)
  }

  /// The numbers of begun, counted and masked touches, 1 s later, when late names can no longer
  /// change them.
  var totals: [UInt64] {
    clock += 1_000_000
    capture.advance(to: now)
    let totals = capture.recorder.totals ?? SessionTotals()
    return [totals.begun, totals.counted, totals.masked]
  }
}

struct NoStore: RecordSink {
  func store(_ record: SessionRecord) {}
  func store(_ ghosts: [GhostTally], at time: WallTime) {}
}
