import Storage
import Synchronization
import TestSupport
import TouchModel

/// Small stores with few sessions.
enum SampleStore {
  /// 2026-11-21 14:03:12.345 in Berlin.
  static let began = WallTime(milliseconds: 1_795_266_192_345)

  static func key(
    _ screen: String, display: String = "HDMI-A-1", _ geometry: DisplayGeometry
  ) -> GridKey {
    GridKey(display: display, screen: screen, geometry: geometry)
  }

  /// Returns a session that began `minutes` after `began`.
  /// - Parameter counts: The counts of the blocks of each grid.
  static func session(
    _ id: Int64, after minutes: Int64 = 0, end: SessionEnd? = .idle, tags: [String: String] = [:],
    _ counts: [GridKey: [Block: UInt64]]
  ) -> SessionRecord {
    let began = WallTime(milliseconds: began.milliseconds + minutes * 60_000)
    var totals = SessionTotals()
    var views: [ScreenView] = []
    var grids: [Grid] = []
    for (key, blocks) in counts {
      var counters = Counters(count: key.geometry.columns * key.geometry.rows)
      for (block, count) in blocks { counters[key.geometry.index(of: block)] = count }
      views.append(
        ScreenView(key: key, shownMilliseconds: 61_000, touches: counters.sum))
      grids.append(Grid(key: key, layer: .taps, counters: counters))
      totals.counted += counters.sum
    }
    totals.masked = 3
    totals.stillDown = end == nil ? 1 : 0
    totals.begun = totals.counted + totals.masked + totals.stillDown
    return SessionRecord(
      id: id, began: began, lastActive: WallTime(milliseconds: began.milliseconds + 754_000),
      end: end, tags: tags, totals: totals, changedViews: views, changedGrids: grids)
  }

  /// Returns the counts of a panel on which some contacts began and crossed a line.
  static func panel(_ contacts: UInt64) -> PanelRecord {
    var counts = PanelCounts()
    let contacts = Int64(min(contacts, 1 << 20))
    counts[column: 1, row: 0] = contacts
    counts[.crossed, .horizontal, 2] = contacts
    counts[.skipped, .horizontal, 2] = contacts / 2
    counts[restingReports: 47] = 3 * contacts
    counts[restingSquares: 47] = 1000 * contacts
    counts[ghostsIn: 23] = 1
    return PanelRecord(
      key: PanelKey(
        device: "usb-1", x: PanelAxis(minimum: -1, maximum: 4095, resolution: 12),
        y: PanelAxis(minimum: 0, maximum: 2047)), counts: counts)
  }

  /// Makes a store with three sessions: one on the screens `menu` and `checkout/pay`, one on
  /// `menu`, and one on `menu` that is still running.
  static func usual(in folder: TemporaryFolder) throws -> String {
    try copy("usual", in: folder) { folder in
      let geometry = try geometry()
      let (menu, pay) = (key("menu", geometry), key("checkout/pay", geometry))
      return try make(
        [
          session(
            1, tags: ["build": "1.4"],
            [menu: [Block(column: 2, row: 1): 5], pay: [Block(column: 9, row: 5): 1]]),
          session(
            2, after: 60, [menu: [Block(column: 2, row: 1): 1, Block(column: 4, row: 3): 2]]),
          session(3, after: 120, end: nil, [menu: [Block(column: 0, row: 0): 1]]),
        ], in: folder)
    }
  }

  private static let templates = Mutex<[String: [UInt8]]>([:])

  /// Copies a store into a folder. It is made once, for all tests.
  static func copy(
    _ name: String, in folder: TemporaryFolder, _ make: (TemporaryFolder) throws -> String
  ) throws -> String {
    if let bytes = templates.withLock({ $0[name] }) {
      return try folder.write(bytes, to: "store.db")
    }
    let bytes = try TemporaryFolder.contents(make(folder))
    templates.withLock { $0[name] = bytes }
    return folder.path("store.db")
  }

  /// Drops the rolled-up sessions that began before `time`.
  static func drop(before time: WallTime, in store: Store) throws {
    let last = try store.sessions(in: TimeSpan(until: time)).map(\.record.id).max()
    try store.retain(through: last ?? 0, maxSize: nil)
  }

  static func make(_ records: [SessionRecord], in folder: TemporaryFolder) throws -> String {
    let path = folder.path("store.db")
    let store = try Store(path: path)
    for record in records { try store.write(record) }
    return path
  }
}

/// A suite whose tests have the usual store.
class UsualStoreSuite: FolderSuite {
  let store: String

  override init() throws {
    let folder = try TemporaryFolder()
    store = try SampleStore.usual(in: folder)
    super.init(folder)
  }
}
