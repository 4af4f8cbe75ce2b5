@testable import Storage

extension ScratchStore {
  /// Writes a damaged store. The first byte of the input selects the kind of damage: changed bytes
  /// of a sample, changed values in its rows, or the input itself as the whole database and, in
  /// some cases, its WAL.
  /// - Returns: The first byte, of which this function uses bits 0 to 4 and 7.
  func damage(_ source: inout ByteSource) -> UInt8 {
    let how = source.byte()
    let sample = samples[Int(how & 31) / 4 % samples.count]
    var files: StoreFiles
    switch how % 4 {
    case 0:
      let log = how & 4 == 0 ? [] : source.bytes(Int(source.integer(UInt16.self)))
      files = StoreFiles(database: Array(source.rest), log: log)
    case 1: files = changingBytes(of: sample, &source)
    default:
      write(sample)
      changeValues(path, &source)
      return how
    }
    // SQLite ignores a WAL from the first wrong checksum on, so correct the checksums unless the
    // input forbids it with bit 7.
    if how & 128 == 0 { sign(&files.log) }
    write(files)
    return how
  }
}

/// Changes bytes. The input is a sequence of offsets and new bytes.
private func changingBytes(of files: StoreFiles, _ source: inout ByteSource) -> StoreFiles {
  var (file, size) = (files.database + files.log, files.database.count)
  while !source.isEmpty {
    let place = Int(source.integer(UInt32.self)) % file.count
    let count = source.byte()
    // A count of 255 truncates the file at this offset.
    if count == 255 {
      file.removeLast(file.count - max(place, 1))
      size = min(size, file.count)
      continue
    }
    for (offset, byte) in source.bytes(Int(count % 16)).enumerated()
    where place + offset < file.count {
      file[place + offset] = byte
    }
  }
  return StoreFiles(database: Array(file[..<size]), log: Array(file[size...]))
}

/// Sets the checksums of a WAL to match its bytes.
///
/// Source of the format: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
private func sign(_ log: inout [UInt8]) {
  guard log.count >= 32 else { return }
  let isBigEndian = log[3] & 1 == 1
  log.replaceSubrange(..<8, with: [0x37, 0x7f, 6, 0x82 | log[3] & 1, 0, 45, 226, 24])
  let size = log.number(at: 8, 4)
  guard (512...65536).contains(size) else { return }
  var sums: (UInt32, UInt32) = (0, 0)
  func add(_ bytes: Range<Int>, of log: [UInt8]) {
    for place in stride(from: bytes.lowerBound, to: bytes.upperBound, by: 8) {
      let words = [place, place + 4].map { UInt32(log.number(at: $0, 4)) }
        .map { isBigEndian ? $0 : $0.byteSwapped }
      sums.0 &+= words[0] &+ sums.1
      sums.1 &+= words[1] &+ sums.0
    }
  }
  func put(at place: Int, in log: inout [UInt8]) {
    for (offset, sum) in [sums.0, sums.1].enumerated() {
      for byte in 0..<4 {
        log[place + 4 * offset + byte] = UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * byte))
      }
    }
  }
  add(0..<24, of: log)
  put(at: 24, in: &log)
  for frame in stride(from: 32, through: log.count - 24 - size, by: 24 + size) {
    log.replaceSubrange((frame + 8)..<(frame + 16), with: log[16..<24])
    add(frame..<(frame + 8), of: log)
    add((frame + 24)..<(frame + 24 + size), of: log)
    put(at: frame + 16, in: &log)
  }
}

/// Changes values in the rows of a store. The input is a sequence of columns, each with a new value
/// for every row, every second row or every third row.
func changeValues(_ path: String, _ source: inout ByteSource) {
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
    "daily", "month", "monthly", "ghost", "subject", "session_count", "day_count",
    "day_kind", "day_only",
  ]
  let scratch = ScratchStore("recovered.db")
  scratch.write(samples[0])
  guard let database = try? Database(path: scratch.path, name: scratch.path, flags: 2) else {
    return [("session", "id")]
  }
  var all: [(String, String)] = []
  for table in tables {
    try? database.each("SELECT name FROM pragma_table_info('\(table)')") { row throws(StoreError) in
      all.append((table, try row.text(0)))
    }
  }
  scratch.remove()
  return all
}()
