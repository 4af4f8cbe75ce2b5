import Glibc
import Testing
import TouchModel

@testable import Storage

@Suite struct RecoveryTests {
  /// The short form takes seconds, the long one minutes.
  private static let isLong = unsafe getenv("TOUCHGRID_ENDURANCE") != nil
  private static let sample = Result { try CareStore() }
  private let folder: Folder
  private let sample: CareStore

  init() throws {
    folder = try Folder()
    sample = try Self.sample.get()
  }

  /// The sessions of a store that SQLite can still read, and that are as they were.
  private func readable(_ path: String) -> [Int64: StoredSession] {
    guard let store = try? Store(reading: path, options: options()) else { return [:] }
    var found: [Int64: StoredSession] = [:]
    for session in sample.records where (try? store.session(session.record.id)) == session {
      found[session.record.id] = session
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

  /// But for whether it is part of its day's sums: these may be lost.
  private func isSame(_ one: StoredSession?, _ other: StoredSession?) -> Bool {
    one?.record == other?.record && one?.day == other?.day
  }

  @Test func aWholeStoreIsSavedWhole() throws {
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

  /// Random bytes, pages of zeros or of rubbish, and files cut short. What SQLite can still read must be saved as it
  /// was; what is saved must pass every check.
  @Test(arguments: isLong ? 0..<16 : 0..<2)
  func whatAllOfIsThereIsSavedExactly(part: UInt64) throws {
    for round in 0..<(Self.isLong ? 14 : 7) {
      var dice = Dice(part * 100 + UInt64(round))
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

  private func damaged(_ bytes: [UInt8], _ dice: inout Dice) -> [UInt8] {
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
      // The places where trees begin, and their upper pages.
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
