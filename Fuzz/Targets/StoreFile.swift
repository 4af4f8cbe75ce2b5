internal import Glibc

@testable import Storage
@testable import TouchModel

/// The file of a store that somebody or something has damaged: opened, asked, written and kept house in.
///
/// The first byte says how: bytes of the file are other ones, values of its rows are other ones, or all of
/// the file is the input.
func fuzzStoreFile(_ bytes: [UInt8]) {
  var source = ByteSource(bytes)
  let how = source.byte()
  let scratch = ScratchStore()
  switch how % 4 {
  case 0: scratch.write(Array(source.rest))
  case 1: scratch.write(changingBytes(of: how & 4 == 0 ? samples.two : samples.log, &source))
  default:
    scratch.write(samples.two)
    changeValues(scratch.path, &source)
  }
  scratch.use()
}

/// A place and new bytes, again and again.
private func changingBytes(of file: [UInt8], _ source: inout ByteSource) -> [UInt8] {
  var file = file
  while !source.isEmpty {
    let place = Int(source.integer(UInt32.self)) % file.count
    for (offset, byte) in source.bytes(Int(source.byte() % 16)).enumerated()
    where place + offset < file.count {
      file[place + offset] = byte
    }
  }
  return file
}

/// A table, a column and a new value for some of its rows, again and again.
private func changeValues(_ path: String, _ source: inout ByteSource) {
  guard let database = try? Database(path: path, name: path, flags: 2) else { return }
  try? database.execute("PRAGMA foreign_keys = OFF")
  try? database.execute("PRAGMA ignore_check_constraints = ON")
  while !source.isEmpty {
    let (table, column) = source.choice(columns)
    let every = Int64(source.byte() % 3) + 1
    let value: SQLValue
    switch source.byte() % 8 {
    case 0: value = .null
    case 1: value = .integer(source.integer())
    case 2: value = .integer(Int64(Int8(bitPattern: source.byte())))
    case 3: value = .real(Double(bitPattern: source.integer()))
    case 4: value = .text(String(decoding: source.bytes(Int(source.byte())), as: UTF8.self))
    case 5: value = .blob(source.bytes(Int(source.byte())))
    case 6:
      let cells = [UInt8](repeating: source.byte(), count: Int(source.byte()) * 4)
      value = (try? Deflate.deflate(cells)).map { .blob($0) } ?? .null
    default: value = .text(source.choice(["[]", "{}", "2024-05-01", "2024-05", "", "idle"]))
    }
    try? database.run(
      "UPDATE \(table) SET \(column) = ?1 WHERE rowid % ?2 = 0", [value, .integer(every)])
  }
}

private let columns: [(String, String)] = {
  let tables = [
    "run", "geometry", "placement", "mask", "session", "screen_view", "grid", "day", "daily_view",
    "daily", "month", "monthly", "ghost",
  ]
  let scratch = ScratchStore()
  scratch.write(samples.two)
  guard let database = try? Database(path: scratch.path, name: scratch.path, flags: 2) else {
    return [("session", "id")]
  }
  var all: [(String, String)] = []
  for table in tables {
    try? database.each("SELECT name FROM pragma_table_info('\(table)')") { row throws(StoreError) in
      all.append((table, try row.text(0)))
    }
  }
  return all
}()

/// Where one input's store lies.
private struct ScratchStore {
  private static let folder = scratchFolder("store")
  let path = ScratchStore.folder + "/touchgrid.db"

  func write(_ bytes: [UInt8]) {
    remove()
    guard let file = unsafe fopen(path, "wb") else { fatalError("no file \(path)") }
    unsafe fwrite(bytes, 1, bytes.count, file)
    unsafe fclose(file)
  }

  func remove() { for ending in ["", "-wal", "-shm", "-journal"] { unsafe unlink(path + ending) } }

  /// Everything that is ever done with a store. What fails says why.
  func use() {
    attempt { () throws(StoreError) in
      let store = try Store(reading: path, options: sampleOptions)
      ask(store)
    }
    attempt { () throws(StoreError) in
      let store = try Store(path: path, options: sampleOptions)
      attempt { () throws(StoreError) in _ = try store.closeUnfinished() }
      attempt { () throws(StoreError) in _ = try store.beginRun(at: WallTime(milliseconds: 1)) }
      attempt { () throws(StoreError) in
        try store.write(sampleSession(try store.nextSessionID, began: 1_717_200_000_000))
      }
      if let today = Day("2024-07-02") {
        attempt { () throws(StoreError) in _ = try store.rollUp(today: today) }
      }
      ask(store)
      attempt { () throws(StoreError) in
        _ = try store.retain(
          now: WallTime(milliseconds: 1_722_400_000_000), keepSessions: .seconds(86_400),
          maxSize: 1 << 20)
      }
      ask(store)
    }
    remove()
  }

  private func ask(_ store: Store) {
    var ids: [Int64] = []
    attempt { () throws(StoreError) in
      ids = try store.sessions(in: .always).map(\.record.id)
    }
    for id in ids.prefix(8) {
      attempt { () throws(StoreError) in
        for grid in try store.session(id)?.record.changedGrids ?? [] {
          let geometry = grid.key.geometry
          must(
            grid.counters.count == geometry.columns * geometry.rows, "as many blocks as a geometry")
        }
      }
    }
    attempt { () throws(StoreError) in _ = try store.screenCounts(in: .always) }
    attempt { () throws(StoreError) in _ = try store.days(in: .always) }
    attempt { () throws(StoreError) in _ = try store.screens(in: .always) }
    for layer in Layer.allCases {
      attempt { () throws(StoreError) in
        for summary in try store.summaries(screen: nil, layer: layer, in: .always) {
          for block in 0..<summary.sum.count {
            let (mean, variance) = (summary.mean(at: block) ?? 0, summary.variance(at: block) ?? 0)
            must(mean >= 0 && mean.isFinite, "mean \(mean)")
            must(!variance.isNaN, "variance \(variance)")
          }
        }
      }
    }
    if let day = Day("2024-05-01") {
      attempt { () throws(StoreError) in _ = try store.ghosts(on: day) }
    }
  }

  private func attempt(_ body: () throws(StoreError) -> Void) {
    do throws(StoreError) { try body() } catch {
      must(!error.description.isEmpty, "an error has words")
    }
  }
}
