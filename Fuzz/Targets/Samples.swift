internal import Glibc

@testable import Storage
@testable import TouchModel

/// A folder of this process for scratch files, in memory where there is some.
func scratchFolder(_ name: String) -> String {
  let given = unsafe getenv("TOUCHGRID_FUZZ_SCRATCH").map { unsafe String(cString: $0) }
  let base = given ?? (unsafe access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")
  var template = Array("\(base)/touchgrid-fuzz-\(name)-XXXXXX".utf8CString)
  guard let path = unsafe mkdtemp(&template) else { fatalError("no folder in \(base)") }
  let folder = unsafe String(cString: path)
  unsafe folders.append(folder)
  return folder
}

/// Gone with the process.
nonisolated(unsafe) private var folders: [String] = {
  atexit {
    for folder in unsafe folders {
      for file in ["socket", "touchgrid.db"] {
        for ending in ["", "-wal", "-shm", "-journal"] {
          unsafe unlink("\(folder)/\(file)\(ending)")
        }
      }
      unsafe rmdir(folder)
    }
  }
  return []
}()

let sampleOptions = StoreOptions(
  busyMilliseconds: 0,
  calendar: { time in
    let day = max(0, min(time.milliseconds / 86_400_000 - 19_844, 120))
    let (month, rest) = (5 + day / 30, 1 + day % 30)
    return Day(year: 2024, month: Int(month), day: Int(rest)) ?? Day(local: time)
  },
  hour: { Int(($0.milliseconds / 3_600_000 % 24 + 24) % 24) })

/// A small session with all that a session may have.
func sampleSession(_ id: Int64, began: Int64) throws(StoreError) -> SessionRecord {
  guard
    let geometry = DisplayGeometry(
      pixelWidth: 64, pixelHeight: 48, scale: 1, rotation: .none, blockSize: 16),
    let mask = Rectangle(x: 0, y: 0, width: 16, height: 16)
  else { throw StoreError(.damaged, message: "no geometry") }
  let key = GridKey(display: "DSI-1", screen: "menu", geometry: geometry)
  var grids: [Grid] = []
  for layer in Layer.allCases {
    var counters = Counters(count: geometry.columns * geometry.rows)
    counters[Int(id) % counters.count] = layer == .dwell ? 1 << (8 * UInt64(id % 6)) : 3
    grids.append(Grid(key: key, layer: layer, counters: counters.narrowed()))
  }
  var totals = SessionTotals()
  (totals.begun, totals.counted, totals.masked, totals.clamped) = (5, 3, 2, 1)
  let placement = Placement(
    device: "usb-1", x: .init(minimum: 0, maximum: 4095), y: .init(minimum: 0, maximum: 4095),
    display: "DSI-1", geometry: geometry, displaySource: .drm)
  return SessionRecord(
    id: id, began: WallTime(milliseconds: began), lastActive: WallTime(milliseconds: began + 5000),
    end: id % 5 == 4 ? nil : .idle, tags: ["build": "1.4"], totals: totals,
    changedViews: [
      ScreenView(
        key: key, shownMilliseconds: 4000, touches: 3, placements: [placement], masks: [mask])
    ],
    changedGrids: grids)
}

/// Files of stores: with days and months of sums, and such a one without.
let samples: (two: [UInt8], log: [UInt8]) = {
  func file(days: Int64, rollsUp: Bool) throws -> [UInt8] {
    let folder = scratchFolder("sample")
    let path = folder + "/touchgrid.db"
    let store = try Store(path: path, options: sampleOptions)
    _ = try store.beginRun(at: WallTime(milliseconds: 1_714_521_600_000))
    for number in 0..<days {
      try store.write(
        sampleSession(number + 1, began: 1_714_521_600_000 + number * 9 * 86_400_000))
    }
    if rollsUp, let today = Day("2024-06-10") { _ = try store.rollUp(today: today) }
    // Small pages: as much is tried with fewer bytes.
    try store.database.execute("PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM")
    guard let file = unsafe fopen(path, "rb") else { return [] }
    defer { unsafe fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    return Array(bytes[..<(unsafe fread(&bytes, 1, bytes.count, file))])
  }
  do {
    return (try file(days: 7, rollsUp: true), try file(days: 4, rollsUp: false))
  } catch {
    fatalError("no store can be made: \(error)")
  }
}()
