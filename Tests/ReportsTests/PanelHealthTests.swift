import Testing
import TouchModel

@testable import Reports

/// What is concluded from the days of a panel. `Benchmarks/panel` measures how often it is wrong.
@Suite struct PanelHealthTests {
  private var life = PanelLife()

  @Test mutating func `A good panel has no findings, and everything can be judged`() {
    life.live(150)
    #expect(life.findings.isEmpty && life.health.unjudged.isEmpty)
  }

  @Test(arguments: [nil, "2"])
  mutating func `A changed layout is no fault`(layout: String?) {
    life.live(40, layout: layout == nil ? nil : "1")
    life.live(40, layout: layout, offset: 0.7) { counts, day in
      // Other buttons, sliders, and a gallery that is swiped.
      for row in 0..<48 {
        for column in 0..<64 where (row / 6 + column / 8) % 2 == 0 {
          counts[column: column, row: row] = 0
        }
      }
      for line in 10..<40 {
        counts[.crossed, .vertical, line] = 400
        counts[.skipped, .vertical, line] = 4
      }
      if layout != nil {
        PanelLife.shake(6, &counts)
      }
    }
    #expect(life.findings.isEmpty)
  }

  @Test mutating func `Too little is said to be so`() {
    #expect(life.health.unjudged == PanelFinding.Kind.allCases)
    life.touches = 60
    life.live(9)
    #expect(life.health.unjudged == PanelFinding.Kind.allCases)
    life.live(6)
    #expect(!life.health.unjudged.contains(.silence) && life.health.unjudged.contains(.line))
    life.touches = 3000
    life.live(30)
    #expect(life.health.unjudged.isEmpty)
    // Nobody came for a month: what the panel would report is not known any more.
    life.live(30, sessions: 0)
    #expect(life.health.unjudged == [.jitter, .rate])
  }

  @Test mutating func `Lines are judged without a tag after enough swipes`() {
    life.touches = 300
    life.live(3, layout: nil)
    #expect(life.health.unjudged.contains(.line))
    life.live(2, layout: nil)
    #expect(!life.health.unjudged.contains(.line))
  }

  @Test mutating func `A drift of 2 mm in a month is found within 20 days, and usual later`()
    throws
  {
    life.live(40)
    for step in 0..<20 { life.live(1, offset: Double(step) / 15) }
    let finding = try #require(life.findings.first)
    #expect(finding.kind == .drift && finding.cause == .calibration)
    #expect(finding.text.contains("right"))
    life.live(50, offset: 2)
    #expect(life.findings.map(\.kind) == [.drift])
    life.live(20, offset: 2)
    #expect(life.findings.isEmpty)
  }

  @Test mutating func `Touches that move apart are a distortion`() {
    life.live(20)
    life.live(9, stretch: 1.5)
    #expect(life.findings.map(\.kind) == [.distortion])
    #expect(life.findings.map(\.cause) == [.calibration])
  }

  @Test mutating func `Half the report rate is found on the third day, and is no jitter`() throws {
    life.live(40)
    life.live(3) { counts, _ in
      PanelLife.slow(&counts)
      PanelLife.shake(16, &counts)
    }
    #expect(life.findings.map(\.kind) == [.rate])
    let finding = try #require(life.findings.first)
    #expect(finding.cause == .controller)
    // 6 deviations of a normal distribution, at least.
    #expect((18.0..<200).contains(finding.evidence))
  }

  @Test mutating func `A low report rate is found in three of the last five values`()
    throws
  {
    life.live(40)
    func isLow(_ day: Int) -> Bool { [0, 2, 4].contains(day) }
    func live(_ days: Range<Int>) {
      for day in days {
        life.live(1) { counts, _ in
          guard isLow(day) else { return }
          PanelLife.slow(&counts)
        }
      }
    }
    live(0..<4)
    #expect(life.findings.isEmpty)
    live(4..<5)
    #expect(life.findings.map(\.kind) == [.rate])
    #expect(life.findings.map(\.since) == [PanelLife.first + 40])
    live(5..<6)
    #expect(life.findings.isEmpty)
  }

