import Glibc
import TestSupport
import Testing
import TouchModel

@testable import Storage

@Suite final class RecoveryTests: FolderSuite {
  /// Whether to run the long version, which takes minutes. The short one takes seconds.
  private static let isLong = unsafe getenv("TOUCHGRID_ENDURANCE") != nil
  private static let sample = Result { try CareStore() }
  private let sample: CareStore

  override init() throws {
    sample = try Self.sample.get()
    try super.init()
  }

  /// Returns the sessions that SQLite can still read and that are unchanged.
  private func readable(_ path: String) -> [Int64: StoredSession] {
    guard let store = try? Store(reading: path, options: options()) else { return [:] }
    var found: [Int64: StoredSession] = [:]
    for session in sample.records where (try? store.session(session.record.id)) == session {
      // The row contains the end of a session twice, and `Store.session` reads only one of the two.
      // It does not read how many subjects have counts either.
      let isIntact = try? store.database.integer(
        """
        SELECT ended = last_active AND subjects = \(session.record.changedCounts.count)
        FROM session WHERE id = ?1
        """, [.integer(session.record.id)])
      if isIntact == 1 { found[session.record.id] = session }
    }
    return found
  }

  @discardableResult
  private func recover(_ bytes: [UInt8]) throws -> RecoveryReport {
    let (damaged, new) = (folder.file("damaged.db"), folder.file("new.db"))
    try run("rm -f '\(damaged)'* '\(new)'*")
    try write(bytes, to: damaged)
    let report = try Recovery.run(damaged, into: new, options: options())
    #expect(try contents(damaged) == bytes)
    return report
  }

  private func saved() throws -> [Int64: StoredSession] {
    let store = try Store(reading: folder.file("new.db"), options: options())
    var found: [Int64: StoredSession] = [:]
    for session in try store.sessions(in: .always) {
      found[session.record.id] = try store.session(session.record.id)
    }
    return found
  }

  /// Whether a session was saved unchanged. It may have lost its counts of controls and panels, but
  /// only all of them.
  private func isSame(_ saved: StoredSession?, _ other: StoredSession?) -> Bool {
    var expected = other?.record
    if saved?.record.changedCounts.isEmpty == true { expected?.changedCounts = [] }
    return saved?.record == expected && saved?.day == other?.day
  }

  @Test func `Recovery of a sound store saves everything`() throws {
    let report = try recover(sample.bytes)
    #expect(try faults(folder.file("new.db")) == [])
    #expect(report.sessions == sample.records.count && report.lost == [])
    #expect(report.lostDays == [] && report.daysFromSessions == [:] && report.damagedSpots == 0)
    #expect(try saved().values.sorted { $0.record.id < $1.record.id } == sample.records)
    let store = try Store(path: folder.file("new.db"), options: options())
    #expect(try store.days(in: .always) == sample.days)
    #expect(try store.nextSessionID == CareStore.sessions + 1)
    #expect(try store.beginRun(at: WallTime(milliseconds: 0)) == 2)
  }

  @Test func `Recovery does not continue from impossibly high numbers`() throws {
    let store = try Store(path: folder.file(), options: options())
    for id in [1, 2, Int64.max - 1] { try store.write(record(id)) }
    try store.database.run("INSERT INTO run VALUES (?1, 0)", [.integer(Int64.max - 1)])
    try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let report = try recover(try contents(folder.file()))
    let new = try Store(path: folder.file("new.db"), options: options())
    #expect(report.sessions == 2 && report.damagedSpots >= 2)
    #expect(try new.nextSessionID == 3)
    #expect(try new.beginRun(at: WallTime(milliseconds: 0)) == 1)
  }

