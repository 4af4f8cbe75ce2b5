import Storage
import TestSupport
import Testing
import TouchModel
import TouchgridAPI
import Varlink

@testable import TouchgridCommands

/// `touchgrid gestures`, and gestures in the export, with a store.
@Suite struct GesturesCommandTests {
  private let folder: TemporaryFolder
  private let store: String

  /// Makes a store of 40 sessions of one day. All tap on the screen `=pay`, and a fourth swipes left.
  /// On the screen `menu` nobody does anything.
  init() throws {
    folder = try TemporaryFolder()
    let shape = try #require(DisplayGeometry(pixelWidth: 640, pixelHeight: 480))
    let (pay, menu) = (SampleStore.key("=pay", shape), SampleStore.key("menu", shape))
    let records = (1...40).map { number -> SessionRecord in
      var record = SampleStore.session(
        Int64(number), after: Int64(number), tags: ["build": "\(number / 2 % 2)"],
        [pay: [Block(column: 15, row: 4): 40], menu: [Block(column: 1, row: 1): 1]])
      var numbers = Array(repeating: Int64(0), count: 24)
      (numbers[0], numbers[1]) = (30, 1)
      if number % 4 == 0 { (numbers[6], numbers[7]) = (2, 1) }
      record.changedCounts = [pay, menu].map { key in
        let subject = CountSubject(kind: "gestures", key: Self.subject(of: key.screen))
        return SubjectCounts(
          subject, key == pay ? numbers : Array(repeating: 0, count: numbers.count))
      }
      return record
    }
    store = try SampleStore.make(records, in: folder)
  }

  /// As `docs/store-format.md` describes it.
  private static func subject(of screen: String) -> String {
    #"{"display":"HDMI-A-1","screen":"\#(screen)","pixels":[640,480],"scale":1,"rotation":0,"#
      + #""block_size":16}"#
  }

  private func run(_ arguments: String...) throws -> Program.Result {
    try Program.run(arguments + ["--store", store], in: folder)
  }

  @Test func `The table has the gestures that people made`() throws {
    let result = try run("gestures")
    #expect(
      result.text == """
        =pay on HDMI-A-1, geometry 640x480: 1,600 touches in 40 sessions
        GESTURE     TIMES  SESSIONS  OF ALL
        tap         1,200        40   100 %
        swipe left     20        10    25 %

        """, "\(result)")
    #expect(result.status == 0)
    #expect(try run("gestures", "=pay", "--display", "HDMI-A-1").text == result.text)
    let one = try run("gestures", "--session", "3").text
    #expect(one.contains("40 touches in 1 session\n") && !one.contains("swipe"), "\(one)")
  }

  @Test func `JSON and CSV have the same figures`() throws {
    let json = try run("gestures", "--json").text
    #expect(
      json.hasPrefix(
        #"{"format":"touchgrid-gestures","version":1,"of":{"since":null,"until":null},"screens":["#
          + #"{"screen":"=pay","display":"HDMI-A-1","geometry":{"#), "\(json)")
    #expect(
      json.contains(
        #""screenSessions":40,"screenTouches":1600,"gestures":["#
          + #"{"gesture":"tap","times":1200,"sessions":40},"#), "\(json)")
    #expect(json.contains(#"{"gesture":"swipeLeft","times":20,"sessions":10},"#))
    #expect(try run("gestures", "-o", folder.path("gestures.csv")).status == 0)
    let lines = try folder.text("gestures.csv").split(separator: "\n")
    #expect(lines.count == 13)
    #expect(lines[0] == "screen,gesture,times,sessions,display,geometry,screen_sessions")
    #expect(lines[4] == "=pay,swipeLeft,20,10,HDMI-A-1,640x480,40")
  }

  @Test func `The output says which sessions it is about`() throws {
    let table = try run("gestures", "--tag", "build=1").text
    #expect(table.hasPrefix("Selected: all days, build=1\n=pay on HDMI-A-1, "), "\(table)")
    #expect(
      try run("gestures", "--session", "3", "--json").text
        .contains(#","of":{"session":3},"screens":["#))
  }

  @Test func `Wrong calls say what to do`() throws {
    let ending = try run("gestures", "-o", "x.png")
    #expect(ending.status == 64 && ending.error.contains("does not end in .csv or .json"))
    #expect(try run("gestures", "--session", "1", "--since", "1d").status == 64)
    let gone = try run("gestures", "--session", "99")
    #expect(gone.status == 1 && gone.error.contains("there is no session 99"))
    let none = try run("gestures", "other")
    #expect(none.status == 1 && none.error.contains("no such screen was shown"), "\(none.error)")
    let idle = try run("gestures", "menu")
    #expect(idle.status == 0 && idle.text.isEmpty && idle.error.contains("no gesture was counted"))
    let past = try run("gestures", "--since", "2001-01-01", "--until", "2001-02-01")
    #expect(past.status == 0 && past.text.isEmpty && !past.error.isEmpty)
  }

  @Test func `A daemon that sends counts of another kind is refused`() throws {
    let counts = API.Counts(
      subject: #"["glass"]"#, sessions: 1, places: [0, 1], counts: [1, 1])
    let reply = EncodedReply(
      API.GetCounts.Reply(counts: [counts], hidden: 0), continues: false)
    let daemon = try StubDaemon(in: folder, ["GetCounts": .replies([reply])])
    let result = try Program.run(["gestures", "--socket", daemon.path], in: folder)
    #expect(result.status == 1 && result.error.contains("invalid counts of gestures"), "\(result)")
  }

  @Test func `The export has the numbers of a day`() throws {
    #expect(try run("export", "-o", folder.path("export")).status == 0)
    let lines = try folder.text("export/day=2026-11-21/counts.ndjson").split(separator: "\n")
    #expect(lines.count == 2)
    #expect(
      lines[0].hasSuffix(#","sessions":40,"places":[0,1,6,7],"counts":[1200,40,20,10]}"#)
        && lines[0].contains(#""kind":"gestures","subject":"{\"display\":\"HDMI-A-1\","#),
      "\(lines)")
  }
}