  @Test mutating func `One slow value of the report rate hides no jitter`() {
    life.live(40)
    life.live(6) { counts, number in
      PanelLife.shake(10, &counts)
      guard number == 2 else { return }
      PanelLife.slow(&counts)
    }
    #expect(life.findings.map(\.kind) == [.jitter])
  }

  @Test mutating func `Jitter is found on the whole panel, and in one zone`() throws {
    var other = life
    life.live(40)
    life.live(3) { counts, _ in PanelLife.shake(5, &counts) }
    #expect(life.findings.map(\.cause) == [.power])
    other.live(55) { counts, day in
      for zone in 0..<48 { counts[restingReports: zone] = 200; counts[restingSquares: zone] *= 10 }
      counts[restingReports: 9] = 20_000
      counts[restingSquares: 9] = day < 50 ? 200_000_000 : 2_400_000_000
    }
    // A zone that most people touch dominates the whole panel.
    let finding = try #require(other.findings.first)
    #expect(other.findings.count == 1)
    #expect(finding.cause == .surface && finding.kind == .jitter && finding.zones == [9])
  }

  @Test mutating func `Jitter is compared across a day of two layouts, but not with another one`() {
    life.live(20)
    life.live(1, layout: nil)
    life.live(20)
    var other = life
    life.live(3) { counts, _ in PanelLife.shake(5, &counts) }
    #expect(life.findings.map(\.cause) == [.power])
    other.live(30, layout: "2") { counts, _ in PanelLife.shake(5, &counts) }
    #expect(other.findings.isEmpty)
  }

  @Test(arguments: [
    (PanelFinding.Cause.power, [20, 21, 22, 23, 0, 1, 2, 3]), (.sun, [15, 16]), (.water, [3]),
  ])
  mutating func `The hours of ghosts name their cause`(
    cause: PanelFinding.Cause, hours: [Int]
  ) throws {
    life.live(40)
    life.live(3) { counts, _ in for hour in hours { counts[shortIn: hour] = 60 } }
    let finding = try #require(life.findings.first)
    #expect(finding.kind == .ghosts && finding.cause == cause)
  }

  @Test(arguments: [false, true])
  mutating func `Ghosts at one place name the controller`(inSessions: Bool) {
    life.live(40)
    if !inSessions { life.strayGhosts = [PanelCell(column: 9, row: 9): 200] }
    life.live(3) { counts, _ in if inSessions { counts[ghostsIn: 4] = 200 } }
    #expect(life.findings.map(\.cause) == [.controller])
  }

  @Test mutating func `A silence is found after five usual days, and a holiday is none`() {
    life.live(60)
    life.live(4, sessions: 0)
    #expect(life.findings.isEmpty)
    life.live(10)
    life.live(7, sessions: 0)
    #expect(life.findings.map(\.kind) == [.silence])
  }

  @Test mutating func `Days that are missing are silent days`() {
    life.live(60)
    life.day += 12
    life.live(1)
    #expect(life.findings.isEmpty)
    life.day += 30
    life.live(1, sessions: 0)
    #expect(life.findings.map(\.kind) == [.silence])
  }

  @Test mutating func `Sessions that do not touch a panel that all of them touched are a silence`()
  {
    life.touched = 100
    life.live(30)
    life.touched = 0
    life.live(2) { counts, _ in counts = PanelCounts() }
    #expect(life.findings.map(\.kind) == [.silence])
  }

  @Test mutating func `A panel that few sessions touch is not expected to be touched`() {
    for day in 0..<150 {
      // 2 of 100 sessions in the mean, each with 60 contacts.
      life.touched = life.random.next() % 5
      let isUsed = life.touched != 0
      life.live(1) { counts, _ in if !isUsed { counts = PanelCounts() } }
      #expect(life.findings.isEmpty, "day \(day)")
    }
    life.touched = 0
    life.live(20) { counts, _ in counts = PanelCounts() }
    #expect(life.findings.map(\.kind) == [.silence])
  }

  @Test mutating func `The greatest counts that are believed end nothing`() {
    life.live(40) { counts, _ in
      counts = PanelCounts(
        numbers: counts.numbers.map { _ in PanelCounts.mostCounted })
    }
    life.live(1)
    #expect(life.health.day == life.day - 1)
  }
}