  @Test func `Recovery of a store with sums of months reports no damage`() throws {
    try CareStore.make(folder.file(), sessions: 24)
    let store = try Store(path: folder.file(), options: options())
    try store.rollUp(today: #require(Day("2024-07-01")))
    #expect(try store.database.integer("SELECT count(*) FROM monthly") > 0)
    try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let report = try recover(try contents(folder.file()))
    #expect(report.damagedSpots == 0 && report.lost == [] && report.lostDays == [])
  }

  /// Damages one column of a session at a time, by flipping a bit. Recovery must either save the
  /// session or report it as lost, and must not change any other session.
  @Test func `A session with a damaged column is saved or reported as lost`() throws {
    let id: Int64 = 100
    let row = try Self.row(of: id, in: sample.bytes)
    var (kept, lost) = (0, 0)
    for (column, range) in row.columns.enumerated() where !range.isEmpty {
      for bit in Self.isLong ? [UInt8(1), 2, 16, 0x80] : [1] {
        var bytes = sample.bytes
        bytes[range.lowerBound] ^= bit
        let report = try recover(bytes)
        let saved = try saved()
        let named = Set(report.lost.map(\.id))
        for session in sample.records where session.record.id != id {
          #expect(isSame(saved[session.record.id], session), "column \(column)")
        }
        if saved[id] == nil {
          #expect(named.contains(id), "column \(column), bit \(bit): lost without a word")
          lost += 1
        } else {
          kept += 1
        }
        #expect(try faults(folder.file("new.db")) == [], "column \(column)")
      }
    }
    #expect(kept > 0 && lost > 5, "\(kept) kept, \(lost) lost")
  }

  @Test func `A session whose number was changed is reported as lost`() throws {
    let row = try Self.row(of: 100, in: sample.bytes)
    var bytes = sample.bytes
    bytes[row.id] ^= 1
    let report = try recover(bytes)
    #expect(report.lost.map(\.id).contains(100), "\(report.lost)")
    #expect(try saved().count >= sample.records.count - 2)
  }

  /// A damaged page hides no session, because rows on other pages refer to each session as well.
  @Test(arguments: isLong ? 0..<60 : 0..<6)
  func `The sessions of one damaged page are saved or reported as lost`(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed + 900)
    var bytes = sample.bytes
    let page = Int.random(in: 1..<(bytes.count / 4096), using: &dice) * 4096
    for index in page..<(page + 4096) {
      bytes[index] = seed % 2 == 0 ? 0 : UInt8(truncatingIfNeeded: dice.next())
    }
    let report = try recover(bytes)
    let found = Set(try saved().keys).union(report.lost.map(\.id))
    let silent = sample.records.map(\.record.id).filter { !found.contains($0) }
    #expect(silent.isEmpty, "page \(page / 4096 + 1)")
  }

  /// Restores an interior page of a table to an old state with fewer rows, in which it leads to all
  /// rows except the newest.
  @Test(arguments: ["session", "screen_view", "grid"])
  func `An outdated interior page hides no sessions`(table: String) throws {
    try write(sample.bytes, to: folder.file("read.db"))
    let root = try Store(reading: folder.file("read.db"), options: options()).database.integer(
      "SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'")
    var bytes = sample.bytes
    let page = (Int(root) - 1) * 4096
    try #require(bytes[page] == 5 || bytes[page] == 2)
    // Drop the last cell and make its child the rightmost one, so that no page refers to the later
    // rows.
    let cells = Int(bytes[page + 3]) << 8 + Int(bytes[page + 4])
    let last =
      Int(bytes[page + 12 + 2 * (cells - 1)]) << 8 + Int(bytes[page + 13 + 2 * (cells - 1)])
    bytes.replaceSubrange((page + 8)..<(page + 12), with: bytes[(page + last)..<(page + last + 4)])
    (bytes[page + 3], bytes[page + 4]) = (UInt8((cells - 1) >> 8), UInt8((cells - 1) & 0xff))
    let report = try recover(bytes)
    let saved = try saved()
    let named = Set(report.lost.map(\.id))
    for session in sample.records {
      let id = session.record.id
      #expect(isSame(saved[id], session) || named.contains(id), "session \(id)")
    }
    #expect(saved.count > sample.records.count - 12 && report.damagedSpots > 0)
  }

  @Test func `A WAL that claims billions of pages is not believed`() throws {
    let store = try Store(path: folder.file("log.db"), options: options())
    try store.write(record(1))
    let (database, log) = (
      try contents(folder.file("log.db")), try contents(folder.file("log.db-wal"))
    )
    try write(database, to: folder.file("damaged.db"))
    try write(Self.claiming(0xffff_fff0, log), to: folder.file("damaged.db-wal"))
    let report = try Recovery.run(
      folder.file("damaged.db"), into: folder.file("new.db"), options: options())
    #expect(report.sessions == 1 && report.pages < 1000)
  }

