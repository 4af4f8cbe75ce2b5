import Glibc
import TestSupport
import Testing
import TouchModel

@testable import Storage

/// Runs the programs in docs/store.md unchanged.
@Suite final class DocumentTests: StoreSuite {
  private func programs() throws -> [String] { try Project.programs("docs/store.md") }

  /// Returns the lines of the program's output. Without NumPy the test fails instead of being
  /// skipped.
  private func lines(_ program: String, _ folder: TemporaryFolder) throws -> [String] {
    let numpy = try run("python3 -c 'import numpy'")
    try #require(
      numpy.status == 0,
      "NumPy is needed for this test: apt install python3-numpy (\(numpy.output))")
    try write(program.utf8, to: folder.file("program.py"))
    let output = try run("python3 '\(folder.path)/program.py' '\(folder.file())'")
    #expect(output.status == 0, "\(output.output)")
    return output.output.split(separator: "\n").map(String.init)
  }

  private func fill(_ store: Store) throws {
    let views = [try key("menu", geometry(100, 70)), try key("pay", geometry(64, 48))]
    let values: [UInt64] = [1, 255, 256, 65_536, 1 << 33]
    for (index, value) in values.enumerated() {
      var session = try record(Int64(index + 1), taps: [0: 1, 5: value], views[index % 2])
      session.changedGrids.append(
        Grid(key: views[index % 2], layer: .dwell, counters: counters(views[index % 2], [3: value]))
      )
      try store.write(session)
    }
  }

  private func rows(_ values: [String], _ columns: Int) -> String {
    let rows = stride(from: 0, to: values.count, by: columns).map {
      "[" + values[$0..<$0 + columns].joined(separator: ", ") + "]"
    }
    return "[" + rows.joined(separator: ", ") + "]"
  }

  @Test func `The first program reads every grid as the store does`() throws {
    try fill(store)
    // Keep the store open while the program runs, as a daemon does.
    var expected: [String] = []
    for id in 1...5 {
      for grid in try #require(try store.session(Int64(id))).record.changedGrids {
        let cells = (0..<grid.counters.count).map { String(grid.counters[$0]) }
        expected.append(
          "\(id) \(grid.key.screen) \(grid.layer.rawValue) "
            + rows(cells, grid.key.geometry.columns))
      }
    }
    let program = try #require(programs().first)
    #expect(try lines(program, folder) == expected)
    #expect(expected.count == 10)
  }

  @Test func `The second program computes the same means and variances as the store`() throws {
    try fill(store)
    var expected: [String: SummedGrid] = [:]
    for layer in [Layer.dwell, .taps] {
      for summary in try store.grids(screen: nil, layer: layer, in: .always) {
        expected["2024-05-01 \(summary.key.screen) \(layer.rawValue) \(summary.sessions)"] = summary
      }
    }
    #expect(expected.count == 4)
    try store.rollUp(today: #require(Day("2024-05-02")))
    #expect(try store.database.integer("SELECT max(square_bytes) FROM daily") == 16)
    let programs = try programs()
    try #require(programs.count == 4)
    let lines = try lines(programs[1], folder)
    #expect(lines.count == 4)
    for line in lines {
      let words = line.split(separator: " ", maxSplits: 4).map(String.init)
      let summary = try #require(expected[words[0..<4].joined(separator: " ")])
      let numbers = words[4].split { !"0123456789.e+-".contains($0) }.compactMap { Double($0) }
      let count = summary.sum.count
      try #require(numbers.count == 2 * count)
      for index in 0..<count {
        let (mean, variance) = (summary.mean(at: index) ?? -1, summary.variance(at: index) ?? -1)
        #expect(abs(numbers[index] - mean) <= mean * 1e-12)
        #expect(abs(numbers[count + index] - variance) <= variance * 1e-9)
      }
    }
  }

  @Test func `The third program prints the same days as the store`() throws {
    try fill(store)
    try store.rollUp(today: #require(Day("2024-05-02")))
    let day = try #require(try store.days(in: .always).first)
    let hours = try #require(day.hours).map { String($0) }.joined(separator: ", ")
    let totals = try #require(day.totals)
    let program = try programs()[2]
    #expect(
      try lines(program, folder) == ["2024-05-01 5 \(totals.begun) \(totals.masked) [\(hours)]"])
  }

  @Test func `The fourth program computes the same sums of a month as the store`() throws {
    try fill(store)
    try store.write(record(6, began: mayFirst + dayLength, taps: [0: 300]))
    try store.rollUp(today: #require(Day("2024-06-01")))
    var expected: [String] = []
    for layer in Layer.allCases {
      for summary in try store.grids(screen: nil, layer: layer, in: .always)
      where !summary.sum.isZero {
        let cells = (0..<summary.sum.count).map { String(summary.sum[$0]) }
        expected.append(
          "2024-05 2 \(summary.key.screen) \(layer.rawValue) "
            + rows(cells, summary.key.geometry.columns))
      }
    }
    #expect(expected.count == 5)
    let program = try #require(programs().last)
    #expect(try lines(program, folder).sorted() == expected.sorted())
  }

  @Test func `The document names every table and column`() throws {
    let text = try Project.text("docs/store-format.md")
    try store.database.each(
      """
      SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c
      WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'
      """
    ) { row throws(StoreError) in
      let (table, column) = (try row.text(0), try row.text(1))
      #expect(text.contains("`\(table)`"), "\(table)")
      #expect(text.contains("`\(column)`"), "\(table).\(column)")
    }
  }
}
