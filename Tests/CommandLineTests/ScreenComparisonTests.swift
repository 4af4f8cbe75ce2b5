import Heatmaps
import Reports
import Storage
import TestSupport
import Testing
import Text
import TouchModel

@testable import TouchgridCommands

@Suite struct ScreenComparisonTests {
  /// 10 x 6 blocks. B has more touches in the block at column 1, row 1, and fewer in the one at
  /// column 3, row 1.
  private func grids(maskedInB: [Rectangle] = []) throws -> (SummedGrid, SummedGrid) {
    let geometry = try geometry()
    func grid(
      _ counts: [Int: (sum: UInt64, squares: UInt128, touched: UInt64)], _ masks: [Rectangle]
    )
      -> SummedGrid
    {
      func values<Value>(_ zero: Value, _ part: ((UInt64, UInt128, UInt64)) -> Value) -> [Value] {
        (0..<60).map { counts[$0].map(part) ?? zero }
      }
      return SummedGrid(
        key: SampleStore.key("menu", geometry), layer: .taps, sessions: 50, days: 2,
        shownMilliseconds: 1, touches: 9, masks: masks, sum: Counters(values(0) { $0.0 }),
        sumOfSquares: values(0) { $0.1 }, touchedSessions: Counters(values(0) { $0.2 }))
    }
    let a = grid([11: (5, 5, 5), 13: (40, 60, 30), 20: (25, 35, 20), 30: (2, 2, 2)], [])
    let b = grid([11: (40, 60, 30), 13: (5, 5, 5), 20: (26, 36, 21)], maskedInB)
    return (a, b)
  }

  private func report(_ a: SummedGrid, _ b: SummedGrid) throws -> ComparisonReport {
    let now = WallTime(milliseconds: 0)
    return ComparisonReport(
      try ComparedSessions(.tags(["build": "1"]), span: .always, SessionFilter(), now: now).side,
      [a],
      try ComparedSessions(.tags(["build": "2"]), span: .always, SessionFilter(), now: now).side,
      [b],
      layer: .taps, level: 0.05)
  }

  @Test func `A block that is masked on either side is not compared`() throws {
    let corner = try #require(Rectangle(x: 20, y: 20, width: 4, height: 4))
    let (a, b) = try grids(maskedInB: [corner])
    let hidden = try report(a, b)
    let block = try #require(hidden.screens.first).blocks[11]
    #expect(block.finding.verdict == .masked && block.finding.test == nil)
    let json = hidden.json.text
    #expect(json.contains(#"{"column":1,"row":1,"verdict":"masked"}"#))
    let line = String(decoding: hidden.csv, as: UTF8.self).split(separator: "\n")[12]
    #expect(line == "menu,taps,1,1,16,16,32,32,masked,50,50,,,,,,,,,,HDMI-A-1,160x96,16,1,")
    #expect(try report(b, a).screens.first?.blocks[11].finding.verdict == .masked)
    let (open, shown) = try grids()
    #expect(try report(open, shown).screens.first?.blocks[11].finding.verdict == .more)
  }

  @Test func `A quotation mark with a combining mark is escaped in CSV`() throws {
    var (a, b) = try grids()
    a.key = GridKey(display: "D", screen: "a\"\u{301},b", geometry: a.key.geometry)
    b.key = a.key
    let lines = String(decoding: try report(a, b).csv, as: UTF8.self)
      .unicodeScalars.split(separator: "\n")
    #expect(lines.count == 61)
    for line in lines.dropFirst() {
      #expect(String(line).unicodeScalars.starts(with: "\"a\"\"\u{301},b\",taps,".unicodeScalars))
    }
  }

  @Test func `Impossible numbers do not crash the comparison`() throws {
    var (a, b) = try grids()
    a.touchedSessions[11] = .max
    b.touchedSessions[11] = .max
    #expect(try report(a, b).screens.first?.blocks[11].finding.verdict == .more)
  }

