import Storage
import TestSupport
import Testing
import TouchModel

@testable import TouchgridCommands

/// `touchgrid controls`, and controls in the report and the export, with a store.
@Suite struct ControlsCommandTests {
  private let folder: TemporaryFolder
  private let store: String

  /// Makes a store of 40 sessions of one day. On the screen `pay`, a flat button is missed at the
  /// top and at the bottom, one is tapped in rage, and nobody touches the third.
  init() throws {
    folder = try TemporaryFolder()
    let shape = try #require(DisplayGeometry(pixelWidth: 640, pixelHeight: 480))
    let key = SampleStore.key("=pay", shape)
    func control(_ name: String, _ y: Double, _ height: Double) throws -> TouchModel.Control {
      TouchModel.Control(
        name: name,
        rectangle: try #require(Rectangle(x: 200, y: y, width: 200, height: height)))
    }
    let set = try #require(
      ControlSet(
        [try control("flat", 50, 20), try control("=slow", 200, 80), try control("idle", 380, 80)],
        pointSize: 0.25))
    let records = (1...40).map { number -> SessionRecord in
      var record = SampleStore.session(
        Int64(number), after: Int64(number), tags: ["build": "\(number / 2 % 2)"],
        [key: [Block(column: 15, row: 4): 10]])
      var sums = set.controls.map { _ in ControlSums() }
      sums[0].hits.count = 4
      sums[0].nearMisses.count = 2
      sums[0].beside[2][0] = 1
      sums[0].beside[3][1] = 1
      sums[0].retried = 1
      (sums[0].sessions, sums[1].sessions) = (1, 1)
      sums[1].hits.count = 4
      if number % 2 == 0 {
        (sums[1].rageRuns, sums[1].rageTaps, sums[1].rageSessions) = (1, 4, 1)
      }
      record.changedCounts = [
        SubjectCounts(ControlCounts(key: key, set: set, numbers: sums.flatMap(\.numbers)))
      ]
      return record
    }
    store = try SampleStore.make(records, in: folder)
  }

  private func run(_ arguments: String...) throws -> Program.Result {
    try Program.run(arguments + ["--store", store], in: folder)
  }

