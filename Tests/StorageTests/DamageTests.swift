import CZlib
import TestSupport
import Testing
import TouchModel

@testable import Storage

/// Checks that a damaged row causes an error that names the row, whatever its content.
@Suite final class DamageTests: StoreSuite {
  override init() throws {
    try super.init()
    try store.write(record(1, taps: [0: 5]))
  }

  private func replaceCells(_ cells: [UInt8], bytesPerCell: Int64 = 1) throws {
    try store.database.run(
      "UPDATE grid SET cells = ?1, bytes_per_cell = ?2", [.blob(cells), .integer(bytesPerCell)])
  }

  private func expectDamagedGrid() throws {
    let whole = try failure { () throws(StoreError) in try store.session(1) }
    let sums = try failure { () throws(StoreError) in
      try store.grids(screen: nil, layer: .taps, in: .always)
    }
    for error in [whole, sums] {
      #expect(error.code == .damaged)
      #expect(error.message.contains("session 1"))
      #expect(error.message.contains("menu"))
      #expect(error.message.contains("taps"))
    }
    // The damaged grid's day is not rolled up, and its session is not dropped.
    #expect(
      try failure { () throws(StoreError) in try store.rollUp(today: later) }.code == .damaged)
    #expect(try store.sessions(in: .always).map(\.isRolledUp) == [false])
  }

  @Test func `Cells that are not zlib data give an error that names the row`() throws {
    try replaceCells([1, 2, 3])
    try expectDamagedGrid()
    try replaceCells([])
    try expectDamagedGrid()
  }

  @Test func `Cells larger than any grid give an error`() throws {
    try store.database.run("UPDATE grid SET cells = zeroblob(30000000)")
    try expectDamagedGrid()
  }

  @Test(arguments: [
    "UPDATE geometry SET columns = 1000000000", "UPDATE geometry SET pixel_width = -1",
    "UPDATE geometry SET pixel_width = 9223372036854775807",
    "UPDATE geometry SET scale = 9e999", "UPDATE geometry SET block_size = 3",
    "PRAGMA foreign_keys = OFF; DELETE FROM geometry",
    "PRAGMA foreign_keys = OFF; DELETE FROM placement",
    "UPDATE placement SET list = ''", "UPDATE placement SET list = '[{}]'",
    "UPDATE placement SET list = '[' || list || ']'",
    "UPDATE placement SET list = '\(String(repeating: "[", count: 100_000))'",
    "UPDATE session SET tags = '{'", "UPDATE session SET tags = '{\"a\":1}'",
    "UPDATE session SET day = '2024-13-99'",
    "PRAGMA foreign_keys = OFF; UPDATE screen_view SET screen = CAST(x'ff' AS TEXT)",
  ])
  func `Rows with impossible values are reported as damage`(change: String) throws {
    try store.database.execute(change)
    let error = try failure { () throws(StoreError) in try store.session(1) }
    #expect(error.code == .damaged, "\(error)")
  }

  /// Queries return such totals unchanged, but they are not added to any sum.
  @Test func `A session whose totals do not add up is not rolled up`() throws {
    try store.database.execute(
      "PRAGMA ignore_check_constraints = ON; UPDATE session SET counted = counted + 1")
    #expect(try store.sessions(in: .always).map(\.record.totals.counted) == [6])
    let error = try failure { () throws(StoreError) in try store.rollUp(today: later) }
    #expect(error.code == .damaged && error.description.contains("do not add up"), "\(error)")
    #expect(try store.days(in: .always).map { $0.totals?.counted } == [6])
    #expect(try store.sessions(in: .always).map(\.isRolledUp) == [false])
  }

  /// Before the month has ended, the answer comes from the days.
  @Test(
    arguments: [
      "sum = x'00'", "square = x'00'", "touched = x'00'", "sum_bytes = 8", "square_bytes = 16",
      "touched_bytes = 4",
    ], ["2024-05-31", "2024-06-01"])
  func `Damaged sums of a day or a month give an error that names it`(
    change: String, today: String
  ) throws {
    let (table, period) =
      today == "2024-05-31" ? ("daily", "2024-05-01") : ("monthly", "2024-05")
    try store.rollUp(today: #require(Day(today)))
    try store.database.execute("UPDATE \(table) SET \(change)")
    let error = try failure { () throws(StoreError) in
      try store.grids(screen: nil, layer: .taps, in: .always)
    }
    #expect(error.code == .damaged)
    #expect(error.message.contains("\(table) of \(period),"))
    #expect(error.message.contains("menu"))
  }
}
