import FoundationEssentials
import Heatmaps
import Reports
import TestSupport
import Testing
import TouchModel

@testable import TouchgridCommands

/// `touchgrid compare`, on a store with known differences (`ComparedStore`).
@Suite struct CompareCommandTests {
  private let folder: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    store = try ComparedStore.make(in: folder)
  }

  private func run(_ arguments: String...) throws -> Program.Result {
    try Program.run(["compare"] + arguments + ["--store", store], in: folder)
  }

  @Test func `Two builds are compared in 80 columns`() throws {
    let result = try run("build=1.3", "build=1.4")
    #expect(result.error == "")
    #expect(
      result.text == """
        A: build=1.3
        B: build=1.4
        All differences are B minus A, in taps per session.

        menu on HDMI-A-1: 160 x 96 points, 10 x 6 blocks of 16
        A: 24 sessions on 2 days, 64 touches; B: 20 sessions on 1 day, 60 touches
        B against A, 3 blocks compared: 1 touched more often, 1 less often. Up to 5 % of
        these findings may be due to chance.
        Blocks not compared: 56 untouched, 1 touched by fewer than 10 sessions.
        BLOCK  AT POINT  BLOCKS  MEAN A  MEAN B    B-A    95 % INTERVAL        Q
        2,1    32,16          1     0.5    1.95  +1.45   +1.02 to +1.88  <0.0001
        7,4    112,64         1       1       0     -1  -1.39 to -0.613  <0.0001

        +----------+
        |  +       |
        |    o     |
        |.      -  |
        +----------+
        a cell is 2 blocks, 16 x 32 points
        + more in B  - less in B  o may be chance  . too few sessions

        only in A, not compared: checkout/pay on HDMI-A-1, geometry 160x96
        only in B, not compared: menu on HDMI-A-1, geometry 96x160

        """)
  }

  struct Document: Decodable {
    struct Screen: Decodable {
      struct Side: Decodable { var sessions: Int }
      struct Block: Decodable {
        var column: Int
        var row: Int
        var verdict: String
        var sumA: Int?
        var sumB: Int?
        var difference: Double?
        var low: Double?
        var high: Double?
        var standardError: Double?
        var welchStandardError: Double?
        var degreesOfFreedom: Double?
        var welchP: Double?
        var p: Double?
        var q: Double?
      }
      var screen: String
      var a: Side
      var b: Side
      var compared: Int
      var verdicts: [String: Int]
      var blocks: [Block]
    }
    var format: String
    var direction: String
    var screens: [Screen]
  }

  private func document(_ arguments: String...) throws -> Document {
    let result = try Program.run(
      ["compare"] + arguments + ["--store", store, "--json"], in: folder)
    try #require(result.status == 0, "\(result.error)")
    return try JSONDecoder().decode(Document.self, from: Data(result.output))
  }

  /// The expected numbers of three blocks, in the order of `own` in the next test. They were
  /// computed from the sessions' counts with NumPy 2.4 and SciPy 1.17. `ttest_ind(b, a,
  /// equal_var=False)` gives the degrees of freedom and welchP. The standard error is the larger of
  /// those with `equal_var=False` and with `equal_var=True`. p and the interval come from `t.sf`
  /// and `t.isf` with this standard error, q from `false_discovery_control`.
  private static let expected: [(Block, [Double])] = [
    (
      Block(column: 2, row: 1),
      [
        12, 39, 1.45, 1.0173085110160591, 1.8826914889839408, 0.21201064262393138,
        0.21201064262393138, 30.490689205716773, 1.2604135466729118e-07, 1.2604135466729118e-07,
        3.781240640018735e-07,
      ]
    ),
    (
      Block(column: 4, row: 2),
      [
        24, 19, -0.05, -0.5577459817333297, 0.4577459817333296, 0.25136531942478424,
        0.2511263718027198, 40.72684403906451, 0.8431729122425697, 0.8433199885169537,
        0.8433199885169537,
      ]
    ),
    (
      Block(column: 7, row: 4),
      [
        24, 0, -1, -1.3865713651052507, -0.6134286348947493, 0.1868706368604627,
        0.17025130615174972, 23, 5.495727567816969e-06, 1.95978271790791e-05,
        2.939674076861865e-05,
      ]
    ),
  ]

  @Test func `The numbers equal those of SciPy`() throws {
    let document = try document("build=1.3", "build=1.4")
    #expect(document.format == "touchgrid-comparison" && document.direction == "B minus A")
    let menu = try #require(document.screens.first)
    #expect(document.screens.count == 1 && menu.screen == "menu")
    #expect(menu.a.sessions == 24 && menu.b.sessions == 20 && menu.compared == 3)
    #expect(menu.blocks.count == 60)
    #expect(
      menu.verdicts == [
        "more": 1, "less": 1, "unclear": 1, "tooFew": 1, "merged": 0, "untouched": 56,
        "masked": 0,
      ])
    for (block, numbers) in Self.expected {
      let found = menu.blocks[block.row * 10 + block.column]
      #expect(found.column == block.column && found.row == block.row)
      let own: [Double?] = [
        found.sumA.map(Double.init), found.sumB.map(Double.init), found.difference, found.low,
        found.high, found.standardError, found.welchStandardError, found.degreesOfFreedom,
        found.welchP, found.p, found.q,
      ]
      for (value, number) in zip(own, numbers) {
        #expect(abs((value ?? .nan) - number) <= 1e-11 * abs(number), "\(block)")
      }
    }
  }

  /// A button lies on four blocks, each of which six sessions touched.
  @Test func `Rarely touched blocks are compared together`() throws {
    let menu = SampleStore.key("menu", try SampleStore.geometry())
    let button = [(4, 2), (5, 2), (4, 3), (5, 3)].map { Block(column: $0.0, row: $0.1) }
    let records = (0..<48).map { index in
      let isNew = index >= 24
      let touches = isNew ? index < 44 : index.isMultiple(of: 6)
      return SampleStore.session(
        Int64(index + 1), after: Int64(index - 600), tags: ["build": isNew ? "2" : "1"],
        [menu: touches ? [button[(isNew ? index : index / 6) % 4]: 2] : [:]])
    }
    let own = try TemporaryFolder()
    let path = try SampleStore.make(records, in: own)
    func run(_ arguments: String...) throws -> Program.Result {
      try Program.run(
        ["compare", "build=1", "build=2", "--store", path] + arguments, in: own)
    }
    let text = try run().text
    #expect(
      text.hasSuffix(
        """
        A: 24 sessions on 1 day, 8 touches; B: 24 sessions on 1 day, 40 touches
        B against A, 1 merged square compared: 1 touched more often, 0 less often. Up to
        5 % of these findings may be due to chance.
        4 rarely touched blocks are compared together, in 1 square of 32 x 32 points.
        Blocks not compared: 56 untouched.
        BLOCK  AT POINT  BLOCKS  MEAN A  MEAN B    B-A    95 % INTERVAL        Q
        4,2    64,32     4 of 4   0.333    1.67  +1.33  +0.891 to +1.78  <0.0001

        +----------+
        |          |
        |    ++    |
        |          |
        +----------+
        a cell is 2 blocks, 16 x 32 points
        + more in B

        """), "\(text)")
    let csv = try run("--format", "csv", "-o", "-").text.split(separator: "\n")
    #expect(csv.count == 62)
    #expect(csv[1 + 24].hasPrefix("menu,taps,4,2,64,32,80,48,merged,24,24,2,10,"))
    #expect(csv[61].hasPrefix("menu,taps,4,2,64,32,96,64,more,24,24,8,40,"))
    #expect(csv[61].hasSuffix(",HDMI-A-1,160x96,32,4,0"))
    let json = try run("--json").text
    #expect(
      json.contains(
        #""merged":[{"size":32,"column":4,"row":2,"blocks":[[4,2],[5,2],[4,3],[5,3]],"#
          + #""verdict":"more","sumA":8,"sumB":40,"touchedSessionsA":4,"touchedSessionsB":20,"#))
    #expect(json.contains(#"{"column":4,"row":2,"verdict":"merged","cell":0,"sumA":2,"sumB":10,"#))
    let svg = try run("--format", "svg", "-o", "-").text
    #expect(
      svg.contains(
        "column 5, row 3 with 3 other blocks of a square of 32 points: mean 0.333 in A, 1.67 in B"))
  }

  @Test func `Spans and tags that select the same sessions give the same result`() throws {
    let byTags = try run("build=1.3", "build=1.4", "--format", "csv", "-o", "-")
    let bySpans = try run(
      "2026-11-01..2026-11-02", "2026-11-15..2026-11-16", "--format", "csv", "-o", "-")
    #expect(byTags.status == 0 && byTags.output.count > 1000)
    #expect(byTags.output == bySpans.output)
    // Side A is a single day, and `--tag` filters both sides.
    let day = try run("2026-11-01", "2026-11-15..", "menu", "--tag", "site=north")
    #expect(day.text.hasPrefix("A: site=north, 2026-11-01 00:00 to 2026-11-01 23:59\n"))
    // So do `--weekdays` and `--hours`.
    let part = try run(
      "build=1.3", "build=1.4", "menu", "--json", "--weekdays", "sun", "--hours", "6-4")
    #expect(
      part.text.contains(#""tags":{"build":"1.4"},"weekdays":[7],"hours":{"from":6,"until":4}"#))
    let both = try run("2026-11-01", "2026-11-15", "menu", "--weekdays", "sun", "--hours", "6-4")
    #expect(
      both.text.hasPrefix("A: 2026-11-01 00:00 to 2026-11-01 23:59, Sun, 06:00 to 03:59\n"))
  }

  @Test func `Swapping the sides reverses the differences`() throws {
    let document = try document("build=1.4", "build=1.3")
    let blocks = try #require(document.screens.first).blocks
    #expect(blocks[12].verdict == "less" && blocks[47].verdict == "more")
    #expect(blocks[12].difference == -1.45)
  }

  @Test func `Without differences, the output says how small a difference it would find`() throws {
    let result = try run("site=north", "site=south", "menu", "--geometry", "160x96")
    #expect(result.status == 0)
    #expect(result.text.contains("All differences in the 3 blocks compared may be due to chance"))
    #expect(result.text.contains("In a typical block, this comparison finds a difference of "))
    #expect(!result.text.contains("BLOCK"))
  }

  @Test func `A side with too few sessions is reported`() throws {
    let result = try run("2026-11-01T04:00..2026-11-01T04:30", "build=1.4")
    #expect(result.status == 64)
    let few = try run("2026-11-01T04:00..2026-11-01T04:30", "2026-11-15..2026-11-16", "menu")
    #expect(few.text.contains("Nothing can be compared: each side needs at least two sessions."))
  }

  @Test(arguments: [
    (["build=1.3", "build=1.5"], "side B has no sessions (build=1.5)"),
    (["2025-01-01", "2026-11-15.."], "side A has no sessions (2025-01-01 00:00 to"),
    (["2026-11-01..2026-11-16", "2026-11-15.."], "A and B overlap (2026-11-15 00:00 to"),
    (["build=1.3", "build=1.3"], "A and B are the same sessions (build=1.3)"),
    (["build=1.3", "site=north"], "12 sessions (build=1.3, site=north) would be in A and in B"),
    (["7d..", "build=1.3"], "Give two spans, such as"),
    (["2026-11-16..2026-11-15", "2026-11-20.."], "is empty: it must end later than it begins"),
    (
      ["build=1.3", "build=1.4", "pay"],
      "side A (build=1.3) has no such screen, display or geometry; it has:\n  checkout/pay"
    ),
    (
      ["build=1.3", "build=1.4", "--tag", "build=1.4"], "the tag build is given with two values"
    ),
    (["build=1.3", "build=1.4", "--level", "0"], "--level takes a percentage"),
    (["14d..7d", "7d..", "--since", "3d"], "--since and --until cannot be combined with spans"),
    (["build=1.3", "build=1.4", "-o", "x.gif"], "'x.gif' does not end in .png, .svg"),
    (["build=1.3", "build=1.4", "--bare"], "--bare requires a picture"),
    (["build=1.3,build=1.4", "7d.."], "build=1.3,build=1.4"),
    (["..", "7d.."], "'..'"),
  ])
  func `Errors say what to do`(arguments: [String], message: String) throws {
    let result = try Program.run(["compare"] + arguments + ["--store", store], in: folder)
    #expect(result.status != 0 && result.text == "")
    #expect(result.error.contains(message), "\(result.error)")
  }

  @Test func `Screens of different geometries are not compared`() throws {
    let result = try run("2026-11-01", "2026-11-15..2026-11-16", "--geometry", "160x96")
    #expect(result.text.contains("only in A, not compared: checkout/pay"))
    #expect(!result.text.contains("96x160"))
    // Build 1.3 has one geometry; the last session of 1.4 has another one too.
    let none = try run("build=1.3", "build=1.4", "--geometry", "96x160")
    #expect(none.status == 1)
    #expect(
      none.error.contains("side A (build=1.3) has no such screen, display or geometry; it has:\n"))
  }

  @Test func `Pictures describe both sides`() throws {
    let svg = try run("build=1.3", "build=1.4", "-o", "-", "--format", "svg").text
    #expect(svg.contains("menu: B minus A, taps per session"))
    #expect(svg.contains("A: build=1.3; n = 24 sessions on 2 days, 64 touches"))
    #expect(svg.contains("touchgrid-difference"))
    #expect(
      svg.contains(
        "column 2, row 1: mean 0.5 in A, 1.95 in B; difference +1.45, 95 % interval +1.02 to +1.88")
    )
    for ending in ["png", "pdf", "svg"] {
      let path = folder.path("difference.\(ending)")
      let result = try run("build=1.3", "build=1.4", "-o", path)
      #expect(result.status == 0 && result.text == "", "\(result.error)")
      let again = try run("build=1.3", "build=1.4", "-o", path)
      #expect(again.status == 0)
      #expect(try TemporaryFolder.contents(path).count > 1000)
    }
  }
}
