internal import Glibc

@testable import Storage
@testable import TouchModel

/// Returns a scratch folder of this process, in memory if possible.
func scratchFolder(_ name: String) -> String {
  let given = unsafe getenv("TOUCHGRID_FUZZ_SCRATCH").map { unsafe String(cString: $0) }
  let base = given ?? (unsafe access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")
  var template = Array("\(base)/touchgrid-fuzz-\(name)-XXXXXX".utf8CString)
  guard let path = unsafe mkdtemp(&template) else { fatalError("no folder in \(base)") }
  let folder = unsafe String(cString: path)
  unsafe folders.append(folder)
  return folder
}

/// The scratch folders, which are removed when the process exits.
nonisolated(unsafe) private var folders: [String] = {
  atexit {
    for folder in unsafe folders {
      for file in ["socket", "touchgrid.db", "recovered.db"] {
        for ending in storeEndings { unsafe unlink("\(folder)/\(file)\(ending)") }
      }
      unsafe rmdir(folder)
    }
  }
  return []
}()

/// The endings of the file names of a store and of the files that SQLite puts beside it.
let storeEndings = ["", "-wal", "-shm", "-journal"]

let sampleOptions = StoreOptions(
  busyMilliseconds: 0, clock: { LocalClock { _ in 0 } })

/// Returns a small session that uses every feature of a session.
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

/// The database of a store and its WAL.
struct StoreFiles {
  var database: [UInt8]
  var log: [UInt8] = []
}

/// The undamaged stores that inputs start from.
let samples: [StoreFiles] = {
  do {
    return try [
      StoreFiles(database: sample(sessions: 4, rollsUp: true)),
      StoreFiles(database: sample(sessions: 2, rollsUp: false)),
      sampleWithLog(),
      // Recovery assumes SQLite's default page size, 4096 bytes, if the file does not state it.
      StoreFiles(database: sample(sessions: 2, rollsUp: true, pageSize: 4096)),
    ]
  } catch {
    fatalError("no store can be made: \(error)")
  }
}()

/// Returns a store with or without sums of days and months. By default its pages are small, so that
/// a short input reaches more of them.
private func sample(
  sessions: Int64, rollsUp: Bool, pageSize: Int = 512
) throws(StoreError) -> [UInt8] {
  let path = scratchFolder("sample") + "/touchgrid.db"
  try fill(path, sessions: sessions, rollsUp: rollsUp, pageSize: pageSize)
  return contents(path)
}

private func fill(
  _ path: String, sessions: Int64, rollsUp: Bool, pageSize: Int = 512
) throws(StoreError) {
  let store = try Store(path: path, options: sampleOptions)
  _ = try store.beginRun(at: WallTime(milliseconds: 1_714_521_600_000))
  for number in 0..<sessions {
    try store.write(sampleSession(number + 1, began: 1_714_521_600_000 + number * 15 * 86_400_000))
  }
  if rollsUp, let today = Day("2024-06-10") { _ = try store.rollUp(today: today) }
  try store.database.execute(
    "PRAGMA journal_mode = DELETE; PRAGMA page_size = \(pageSize); VACUUM")
}

/// Returns a store as a killed daemon leaves it: with a WAL.
private func sampleWithLog() throws(StoreError) -> StoreFiles {
  let path = scratchFolder("sample") + "/touchgrid.db"
  try fill(path, sessions: 1, rollsUp: true)
  let store = try Store(path: path, options: sampleOptions)
  for id in 2...3 as ClosedRange<Int64> {
    try store.write(sampleSession(id, began: 1_714_521_600_000 + id * 15 * 86_400_000))
  }
  return StoreFiles(database: contents(path), log: contents(path + "-wal"))
}

private func contents(_ path: String) -> [UInt8] {
  guard let file = unsafe fopen(path, "rb") else { fatalError("no file \(path)") }
  defer { unsafe fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 20)
  return Array(bytes[..<(unsafe fread(&bytes, 1, bytes.count, file))])
}
