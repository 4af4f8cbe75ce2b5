import Testing
import TouchModel
import TouchgridAPI

/// Samples with every member set, to different values where possible.
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

  static let record: SessionRecord = {
    var totals = SessionTotals()
    (totals.begun, totals.counted, totals.masked, totals.palms) = (21, 4, 3, 2)
    (totals.ghosts, totals.swallowed, totals.stillDown, totals.preexisting) = (1, 11, 0, 6)
    (totals.cancelled, totals.clamped, totals.drops) = (7, 8, 9)
    return SessionRecord(
      id: 42, began: WallTime(milliseconds: 1_795_266_192_345),
      lastActive: WallTime(milliseconds: 1_795_266_199_999), end: .maxDuration,
      tags: ["build": "1.4"], totals: totals)
  }()
  static let session = API.Session(record, day: "2026-11-21")
  private static let control = API.Control(
    name: "pay", rectangle: API.Rectangle(x: 1, y: 2, width: 3, height: 4), rage: false)

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
}
