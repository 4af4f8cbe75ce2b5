import TestSupport
import Testing
import TouchModel

@testable import Storage

/// The disk space that sessions of ten screens of 1024 x 768 take.
@Suite struct SizeTests {
  /// Returns a session with realistic touches: most taps on a few buttons, drags between them,
  /// rests of a tenth of a second.
  private func session(_ id: Int64, touches: Int, _ dice: inout SeededGenerator) throws
    -> SessionRecord
  {
    var totals = SessionTotals()
    var views: [ScreenView] = []
    var grids: [Grid] = []
    let shape = try geometry(1024, 768)
    for number in 0..<10 {
      let view = try key(
        ["menu", "checkout/pay", "product", "search"][number % 4] + "/\(number)", shape)
      var layers = Layer.allCases.map { ($0, Counters(count: 3072)) }
      let buttons = (0..<8).map { _ in
        (Int.random(in: 2..<60, using: &dice), Int.random(in: 2..<44, using: &dice))
      }
      for _ in 0..<touches {
        let button = buttons[
          min(Int.random(in: 0..<8, using: &dice), Int.random(in: 0..<8, using: &dice))]
        var column = button.0 + Int.random(in: -1...1, using: &dice)
        var row = button.1 + Int.random(in: -1...1, using: &dice)
        layers[0].1.add(1, at: row * 64 + column)
        let steps =
          Int.random(in: 0..<5, using: &dice) == 0 ? Int.random(in: 1..<12, using: &dice) : 1
        for _ in 0..<steps {
          layers[1].1.add(1, at: row * 64 + column)
          layers[2].1.add(UInt64.random(in: 8...180, using: &dice), at: row * 64 + column)
          column = min(63, max(0, column + Int.random(in: -1...1, using: &dice)))
          row = min(47, max(0, row + Int.random(in: -1...1, using: &dice)))
        }
      }
      totals.counted += UInt64(touches)
      views.append(
        ScreenView(
          key: view, shownMilliseconds: 60_000, touches: UInt64(touches),
          placements: [try placement(view)]))
      grids += layers.map { Grid(key: view, layer: $0.0, counters: $0.1) }
    }
    totals.begun = totals.counted
    return SessionRecord(
      id: id, began: WallTime(milliseconds: mayFirst + id),
      lastActive: WallTime(milliseconds: mayFirst + id),
      end: .idle, tags: ["build": "1.4"], totals: totals, changedViews: views, changedGrids: grids)
  }

  /// Returns the bytes by which the file grows per session, including whole pages and indexes.
  private func growth(
    sessions: Int64, checkpoints: Int,
    _ make: (Int64, inout SeededGenerator) throws -> SessionRecord
  ) throws -> Int64 {
    var dice = SeededGenerator(seed: 11)
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file(), options: options())
    // Write one session before measuring: the tables' first pages, the geometry and the placement
    // are stored only once, and must not count as growth.
    try store.write(make(1, &dice))
    try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let before = size(folder.file())
    for id in 2...(sessions + 1) {
      let whole = try make(id, &dice)
      // Write the session as a daemon does: in parts, each screen several times.
      for _ in 0..<checkpoints {
        var part = whole
        part.end = nil
        let screen = whole.changedViews.randomElement(using: &dice)?.key
        part.changedViews = whole.changedViews.filter { $0.key == screen }
        part.changedGrids = whole.changedGrids.filter { $0.key == screen }.map { grid in
          var early = grid
          early.counters = Counters(count: 3072)
          for index in 0..<3072 { early.counters[index] = grid.counters[index] / 2 }
          return early
        }
        try store.write(part)
      }
      try store.write(whole)
    }
    try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return (size(folder.file()) - before) / sessions
  }

  @Test(arguments: [10, 50]) func `A session of ten screens takes at most 30 KiB`(touches: Int)
    throws
  {
    for checkpoints in [0, 20] {
      let bytes = try growth(sessions: 10, checkpoints: checkpoints) {
        try session($0, touches: touches, &$1)
      }
      print("size of a session, \(touches) touches a screen, \(checkpoints) checkpoints: \(bytes)")
      #expect(bytes <= 30 * 1024)
    }
  }
}
