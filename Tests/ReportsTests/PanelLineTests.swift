import Testing
import TouchModel

@testable import Reports

@Suite struct PanelLineTests {
  private var life = PanelLife()

  @Test mutating func `A line that swipes skip is found, and forgotten after it was repaired`()
    throws
  {
    life.live(30)
    life.live(3) { counts, _ in counts[.skipped, .vertical, 20] = 40 }
    let finding = try #require(life.findings.first)
    #expect(finding.kind == .line && finding.cause == .deadLine)
    #expect(finding.direction == .vertical && finding.lines == 20...20)
    #expect(finding.since == PanelLife.first + 30)
    #expect(
      finding.text
        == "Since 2024-11-03, the panel senses badly at 100-105 mm of the 320 mm of its x axis: 120 "
        + "of 150 swipes across it jumped over it. An electrode or its connection is broken.")
    life.live(30)
    #expect(life.findings.isEmpty)
  }

  @Test mutating func `What a broken line does never becomes usual`() {
    life.live(30)
    life.live(120) { counts, _ in
      counts[.skipped, .vertical, 20] = 15
      counts[.pairs, .horizontal, 7] = 30
    }
    #expect(life.findings.count == 2)
    #expect(Set(life.findings.map(\.cause)) == [.deadLine, .splitLine])
  }

  @Test mutating func `One bad day is no broken line`() {
    life.live(30)
    life.live(1) { counts, _ in counts[.skipped, .vertical, 20] = 50 }
    life.live(1) { counts, _ in
      for line in 0..<48 { counts[.skipped, .horizontal, line] = 30 }
    }
    #expect(life.findings.isEmpty)
  }

  @Test mutating func `Fingers that become two contacts on a line name a line that splits`() throws
  {
    life.live(30)
    life.live(4) { counts, _ in counts[.pairs, .horizontal, 7] = 30 }
    let finding = try #require(life.findings.first)
    #expect(finding.kind == .line && finding.cause == .splitLine)
    #expect(finding.direction == .horizontal && finding.lines == 7...7)
  }

  @Test mutating func `Two fingers all over the panel are no broken line`() {
    life.live(30)
    life.live(10) { counts, _ in
      for line in 0..<48 { counts[.pairs, .horizontal, line] = 3 }
    }
    #expect(life.findings.isEmpty)
  }

  @Test(arguments: [false, true])
  mutating func `A line that few touches begin in is found if the layout stays the same`(
    closesOnSundays: Bool
  ) throws {
    for _ in 0..<5 {
      life.live(6)
      // Nothing tells the layout on a day without sessions.
      if closesOnSundays { life.live(1, sessions: 0) }
    }
    life.live(4) { counts, _ in PanelLife.thin(21...21, &counts) }
    let finding = try #require(life.findings.first)
    #expect(finding.kind == .line && finding.cause == .deadLine)
    #expect(finding.direction == .horizontal && finding.lines == 21...21)
  }

  @Test mutating func `A day of two layouts is left out`() {
    life.live(20)
    life.live(1, layout: nil) { counts, _ in PanelLife.empty(0...40, &counts) }
    life.live(10)
    life.live(4) { counts, _ in PanelLife.thin(21...21, &counts) }
    #expect(life.findings.map(\.lines) == [21...21])
    life.live(7, layout: nil) { counts, _ in PanelLife.thin(21...21, &counts) }
    #expect(life.findings.count == 1)
    life.live(1, layout: nil) { counts, _ in PanelLife.thin(21...21, &counts) }
    #expect(life.findings.isEmpty)
  }

  @Test mutating func `A band without touches is named as one, with all its lines`() throws {
    life.live(30)
    life.live(7) { counts, _ in PanelLife.empty(20...25, &counts) }
    let finding = try #require(life.findings.first)
    #expect(finding.cause == .deadBand && finding.lines == 20...25)
    #expect(finding.text.contains("crack"))
  }

  @Test
  mutating func `A line whose touches are reported beside it is found, though no swipe skips it`()
    throws
  {
    life.live(30)
    life.live(4) { counts, _ in
      for column in 0..<64 where column % 9 < 4 {
        let count = counts[column: column, row: 21]
        counts[column: column, row: column % 2 == 0 ? 20 : 22] += count
        counts[column: column, row: 21] = 0
      }
    }
    let finding = try #require(life.findings.first)
    #expect(life.findings.count == 1)
    #expect(finding.cause == .deadLine && finding.lines == 21...21)
  }

  @Test(arguments: [false, true])
  mutating func `Touches that change elsewhere are a layout, unless swipes end at a dead band`(
    crossesBand: Bool
  ) {
    life.live(30)
    life.live(7) { counts, _ in
      PanelLife.empty(20...25, &counts)
      if crossesBand {
        for row in 20...25 { counts[.crossed, .horizontal, row] = 50 }
      }
      for row in 0..<48 {
        counts[column: 50, row: row] += 4 * counts[column: 30, row: row]
        counts[column: 30, row: row] = 0
      }
    }
    #expect(life.findings.map(\.cause) == (crossesBand ? [] : [.deadBand]))
  }

  @Test mutating func `A fault that comes a week after a dead band is found, too`() {
    life.live(30)
    life.live(7) { counts, _ in PanelLife.empty(20...25, &counts) }
    life.live(14) { counts, _ in
      PanelLife.empty(20...25, &counts)
      for row in 0..<48 { counts[column: 40, row: row] = 0 }
    }
    #expect(Set(life.findings.map(\.direction)) == [.vertical, .horizontal])
  }

  @Test mutating func `A new layout with a gap that nobody ever crossed is no dead band`() {
    func gap(_ counts: inout PanelCounts) {
      for row in 20...25 { counts[.crossed, .horizontal, row] = 0 }
    }
    life.live(30) { counts, _ in gap(&counts) }
    life.live(7) { counts, _ in
      PanelLife.empty(20...25, &counts)
      for row in 0..<48 {
        counts[column: 50, row: row] += 4 * counts[column: 30, row: row]
        counts[column: 30, row: row] = 0
      }
    }
    #expect(life.findings.isEmpty)
  }

  @Test(arguments: [nil, "2"])
  mutating func `Few touches in a line after a change of the layout are no finding`(
    layout: String?
  ) {
    life.live(30, layout: layout == nil ? nil : "1")
    life.live(30, layout: layout) { counts, _ in PanelLife.thin(21...21, &counts) }
    #expect(life.findings.isEmpty)
  }

  @Test mutating func `Touches that move from one place to another are a layout`() {
    life.live(30)
    life.live(30) { counts, _ in Self.move(&counts) }
    #expect(life.findings.isEmpty)
  }

  /// Moves touches to another place. People still swipe as before.
  private static func move(_ counts: inout PanelCounts) {
    PanelLife.thin(10...12, &counts)
    for row in 10...12 { counts[.crossed, .horizontal, row] = counts[.crossed, .horizontal, 0] }
    for row in 35...37 { for column in 0..<64 { counts[column: column, row: row] += 2 } }
  }

  @Test mutating func `Only another tag ends what was found before touches moved`() {
    life.live(30)
    life.live(10) { counts, _ in PanelLife.empty(21...21, &counts) }
    life.live(10) { counts, _ in
      Self.move(&counts)
      PanelLife.empty(21...21, &counts)
    }
    #expect(life.findings.map(\.lines) == [21...21])
    life.live(1, layout: "2") { counts, _ in PanelLife.empty(21...21, &counts) }
    #expect(life.findings.isEmpty)
  }

  @Test func `The lower tail of the hypergeometric distribution is exact`() {
    // 5 of 50 touches are in the line; 10 are drawn, none of them from the line.
    #expect(abs(CountTest.logLower(part: 0, drawn: 10, line: 5, all: 50) - -1.169_369) < 1e-5)
    #expect(abs(CountTest.logLower(part: 5, drawn: 10, line: 5, all: 50)) < 1e-9)
  }
}
