import TestSupport
import Testing
import TouchModel

@testable import Storage

/// One name in two Unicode forms. For the store, these are two names, although Swift considers them
/// equal.
let nameForms = ["Caf\u{e9}", "Cafe\u{301}"]

/// Makes random sessions on a few screens, displays and geometries.
struct Fleet {
  var keys: [GridKey] = []

  init(_ dice: inout SeededGenerator) throws {
    let geometries = [
      try geometry(64, 48), try geometry(100, 70, scale: 1.5), try geometry(33, 17, blockSize: 8),
      try geometry(64, 48, rotation: .quarter),
    ]
    for screen in ["menu"] + nameForms {
      for display in ["HDMI-A-1", "DSI-1"] {
        keys.append(try key(screen, display: display, geometries.randomElement(using: &dice)))
      }
    }
    keys.append(try key("menu", display: "HDMI-A-1", geometries[2]))
  }

  func session(_ id: Int64, began: Int64, _ dice: inout SeededGenerator) throws -> SessionRecord {
    var totals = SessionTotals()
    var views: [ScreenView] = []
    var grids: [Grid] = []
    var controls: [ControlCounts] = []
    for key in Set(keys).sorted(by: GridKey.isBefore) where Bool.random(using: &dice) {
      var taps: UInt64 = 0
      for layer in Layer.allCases where Int.random(in: 0..<4, using: &dice) > 0 {
        var counters = Counters(count: key.geometry.columns * key.geometry.rows)
        for _ in 0..<Int.random(in: 0..<6, using: &dice) {
          // Values of every width, up to the largest squares.
          let value = dice.next() >> UInt64.random(in: 4..<64, using: &dice)
          counters[Int.random(in: 0..<counters.count, using: &dice)] =
            layer == .dwell ? value : value % 1000
        }
        if layer == .taps { taps = counters.sum }
        grids.append(Grid(key: key, layer: layer, counters: counters.narrowed()))
      }
      totals.counted += taps
      for set in try RandomControls.sets() where taps > 0 && dice.next() % 3 == 0 {
        let touches = dice.next() % (min(taps, 90) / 3 + 1)
        controls.append(
          RandomControls.adding(touches, to: nil, key: key, set: set, &dice))
      }
      views.append(
        ScreenView(
          key: key, shownMilliseconds: UInt64.random(in: 0..<100_000, using: &dice), touches: taps,
          placements: try (0..<Int.random(in: 0..<3, using: &dice)).map {
            try placement(key, device: "usb-\($0)")
          },
          masks: Rectangle.union(
            [
              (0..<Int.random(in: 0..<3, using: &dice)).compactMap { _ in
                Rectangle(x: Double.random(in: 0..<3, using: &dice), y: 0.5, width: 9, height: 2)
              }
            ], on: key.geometry)))
    }
    totals.masked = UInt64.random(in: 0..<9, using: &dice)
    totals.palms = UInt64.random(in: 0..<9, using: &dice)
    totals.ghosts = UInt64.random(in: 0..<9, using: &dice)
    totals.swallowed = UInt64.random(in: 0..<9, using: &dice)
    totals.stillDown = UInt64.random(in: 0..<2, using: &dice)
    totals.begun =
      totals.counted + totals.masked + totals.palms + totals.ghosts + totals.swallowed
      + totals.stillDown
    return SessionRecord(
      id: id, began: WallTime(milliseconds: began),
      lastActive: WallTime(milliseconds: began + Int64.random(in: 0..<hour, using: &dice)),
      end: SessionEnd.allCases.randomElement(using: &dice), tags: ["n": "\(id)"], totals: totals,
      changedViews: views, changedGrids: grids,
      changedCounts: controls.map { SubjectCounts($0) }
        + RandomPanels.some(in: id).map { SubjectCounts($0) })
  }
}
