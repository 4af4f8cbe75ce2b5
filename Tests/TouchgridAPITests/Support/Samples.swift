import Testing
import TouchModel
import TouchgridAPI

/// A sample of each type with every member set, to different values where possible.
enum Samples {
  static func displayGeometry() throws -> DisplayGeometry {
    try #require(
      DisplayGeometry(
        pixelWidth: 720, pixelHeight: 1280, scale: 1.5, rotation: .quarter, blockSize: 32))
  }
  static func key() throws -> GridKey {
    GridKey(display: "HDMI-A-1", screen: "menu", geometry: try displayGeometry())
  }
  static func geometry() throws -> API.Geometry { API.Geometry(try displayGeometry()) }

  static let touch = API.Touch(
    id: 1 << 52, phase: .cancelled, cancellation: .palm, point: API.Point(x: 1.5, y: 2),
    previous: API.Point(x: 1, y: 2.25), block: API.Block(column: 3, row: 4), device: "usb-1",
    display: "HDMI-A-1", screen: "menu", preexisting: true)

  static let tally = API.DeviceTally(
    touches: 1, drops: 2, suspectedGhosts: 3, echoes: 4, unrecorded: 5)

  static func device() throws -> API.Device {
    let placement = Placement(
      device: "usb-1", x: .init(minimum: -5, maximum: 4095), y: .init(minimum: 0, maximum: .max),
      matrix: try #require(CalibrationMatrix("0 -1 1 1 0 0.5")), display: "HDMI-A-1",
      geometry: try displayGeometry(), displaySource: .wlOutput)
    return API.Device(
      placement: placement, node: "/dev/input/event3", name: "Panel",
      contactProtocol: .slots, slots: 10, isVirtual: false, touchesDown: 1, unheardContacts: 2,
      silentForMs: 3, tally: tally, clampedExtent: RawExtent(x: -9, y: -1))
  }

  static func display() throws -> API.Display {
    API.Display(
      name: "HDMI-A-1", geometry: try geometry(), geometrySource: .drm, screen: "menu",
      devices: ["usb-1"])
  }

  static let record: SessionRecord = {
    var totals = SessionTotals()
    (totals.begun, totals.counted, totals.masked, totals.palms) = (10, 4, 3, 2)
    (totals.ghosts, totals.stillDown, totals.preexisting) = (1, 0, 6)
    (totals.cancelled, totals.clamped, totals.drops) = (7, 8, 9)
    return SessionRecord(
      id: 42, began: WallTime(milliseconds: 1_795_266_192_345),
      lastActive: WallTime(milliseconds: 1_795_266_199_999), end: .maxDuration,
      tags: ["build": "1.4"], totals: totals)
  }()
  static let session = API.Session(record, day: "2026-11-21")
  static let span = API.Span(
    since: WallTime(milliseconds: 1), until: WallTime(milliseconds: 2))

  static let hours = API.HourRange(from: 22, until: 4)

  static func screen() throws -> API.Screen {
    API.Screen(key: try key(), sessions: 1, touches: 2, shownMilliseconds: 3)
  }
  static let day = API.Day(
    day: "2026-11-21", sessions: 2, totals: record.totals, hours: Array(repeating: 1, count: 24),
    ghostsOutside: 4)

  static func grid() throws -> API.Grid {
    let key = try key()
    let blocks = key.geometry.columns * key.geometry.rows
    var grid = SummedGrid(
      key: key, layer: .trail, sessions: 2, days: 1, shownMilliseconds: 9, touches: 3,
      masks: [try #require(Rectangle(x: 1, y: 2, width: 3, height: 4.5))],
      sum: Counters(Array(repeating: UInt64(Int64.max), count: blocks)),
      sumOfSquares: Array(repeating: .max, count: blocks),
      touchedSessions: Counters(Array(repeating: 1, count: blocks)))
    grid.sessionCounts = [SessionCount(block: 0, session: 1 << 40, count: 3)]
    return API.Grid(grid)
  }
  static let sessionCount = API.SessionCount(
    SessionCount(block: 2, session: 1 << 40, count: .max))

  static let control = API.Control(
    name: "pay", rectangle: API.Rectangle(x: 1, y: 2, width: 3, height: 4), rage: false)

  static let screenControls = API.ScreenControls(
    screen: "checkout", display: "HDMI-A-1", controls: [control])

  static func summedControls() throws -> SummedControls {
    let geometry = try #require(geometry().displayGeometry)
    let pay = try #require(Control(control))
    let set = try #require(ControlSet([pay], pointSize: 0.25))
    // Numbers that all differ.
    let numbers = (1...ControlSums.numberCount).map { Int64($0) }
    var summed = SummedControls(
      counts: ControlCounts(
        key: GridKey(display: "HDMI-A-1", screen: "checkout", geometry: geometry), set: set,
        numbers: numbers),
      sessions: 2, screenSessions: 3, screenTouches: 4, masks: [pay.rectangle])
    summed.bottom = 750
    return summed
  }

  static func controlCounts() throws -> API.ControlCounts {
    let summed = try summedControls()
    return API.ControlCounts(summed.counts.set.controls[0], summed.counts[0])
  }

  static func screenControlCounts() throws -> API.ScreenControlCounts {
    API.ScreenControlCounts(try summedControls())
  }

  static let flows: FlowCounts = {
    var home = ScreenFlow(display: "HDMI-A-1", screen: "home")
    (home.sessions, home.entries, home.visits, home.oneTouchSessions) = (4, 3, 2, 1)
    return FlowCounts(
      sessions: 5, screens: [home],
      steps: [FlowStep(display: "HDMI-A-1", from: "home", to: "pay", times: 6, sessions: 5)],
      funnels: [FunnelCounts(Funnel(name: "order", screens: ["home", "pay"]), reached: [4, 2])])
  }()

  static let summedPanel: SummedPanel = {
    // Numbers that all differ. No line was skipped more often than crossed.
    var numbers = (1...PanelCounts.numberCount).map { Int64($0) }
    numbers[3072..<3408].reverse()
    return SummedPanel(
      day: "2026-11-21",
      key: PanelKey(
        device: "pci-0000:00:14.0-usb-0:2:1.0",
        x: PanelAxis(minimum: -1, maximum: 4095, resolution: 12),
        y: PanelAxis(minimum: 0, maximum: .max, resolution: 10)),
      sessions: 3, counts: PanelCounts(numbers: numbers))
  }()
  static let panel = API.Panel(summedPanel, name: "ILITEK \"touch\"")

  static let mask = API.Mask(
    screen: "pin", display: "HDMI-A-1",
    rectangle: API.Rectangle(x: 1, y: 2.5, width: 3, height: 4))
  static let store = API.Store(
    path: "/var/lib/touchgrid/touchgrid.db", bytes: 1, error: "no", waitingBytes: 2, busyForMs: 3,
    givenUp: 4, movedAside: "/var/lib/touchgrid/touchgrid.db.damaged-20240501T000007Z")

  static let gridMemory = API.GridMemory(bytes: 1, limitBytes: 2, isFull: true)

  static func status() throws -> API.GetStatus.Reply {
    API.GetStatus.Reply(
      version: "1", uptimeMs: 2, mode: .automatic, session: session, lastTouchAtMs: 3,
      touchesDown: 4, pauses: 5, tally: tally, devices: 6, refusedDevices: 7, clients: 8,
      watchers: 9, followers: 2, widenedMasks: 3, restartNeededFor: ["path in [socket]"],
      appGroup: "touchgrid-app", grids: gridMemory, store: store)
  }
}
