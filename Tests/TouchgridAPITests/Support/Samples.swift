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

  static func foundControls() throws -> FoundCounts {
    let geometry = try #require(geometry().displayGeometry)
    let pay = try #require(Control(control))
    let set = try #require(ControlSet([pay], pointSize: 0.25))
    var sums = ControlSums()
    (sums.hits.count, sums.hits.x, sums.hits.xx, sums.sessions) = (9, -5, 25, 2)
    (sums.nearMisses.count, sums.beside[1][2], sums.beside[3][4], sums.retried) = (1, 1, 4, 1)
    sums.responses[3] = 7
    let numbers = sums.numbers
    let counts = ControlCounts(
      key: GridKey(display: "HDMI-A-1", screen: "checkout \"1\"", geometry: geometry), set: set,
      numbers: numbers)
    return FoundCounts(
      SummedCounts(counts.subject, sessions: 2, numbers),
      view: FoundView(sessions: 3, touches: 4, masks: [pay.rectangle], bottom: 750))
  }

  static let foundPanel: FoundCounts = {
    // No line was skipped more often than crossed.
    var numbers = (0..<PanelCounts.numberCount).map { Int64(1 + $0 % 7) }
    for place in 3184..<3296 { numbers[place] = numbers[place - 112] / 2 }
    let key = PanelKey(
      device: "pci-0000:00:14.0-usb-0:2:1.0",
      x: PanelAxis(minimum: -1, maximum: 4095, resolution: 12),
      y: PanelAxis(minimum: 0, maximum: .max, resolution: 10))
    return FoundCounts(
      day: "2026-11-21", SummedCounts(key.subject, sessions: 3, numbers))
  }()

  /// Counts with all members.
  static func counts() throws -> API.Counts {
    var found = try foundControls()
    found.day = "2026-11-21"
    return API.Counts(found)
  }

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
