import TestSupport
import Testing
import TouchModel

@testable import Storage

/// A running session that changes at random, and the records of it that a recorder would send.
struct SessionLife {
  var dice: SeededGenerator
  private(set) var whole: SessionRecord
  private let keys: [GridKey]
  private var panelDice: SeededGenerator

  init(_ seed: UInt64, id: Int64 = 1) throws {
    dice = SeededGenerator(seed: seed)
    panelDice = SeededGenerator(seed: seed)
    keys = [
      try key("menu", geometry(1920, 1080)), try key(nameForms[0], geometry(320, 200)),
      try key(nameForms[1], geometry(320, 200)),
      try key("menu", geometry(320, 200, scale: 1.5, rotation: .quarter)),
    ]
    whole = SessionRecord(
      id: id, began: WallTime(milliseconds: mayFirst),
      lastActive: WallTime(milliseconds: mayFirst))
  }

  mutating func goOn() throws -> SessionRecord {
    whole.lastActive.milliseconds += Int64.random(in: 0..<9000, using: &dice)
    if Int.random(in: 0..<40, using: &dice) == 0 { whole.tags["n"] = "\(dice.next())" }
    whole.totals.masked += 1
    whole.totals.begun += 1
    whole.totals.drops += dice.next() % 2
    var changes = SessionRecord(id: whole.id, began: whole.began, lastActive: whole.lastActive)
    for key in keys where dice.next() % 3 == 0 { try touch(key, &changes) }
    for key in RandomPanels.keys where panelDice.next() % 3 == 0 {
      let former = whole.panel(key)
      // Sometimes more than a checkpoint holds.
      let touches = panelDice.next() % 20 == 0 ? 900 : 1 + panelDice.next() % 9
      changes.changedCounts.append(
        SubjectCounts(
          PanelRecord(key: key, counts: RandomPanels.adding(touches, to: former, &panelDice))))
    }
    changes.tags = whole.tags
    changes.totals = whole.totals
    whole.update(with: changes)
    return changes
  }

  private mutating func touch(_ key: GridKey, _ changes: inout SessionRecord) throws {
    var view =
      try whole.changedViews.first { $0.key == key }
      ?? ScreenView(key: key, placements: [placement(key)])
    view.shownMilliseconds += dice.next() % 5000
    if dice.next() % 50 == 0 {
      view.placements.append(try placement(key, device: "\(dice.next())"))
    }
    if dice.next() % 50 == 0 {
      view.masks.append(try #require(Rectangle(x: 0, y: 0, width: 32, height: 16)))
    }
    let before = view.touches
    for layer in Layer.allCases where dice.next() % 4 > 0 {
      var counters =
        whole.changedGrids.first { $0.key == key && $0.layer == layer }?.counters
        ?? Counters(count: key.geometry.columns * key.geometry.rows)
      for _ in 0..<(dice.next() % 30) {
        let index = Int.random(in: 0..<counters.count, using: &dice)
        // Sometimes the touches of a ghost are moved out.
        if layer != .taps, counters[index] > 0, dice.next() % 4 == 0 {
          counters.subtract(1, at: index)
        } else {
          let amount = layer == .dwell ? dice.next() >> (40 + dice.next() % 24) : 1
          counters.add(amount, at: index)
          guard layer == .taps else { continue }
          view.touches += 1
          whole.totals.counted += 1
          whole.totals.begun += 1
        }
      }
      changes.changedGrids.append(Grid(key: key, layer: layer, counters: counters))
    }
    let sets = try RandomControls.sets()
    let some = dice.next() % 9 == 0 ? sets : Array(sets.prefix(2))
    if dice.next() % 4 > 0, let set = some.randomElement(using: &dice) {
      let former = whole.changedCounts.lazy.compactMap { ControlCounts($0) }
        .first { $0.key == key && $0.set == set }
      changes.changedCounts.append(
        SubjectCounts(
          RandomControls.adding(view.touches - before, to: former, key: key, set: set, &dice)))
    }
    changes.changedViews.append(view)
  }

  mutating func end(_ reason: SessionEnd) -> SessionRecord {
    whole.end = reason
    return whole
  }
}

func checkpoints(_ store: Store) throws -> Int64 {
  try store.database.integer("SELECT count(*) FROM checkpoint")
}

/// Makes a store with checkpoints, as a power cut would leave it. Returns the session as first
/// written and after each checkpoint.
func makeCheckpoints(_ path: String) throws -> [SessionRecord] {
  let store = try Store(path: path, options: options())
  var session = try record(1, end: nil)
  try store.checkpoint(session)
  var versions = [session]
  for taps in 1...5 as ClosedRange<UInt64> {
    session.changedGrids[0].counters[Int(taps)] += taps
    session.changedViews[0].touches += taps
    session.totals.counted += taps
    session.totals.begun += taps
    try store.checkpoint(session)
    versions.append(session)
  }
  #expect(try checkpoints(store) == 5)
  return versions
}
