import Glibc
import TestSupport
import Testing
import TouchModel

@testable import Storage

@Suite struct ErasingTests {
  private static let sessions: Int64 = 48
  private let folder: TemporaryFolder
  private let store: Store
  private var dice = SeededGenerator(seed: 3)
  /// For each session, samples of the cells of all its versions (`words(of:)`).
  private var words: [Int64: Set<UInt64>] = [:]

  /// Writes sessions with checkpoints. Their grids grow with each checkpoint and look random, so
  /// SQLite moves them between its pages.
  init() throws {
    folder = try TemporaryFolder()
    store = try Store(path: folder.file(), options: options())
    let screens = try (1...9).map { try key("screen \($0)", geometry(320, 200)) }
    for id in 1...Self.sessions {
      for part in 1...4 {
        try store.write(session(id, screens, part: part))
        try store.database.each("SELECT cells FROM grid WHERE session = ?1", [.integer(id)]) {
          row in words[id, default: []].formUnion(Self.words(of: row.blob(0)))
        }
      }
    }
  }

  private mutating func session(
    _ id: Int64, _ screens: [GridKey], part: Int
  ) throws -> SessionRecord {
    var record = try record(
      id, began: mayFirst + id * hour, end: part == 4 ? .idle : nil, taps: [:])
    record.totals = SessionTotals()
    record.changedViews = try screens.map {
      ScreenView(key: $0, shownMilliseconds: 1, touches: 0, placements: [try placement($0)])
    }
    record.changedGrids = screens.map { key in
      let cells = (0..<(part * Int.random(in: 3..<20, using: &dice))).map { ($0, dice.next() >> 8) }
      return Grid(
        key: key, layer: .dwell, counters: counters(key, Dictionary(cells) { $1 }))
    }
    return record
  }

  /// Samples eight bytes at each of several places where cells are random. Skips the end of the
  /// cells, which contains only zeros.
  private static func words(of cells: [UInt8]) -> [UInt64] {
    stride(from: 16, to: cells.count - 64, by: 11).map { word(cells, $0) }
  }

  private static func word(_ bytes: [UInt8], _ place: Int) -> UInt64 {
    unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: place, as: UInt64.self) }
  }

  /// Returns how many of the sessions' words are in the store's files.
  private func traces(of ids: [Int64]) throws -> Int {
    let words = ids.reduce(into: Set<UInt64>()) { $0.formUnion(self.words[$1] ?? []) }
    var found: Set<UInt64> = []
    for ending in ["", "-wal", "-shm"] {
      let bytes = try contents(folder.file() + ending)
      for place in 0..<max(0, bytes.count - 7) {
        let word = Self.word(bytes, place)
        if words.contains(word) { found.insert(word) }
      }
    }
    return found.count
  }

  @Test func `Forgotten data is erased from the free space inside pages`() throws {
    let gone = (1...Self.sessions).filter { $0 % 12 == 0 }
    let (before, full) = (try traces(of: gone), size(folder.file()))
    for id in gone { #expect(try store.forget(.session(id)).sessions == 1) }
    let (after, kept) = (try traces(of: gone), try traces(of: [1]))
    #expect(before > 100 && after == 0 && kept > 5)
    #expect(size(folder.file()) < full, "the file shrinks")
    #expect(try store.database.integer("PRAGMA auto_vacuum") == 2)
  }

  @Test func `Data that a reader still uses is erased by a later call`() throws {
    let reader = try Store(reading: folder.file(), options: options())
    try reader.database.execute("BEGIN; SELECT count(*) FROM session")
    let forgotten = try store.forget(.session(3))
    #expect(forgotten.sessions == 1 && forgotten.notErased?.code == .busy)
    let before = try traces(of: [3])
    #expect(try store.session(3) == nil && before > 5)
    try reader.database.execute("COMMIT")
    #expect(try store.forget(.session(3)) == Forgotten())
    let after = try traces(of: [3])
    #expect(after == 0)
  }

  @Test(.enabled(if: canMount))
  func `Without space for a second file, the result says that nothing was erased yet`() throws {
    let small = try TemporaryFolder()
    try #require(try run("mount -t tmpfs -o size=8m tmpfs \(small.path)").status == 0)
    defer { _ = try? run("umount -l \(small.path)") }
    try write(try contents(folder.file()), to: small.file())
    let store = try Store(path: small.file(), options: options())
    let size = try store.database.integer("PRAGMA page_count") * 4096
    let kib = (8 << 20 - 2 * size) >> 10
    try run("dd if=/dev/zero of=\(small.path)/ballast bs=1k count=\(kib)")
    let forgotten = try store.forget(.session(3))
    #expect(forgotten.sessions == 1 && forgotten.notErased?.code == .full, "\(forgotten)")
    #expect(forgotten.notErased?.message.contains("are needed") == true)
    #expect(try store.session(3) == nil)
    unsafe unlink(small.file("ballast"))
    #expect(try store.forget(.session(3)) == Forgotten())
  }
}
