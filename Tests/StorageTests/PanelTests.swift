import TestSupport
import Testing
import TouchModel

@testable import Storage

@Suite final class PanelTests: StoreSuite {
  private let usb = panelKey("usb-1")

  /// Counts of which all numbers differ from those of another seed.
  private func counts(_ touches: UInt64, seed: UInt64 = 1) -> PanelCounts {
    var dice = SeededGenerator(seed: seed)
    return RandomPanels.adding(touches, to: PanelCounts(), &dice)
  }

  private func session(
    _ id: Int64, day: Int64 = 0, end: SessionEnd? = .idle, _ panels: [PanelKey: PanelCounts]
  ) throws -> SessionRecord {
    var session = try record(id, began: mayFirst + day * dayLength + id * 1000, end: end)
    session.changedCounts = panels.map {
      SubjectCounts(PanelRecord(key: $0.key, counts: $0.value))
    }
    return ordered(session)
  }

  private func rollUp() throws { try store.rollUp(today: later) }

  @Test func `Each number is stored, at every width`() throws {
    var wide = PanelCounts(numbers: (0..<PanelCounts.numberCount).map { Int64(1) << ($0 % 49) })
    // What is skipped is at most what is crossed.
    for direction in PanelCounts.Direction.allCases {
      for line in 0..<direction.lines { wide[.crossed, direction, line] = 1 << 48 }
    }
    // Squares need reports.
    for zone in 0..<PanelCounts.zoneColumns * PanelCounts.zoneRows {
      wide[restingReports: zone] = 1 << 48
    }
    let written = try session(1, [usb: wide])
    try store.write(written)
    #expect(try store.session(1)?.record == written)
    #expect(try store.panels(of: .one(1)).map(\.counts) == [wide])
  }

  @Test func `After damage, a session of a day that lost sessions can be forgotten`() throws {
    for id in Int64(1)...3 { try store.write(session(id, [usb: counts(5, seed: UInt64(id))])) }
    try rollUp()
    try store.retain(through: 1, maxSize: nil)
    for damage in [
      "UPDATE day_count SET counts = x''",
      "UPDATE session_count SET counts = x'' WHERE session = 2",
    ] {
      try store.database.execute(damage)
      let other = folder.path("new-\(damage.utf8.count).db")
      _ = try Recovery.run(folder.file(), into: other, options: options())
      let recovered = try Store(path: other, options: options())
      #expect(try recovered.panels(of: .day(#require(Day("2024-05-01")))).isEmpty)
      _ = try recovered.forget(.session(2))
      _ = try recovered.forget(.session(3))
      for table in ["session_count", "day_count"] {
        #expect(try recovered.database.integer("SELECT count(*) FROM \(table)") == 0)
      }
      #expect(try recovered.check().flatMap(\.faults).isEmpty)
    }
  }

  @Test func `A sum that lacks a forgotten session is damage`() throws {
    for id in Int64(1)...2 { try store.write(session(id, [usb: counts(5, seed: UInt64(id))])) }
    try rollUp()
    try store.retain(through: 1, maxSize: nil)
    try store.database.execute("UPDATE day_count SET sessions = 1")
    let error = try failure { () throws(StoreError) in _ = try store.forget(.session(2)) }
    #expect(error.code == .damaged && error.message.contains("usb-1"), "\(error)")
    #expect(try store.database.integer("SELECT count(*) FROM session") == 1)
  }

  @Test(arguments: [
    "UPDATE session_count SET counts = substr(counts, 1, 20) WHERE session = 1",
    "UPDATE session_count SET bytes = bytes + 1 WHERE session = 1",
    "DELETE FROM session_count WHERE session = 1",
    "UPDATE session SET subjects = 3 WHERE id = 1",
    "UPDATE day_count SET counts = x'' WHERE day = '2024-05-01'",
    "UPDATE day_count SET sessions = 5 WHERE day = '2024-05-01'",
    "DELETE FROM day_count WHERE day = '2024-05-01'",
    "UPDATE day_kind SET subjects = 2 WHERE day = '2024-05-01'",
    """
    UPDATE day_count SET (bytes, counts) = (SELECT bytes, counts FROM session_count WHERE session = 2)
    WHERE day = '2024-05-01'
    """,
  ])
  func `Damaged counts are found, and recovery leaves them out`(damage: String) throws {
    try store.write(session(1, [usb: counts(5)]))
    try store.write(session(2, day: 1, [usb: counts(6, seed: 2)]))
    try rollUp()
    try store.database.execute(damage)
    #expect(store.database.changes == 1)
    #expect(try !store.check().flatMap(\.faults).isEmpty)
    let other = folder.path("new.db")
    let report = try Recovery.run(folder.file(), into: other, options: options())
    #expect(report.sessions == 2)
    let recovered = try Store(path: other, options: options())
    #expect(try recovered.check().flatMap(\.faults).isEmpty)
    try recovered.rollUp(today: later)
    let panels = try recovered.panels(of: .span(.always))
    // If the session is sound, its day is computed again.
    let isLost = damage.hasSuffix("session = 1") || damage.hasSuffix("id = 1")
    #expect(panels.map(\.counts) == (isLost ? [] : [counts(5)]) + [counts(6, seed: 2)])
    #expect(report.withoutCounts == (isLost ? 1 : report.withoutCounts))
    #expect(try recovered.check().flatMap(\.faults).isEmpty)
  }

  @Test func `Counts that cannot be are not written`() throws {
    var wrong = counts(5)
    wrong[.skipped, .vertical, 3] = wrong[.crossed, .vertical, 3] + 1
    try store.write(session(1, [usb: wrong, panelKey("b"): counts(1)]))
    #expect(try store.panels(of: .span(.always)).map(\.key) == [panelKey("b")])
    var huge = PanelCounts()
    huge[column: 0, row: 0] = PanelCounts.mostCounted
    for id in Int64(2)...3 { try store.write(session(id, day: 1, [usb: huge])) }
    let error = try failure { () throws(StoreError) in
      _ = try store.panels(of: .span(.always))
    }
    #expect(error.code == .overflow, "\(error)")
  }

  @Test func `A query for single sessions has a limit, one for whole days has none`() throws {
    let devices = (0..<701).map { panelKey("usb-\($0)") }
    for id in Int64(1)...2 {
      try store.write(
        session(id, day: id, Dictionary(uniqueKeysWithValues: devices.map { ($0, counts(1)) })))
    }
    let error = try failure { () throws(StoreError) in
      _ = try store.panels(of: .span(.always))
    }
    #expect(error.code == .overflow && error.message.contains("shorter time"), "\(error)")
    try rollUp()
    #expect(try store.panels(of: .span(.always)).count == 1402)
  }
}
