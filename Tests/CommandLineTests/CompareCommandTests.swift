import TestSupport
import Testing
import Text
import TouchModel

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

  @Test func `Two builds are compared in 80 columns, and as JSON`() throws {
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
    let json = try run("build=1.3", "build=1.4", "--json").json
    #expect(json["format"] == "touchgrid-comparison" && json["direction"] == "B minus A")
    let menu = try #require(json["screens"]?.elements?.first)
    #expect(menu["compared"]?.digits == "3" && menu["verdicts"]?["untouched"]?.digits == "56")
    let block = try #require(menu["blocks"]?.elements?[12])
    #expect(block["verdict"] == "more" && block["difference"]?.digits == "1.45")
    for (member, value) in [
      ("standardError", 0.2120106426), ("degreesOfFreedom", 30.4906892057),
      ("q", 3.7812406400e-07), ("low", 1.0173085110), ("sumB", 39),
    ] {
      let found = try #require(block[member]?.digits.flatMap { Double($0) })
      #expect(abs(found / value - 1) < 1e-9, "\(member)")
    }
  }

  /// A button lies on four blocks, each of which six sessions touched.
  @Test func `Rarely touched blocks are compared together`() throws {
    let menu = SampleStore.key("menu", try geometry())
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
    #expect(csv[61].hasPrefix("menu,taps,4,2,64,32,96,64,more,24,24,8,40,"))
    #expect(csv[61].hasSuffix(",HDMI-A-1,160x96,32,4,0"))
    let json = try run("--json").text
    #expect(
      json.contains(
        #""merged":[{"size":32,"column":4,"row":2,"blocks":[[4,2],[5,2],[4,3],[5,3]],"#
          + #""verdict":"more","sumA":8,"sumB":40,"touchedSessionsA":4,"touchedSessionsB":20,"#))
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
    let both = try run("2026-11-01", "2026-11-15", "menu", "--weekdays", "sun", "--hours", "6-4")
    #expect(
      both.text.hasPrefix("A: 2026-11-01 00:00 to 2026-11-01 23:59, Sun, 06:00 to 03:59\n"))
  }

  @Test func `Without differences, the output says how small a difference it would find`() throws {
    let result = try run("site=north", "site=south", "menu", "--geometry", "160x96")
    #expect(result.status == 0)
    #expect(result.text.contains("All differences in the 3 blocks compared may be due to chance"))
    #expect(result.text.contains("In a typical block, this comparison finds a difference of "))
    #expect(!result.text.contains("BLOCK"))
  }

  @Test func `A side with too few sessions is reported`() throws {
    let few = try run("2026-11-01T04:00..2026-11-01T04:30", "2026-11-15..2026-11-16", "menu")
    #expect(few.text.contains("Nothing can be compared: each side needs at least two sessions."))
  }

  @Test func `Errors say what to do`() throws {
    for (arguments, message) in [
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
    ] {
      let result = try Program.run(["compare"] + arguments + ["--store", store], in: folder)
      #expect(result.status != 0 && result.text == "")
      #expect(result.error.contains(message), "\(result.error)")
    }
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
  }
}
