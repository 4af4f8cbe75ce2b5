import TestSupport
import Testing
import TouchModel

@testable import Storage

/// The bytes of a closed store of about three weeks, and its contents.
struct CareStore {
  static let sessions: Int64 = 240
  let bytes: [UInt8]
  let records: [StoredSession]
  let days: [DaySummary]

  /// Makes the store. Every session shows and touches two of three screens, with all layers. The
  /// last day is not rolled up, and the oldest sessions of the first day were dropped.
  init() throws {
    let folder = try TemporaryFolder()
    try Self.make(folder.file(), sessions: Self.sessions)
    bytes = try contents(folder.file())
    let store = try Store(reading: folder.file(), options: options())
    records = try (1...Self.sessions).compactMap { try store.session($0) }
    days = try store.days(in: .always)
  }

  static func make(_ path: String, sessions: Int64) throws {
    var dice = SeededGenerator(seed: 7)
    let store = try Store(path: path, options: options())
    _ = try store.beginRun(at: WallTime(milliseconds: mayFirst))
    let screens = try (["menu"] + nameForms).map { try key($0, geometry(320, 200)) }
    for id in 1...sessions {
      try store.write(
        session(id, began: mayFirst + id * 2 * hour, screens.shuffled(using: &dice), &dice))
    }
    let last = utc(WallTime(milliseconds: mayFirst + sessions * 2 * hour))
    try store.rollUp(today: last)
    _ = try store.retain(
      now: WallTime(milliseconds: mayFirst + 90 * dayLength),
      keepSessions: .seconds(90 * 86_400 - 8 * 3600), maxSize: nil)
    try store.addGhosts(
      [GhostTally(device: "usb-1", x: 1, y: 2, periodMilliseconds: 12_864, touches: 3)], day: last)
    try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private static func session(
    _ id: Int64, began: Int64, _ screens: [GridKey], _ dice: inout SeededGenerator
  ) throws -> SessionRecord {
    var totals = SessionTotals()
    var record = SessionRecord(
      id: id, began: WallTime(milliseconds: began),
      lastActive: WallTime(milliseconds: began + 60_000), end: .idle, tags: ["n": "\(id)"])
    for key in screens.prefix(2) {
      let touches = UInt64.random(in: 1..<40, using: &dice)
      for layer in Layer.allCases {
        var counters = Counters(count: key.geometry.columns * key.geometry.rows)
        for _ in 0..<touches {
          counters.add(
            layer == .dwell ? dice.next() >> 44 : 1,
            at: Int.random(in: 0..<counters.count, using: &dice))
        }
        record.changedGrids.append(Grid(key: key, layer: layer, counters: counters))
      }
      record.changedViews.append(
        ScreenView(
          key: key, shownMilliseconds: touches * 500, touches: touches,
          placements: [try placement(key)],
          masks: touches % 5 == 0
            ? [try #require(Rectangle(x: 0, y: 0, width: 32, height: 16))] : []
        ))
      totals.counted += touches
      for set in try RandomControls.sets().prefix(2) where touches % 3 > 0 {
        record.changedCounts.append(
          SubjectCounts(RandomControls.adding(touches / 2, to: nil, key: key, set: set, &dice)))
      }
    }
    record.changedCounts += RandomPanels.some(in: id).map { SubjectCounts($0) }
    totals.masked = 2
    totals.begun = totals.counted + 2
    record.totals = totals
    return record
  }
}

/// Returns the faults that a check of a store finds.
func faults(_ path: String) throws -> [String] {
  try Store(reading: path, options: options()).check().flatMap { result in
    result.faults.map { "\(result.name): \($0)" }
  }
}