  @Test func `The table has what to fix first at the top`() throws {
    let result = try run("controls")
    #expect(
      result.text == """
        =pay on HDMI-A-1: 3 controls, 40 sessions of 40 that showed the screen
        CONTROL  HITS  MISSED  HIT BY          WHAT TO CHANGE
        flat      160      80  67 % (60-73)    4 mm taller: 99 % or more
        =slow     160       0  100 % (98-100)  rage taps in 20 of 40 sessions
        idle        0       0  -               nobody touched it

        """, "\(result.text)")
    #expect(result.status == 0)
    #expect(try run("controls", "=pay", "--display", "HDMI-A-1").text == result.text)
  }

  @Test func `JSON and CSV have the same figures`() throws {
    let json = try run("controls", "--json").text
    let start = #"{"format":"touchgrid-controls","version":1,"of":"#
    #expect(json.hasPrefix(start + #"{"since":null,"until":null},"screens":["#))
    #expect(json.contains("\"name\":\"flat\",\"verdict\":\"missed\""))
    #expect(json.contains("\"hits\":160,\"nearMisses\":80,"))
    #expect(try run("controls", "-o", folder.path("controls.csv")).status == 0)
    let lines = try folder.text("controls.csv").split(separator: "\n")
    #expect(lines.count == 4 && lines[0].hasPrefix("screen,name,x,y,width,height,verdict,hits,"))
    #expect(lines[1].hasPrefix("=pay,flat,200,50,200,20,missed,160,80,80,40,"))
  }

  @Test func `The output says which sessions it is about`() throws {
    let choice = ["--weekdays", "sat", "--hours", "14-15", "--tag", "build=1"]
    let table = try Program.run(["controls", "--store", store] + choice, in: folder).text
    #expect(
      table.hasPrefix("Selected: build=1, Sat, 14:00 to 14:59\n=pay on HDMI-A-1: "), "\(table)")
    let selected =
      #""of":{"since":null,"until":null,"tags":{"build":"1"},"weekdays":[6],"#
      + #""hours":{"from":14,"until":15}},"screens":["#
    let region = ["controls", "=pay", "--region", "flat", "--json", "--store", store]
    let json = try Program.run(region + choice, in: folder)
    #expect(json.text.contains(selected), "\(json)")
    #expect(
      try run("controls", "--session", "3", "--json").text
        .contains(#","of":{"session":3},"screens":["#))
  }

  @Test func `Wrong calls say what to do`() throws {
    let ending = try run("controls", "-o", "x.png")
    #expect(ending.status == 64 && ending.error.contains("does not end in .csv or .json"))
    #expect(try run("controls", "--session", "1", "--since", "1d").status == 64)
    let gone = try run("controls", "--session", "99")
    #expect(gone.status == 1 && gone.error.contains("there is no session 99"))
    let none = try run("controls", "other")
    #expect(none.status == 1, "\(none.error)")
    #expect(none.error.contains("no such screen was shown; the screens are: "))
    #expect(none.error.contains("=pay"))
    #expect(
      try run("controls", "other", "--json").text.contains("\"screens\":[]"))
  }

  @Test func `A region of the map is an interval`() throws {
    // Each of 40 sessions has 10 touches in the block from 240,64 to 256,80.
    #expect(
      try run("controls", "=pay", "--region", "240,64,16,16").text
        == "=pay on HDMI-A-1, geometry 640x480: 400 touches in 40 sessions (10 a session)\n")
    #expect(
      try run("controls", "=pay", "--region", "241,64,16,16").text.contains(": 0 to 400 touches"))
    #expect(try run("controls", "=pay", "--region", "256.5,64,16,16").text.contains(": 0 touches"))
    let named = try run("controls", "=pay", "--region", "flat", "--json").text
    #expect(named.contains("\"least\":0,\"most\":400,\"meetsMask\":false"), "\(named)")
    let unknown = try run("controls", "=pay", "--region", "nothing")
    #expect(unknown.status == 1 && unknown.error.contains("nor a control of this screen"))
    #expect(unknown.error.contains("its controls are: ") && unknown.error.contains("flat"))
    #expect(try run("controls", "--region", "1,2,3,4").status == 64)
  }

  @Test func `Two builds compare controls first`() throws {
    let result = try run("compare", "build=0", "build=1")
    #expect(result.status == 0, "\(result.error)")
    #expect(
      result.text.contains(
        "Controls and gestures: all differences may be due to chance ("),
      "\(result.text)")
    let json = try run("compare", "build=0", "build=1", "--json").text
    #expect(json.contains("\"control\":\"flat\",\"measure\":\"hit\""))
  }

  @Test func `The report names what to change, and links to the screen`() throws {
    #expect(try run("report", "-o", folder.path("report.html")).status == 0)
    let text = try folder.text("report.html")
    #expect(text.contains("One in three touches meant for “flat” on “=pay” misses it"))
    #expect(text.contains("In 20 of 40 sessions people tapped “=slow” on “=pay” again and again."))
    #expect(text.contains("Nobody used “idle” on “=pay”, in 40 sessions."))
  }

  @Test func `The export has a line for each control of a day`() throws {
    #expect(try run("export", "-o", folder.path("export")).status == 0)
    let text = try folder.text("export/day=2026-11-21/controls.csv")
    let lines = text.split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
    let columns = Dictionary(uniqueKeysWithValues: lines[0].enumerated().map { ($1, $0) })
    #expect(lines.count == 4)
    func value(_ column: String) throws -> String { lines[1][try #require(columns[column])] }
    #expect(try value("control") == "flat" && value("hits") == "160")
    #expect(try value("near_misses") == "80" && value("beside_top_1") == "40")
    #expect(try value("beside_bottom_2") == "40" && value("set_sessions") == "40")
    let json = try folder.text("export/day=2026-11-21/controls.ndjson")
    #expect(json.contains("\"control\":\"=slow\"") && json.contains("\"rage_taps\":80"))
  }
}