  /// Returns the WAL with another number of pages in its last commit, and with matching checksums.
  private static func claiming(_ pages: UInt32, _ log: [UInt8]) -> [UInt8] {
    var log = log
    var sums: (UInt32, UInt32) = (0, 0)
    let isBigEndian = log[3] & 1 == 1
    func word(_ place: Int) -> UInt32 {
      let bytes = log[place..<(place + 4)]
      return (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
    }
    func add(_ range: Range<Int>) {
      for place in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
        sums.0 &+= word(place) &+ sums.1
        sums.1 &+= word(place + 4) &+ sums.0
      }
    }
    func put(_ value: UInt32, _ place: Int) {
      for index in 0..<4 {
        log[place + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * index))
      }
    }
    add(0..<24)
    for frame in stride(from: 32, to: log.count - 4119, by: 4120) {
      if log[(frame + 4)..<(frame + 8)] != [0, 0, 0, 0] { put(pages, frame + 4) }
      add(frame..<(frame + 8))
      add((frame + 24)..<(frame + 4120))
      put(sums.0, frame + 16)
      put(sums.1, frame + 20)
    }
    return log
  }

  /// Returns where a session's id and its other columns are in the file.
  private static func row(of id: Int64, in bytes: [UInt8]) throws -> (
    id: Int, columns: [Range<Int>]
  ) {
    for page in stride(from: 0, to: bytes.count, by: 4096) where bytes[page] == 13 {
      let cells = Int(bytes[page + 3]) << 8 + Int(bytes[page + 4])
      for cell in 0..<cells {
        let offset = Int(bytes[page + 8 + 2 * cell]) << 8 + Int(bytes[page + 9 + 2 * cell])
        var place = page + offset
        guard offset > 0, place + 30 < bytes.count, let length = bytes.varint(&place) else {
          continue
        }
        let number = place
        guard bytes.varint(&place) == id else { continue }
        let header = place
        guard let size = bytes.varint(&place), size == 21 || size == 22, length > 30 else {
          continue
        }
        var columns: [Range<Int>] = []
        var at = header + Int(size)
        while place < header + Int(size), let type = bytes.varint(&place) {
          let width =
            type < 12 ? [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0][Int(type)] : Int(type - 12) / 2
          columns.append(at..<(at + width))
          at += width
        }
        if columns.count == 20, columns[1].count == 10 { return (number, columns) }
      }
    }
    throw Missing(what: "session \(id)")
  }

  /// Damages stores with random bytes, pages of zeros or noise, and truncation. What SQLite can
  /// still read must be recovered unchanged; what is recovered must pass every check.
  @Test(arguments: isLong ? 0..<16 : 0..<2)
  func `Recovery saves every session that SQLite can still read`(part: UInt64) throws {
    for round in 0..<(Self.isLong ? 14 : 7) {
      var dice = SeededGenerator(seed: part * 100 + UInt64(round))
      let bytes = damaged(sample.bytes, &dice)
      try write(bytes, to: folder.file("read.db"))
      let readable = readable(folder.file("read.db"))
      let report: RecoveryReport
      do throws(StoreError) {
        report = try { () throws(StoreError) in
          do { return try recover(bytes) } catch let error as StoreError { throw error } catch {
            Issue.record(error)
            throw StoreError(.unexpected, message: "\(error)")
          }
        }()
      } catch {
        #expect(readable.isEmpty && error.code == .notOurs, "seed \(part), \(round): \(error)")
        continue
      }
      let saved = try saved()
      let missing = readable.filter { !isSame(saved[$0.key], $0.value) }
      #expect(missing.isEmpty, "seed \(part), \(round): \(missing.keys.sorted()) \(report.lost)")
      #expect(try faults(folder.file("new.db")) == [], "seed \(part), \(round)")
      #expect(report.sessions == saved.count)
    }
  }

  private func damaged(_ bytes: [UInt8], _ dice: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    let pages = bytes.count / 4096
    switch Int.random(in: 0..<5, using: &dice) {
    case 0:
      for _ in 0..<Int.random(in: 1..<60, using: &dice) {
        bytes[Int.random(in: 0..<bytes.count, using: &dice)] = UInt8(
          truncatingIfNeeded: dice.next())
      }
    case 1, 2:
      let isZero = Bool.random(using: &dice)
      for _ in 0..<Int.random(in: 1..<8, using: &dice) {
        let page = Int.random(in: 0..<pages, using: &dice)
        for index in (page * 4096)..<(page * 4096 + 4096) {
          bytes[index] = isZero ? 0 : UInt8(truncatingIfNeeded: dice.next())
        }
      }
    case 3:
      // Damage the B-tree headers, with which the pages begin.
      for _ in 0..<3 {
        let start = Int.random(in: 0..<pages, using: &dice) * 4096
        for index in start..<(start + 12) { bytes[index] = UInt8(truncatingIfNeeded: dice.next()) }
      }
    default:
      bytes.removeLast(Int.random(in: 1..<(bytes.count * 3 / 4), using: &dice))
    }
    return bytes
  }
}