  @Test func `The map shows every verdict differently`() throws {
    let corner = try #require(Rectangle(x: 150, y: 0, width: 4, height: 4))
    let (a, b) = try grids(maskedInB: [corner])
    let report = try report(a, b)
    let screen = try #require(report.screens.first)
    #expect(screen.blocks.count { $0.finding.verdict == .masked } == 1)
    let sheet = DifferenceMap(screen, of: report, limit: nil).sheet
    func cell(_ column: Int, _ row: Int) -> MapSheet.Cell? {
      sheet.cells.first { $0.block == Block(column: column, row: row) }
    }
    let more = try #require(cell(1, 1))
    let less = try #require(cell(3, 1))
    let unclear = try #require(cell(0, 2))
    let few = try #require(cell(0, 3))
    // More touches are drawn red, fewer blue, and a difference that may be chance is pale.
    #expect(more.ink.colour.red > more.ink.colour.blue + 60)
    #expect(less.ink.colour.blue > less.ink.colour.red + 60)
    let channels = [unclear.ink.colour.red, unclear.ink.colour.green, unclear.ink.colour.blue]
    #expect(channels.allSatisfy { $0 > 200 })
    #expect(more.part == 1 && few.part < 0.5)
    #expect(sheet.contoured == [Block(column: 1, row: 1), Block(column: 3, row: 1)])
    // The contour is dark around light and dark blocks, because a light line would be invisible
    // beside pale blocks.
    let contour = try #require(sheet.contour?.colour)
    #expect([contour.red, contour.green, contour.blue].allSatisfy { $0 < 40 })
    #expect(sheet.masked == [Block(column: 9, row: 0)])
    #expect(cell(5, 5) == nil && cell(9, 0) == nil)
    #expect(sheet.bar?.ticks.contains { $0.part == 0.5 && $0.text == "0" } == true)
    let bar = try #require(sheet.bar)
    #expect(bar.inks.first?.colour == less.ink.colour && bar.inks.last?.colour == more.ink.colour)
  }

  @Test func `Without the sessions, rarely touched blocks are not merged, and the text says so`()
    throws
  {
    let (a, b) = try grids()
    let screen = try #require(try report(a, b).screens.first)
    #expect(screen.lacksSessions && screen.merged == [])
    #expect(Comparison.minimumTouchedSessions <= GridQuery.mostSessionCounts)
    #expect(
      screen.summary.contains(
        "Rarely touched blocks were not merged: not all single sessions of A and B are known."))
    var (wholeA, wholeB) = (a, b)
    (wholeA.sessionCounts, wholeB.sessionCounts) = ([], [])
    let whole = try #require(try report(wholeA, wholeB).screens.first)
    #expect(!whole.lacksSessions && !whole.summary.joined().contains("merged"))
  }

  @Test func `Colour terminals get colours`() throws {
    let (a, b) = try grids()
    let screen = try #require(try report(a, b).screens.first)
    let full = ComparisonMap(screen, colours: .full, width: 80).lines.joined(separator: "\n")
    let colours = DivergingColours.colour(at: 0.8)
    #expect(full.contains("38;2;\(colours.red);\(colours.green);\(colours.blue)m"))
    #expect(full.contains("▀") || full.contains("▄"))
  }

  @Test func `Sides are parsed as tags, spans and days`() throws {
    #expect(ComparedSide(argument: "build=1.4,site=a") == .tags(["build": "1.4", "site": "a"]))
    #expect(ComparedSide(argument: "14d..7d") == .span(from: .daysAgo(14), to: .daysAgo(7)))
    #expect(ComparedSide(argument: "7d..") == .span(from: .daysAgo(7), to: nil))
    #expect(ComparedSide(argument: "..7d") == .span(from: nil, to: .daysAgo(7)))
    let day = LocalTime(year: 2026, month: 10, day: 1)
    #expect(ComparedSide(argument: "2026-10-01") == .span(from: .day(day), to: .day(day)))
    for wrong in ["", "..", "7d", "=1", "a=1,", "a=1,a=2", "a..b", "1d..2d..3d"] {
      #expect(ComparedSide(argument: wrong) == nil, "\(wrong)")
    }
  }
}
