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

  /// Makes a store of 40 sessions of one day. All tap on the screen `=pay`, and a fourth swipes the
  /// control `photo` to the left. On the screen `menu` nobody does anything.
  init() throws {
    folder = try TemporaryFolder()
    let shape = try #require(DisplayGeometry(pixelWidth: 640, pixelHeight: 480))
    let (pay, menu) = (SampleStore.key("=pay", shape), SampleStore.key("menu", shape))
    let records = (1...40).map { number -> SessionRecord in
      var record = SampleStore.session(
        Int64(number), after: Int64(number), tags: ["build": "\(number / 2 % 2)"],
        [pay: [Block(column: 15, row: 4): 40], menu: [Block(column: 1, row: 1): 1]])
      let zeros = Array(repeating: Int64(0), count: 4 * Gesture.allCases.count)
      var (all, photo) = (zeros, zeros)
      all.replaceSubrange(0..<2, with: [30, 1])
      if number % 4 == 0 {
        photo.replaceSubrange(12..<16, with: [2, 1, 1, 1])
        all.replaceSubrange(12..<16, with: photo[12..<16])
      }
      record.changedCounts = [
        (Self.subject(of: "=pay"), all), (Self.subject(of: "=pay", control: "photo"), photo),
        (Self.subject(of: "menu"), zeros),
      ].map { SubjectCounts(CountSubject(kind: "gestures", key: $0.0), $0.1) }
      return record
    }
    store = try SampleStore.make(records, in: folder)
  }

  /// As `docs/store-format.md` describes it.
  private static func subject(of screen: String, control: String? = nil) -> String {
    #"{"display":"HDMI-A-1","screen":"\#(screen)","pixels":[640,480],"scale":1,"rotation":0,"#
      + #""block_size":16\#(control.map { #","control":"\#($0)""# } ?? "")}"#
  }

  private func run(_ arguments: String...) throws -> Program.Result {
    try Program.run(arguments + ["--store", store], in: folder)
  }

  @Test func `The table has the gestures that people made`() throws {
    let result = try run("gestures")
    #expect(
      result.text == """
        =pay on HDMI-A-1, geometry 640x480: 1,600 touches in 40 sessions
        GESTURE     TIMES  SESSIONS  OF ALL  NO RESPONSE  BEGAN ON
        tap         1,200        40   100 %            -  anything
        swipe left     20        10    25 %     10 of 10  anything
        swipe left     20        10    25 %     10 of 10  photo

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
          + #"{"gesture":"tap","times":1200,"sessions":40,"observed":0,"unanswered":0},"#),
      "\(json)")
    let swipe = #"{"gesture":"swipeLeft","times":20,"sessions":10,"observed":10,"unanswered":10}"#
    let parts = json.split(separator: #""controls":[{"name":"photo","#)
    #expect(parts.map { $0.contains(swipe) } == [true, true])
    #expect(try run("gestures", "-o", folder.path("gestures.csv")).status == 0)
    let lines = try folder.text("gestures.csv").split(separator: "\n")
    let gestures = Gesture.allCases.count
    #expect(lines.count == 1 + 2 * gestures)
    #expect(
      lines[0] == "screen,gesture,times,sessions,display,geometry,screen_sessions,control,"
        + "observed,unanswered")
    #expect(lines[4] == "=pay,swipeLeft,20,10,HDMI-A-1,640x480,40,,10,10")
    #expect(lines[gestures + 4] == "=pay,swipeLeft,20,10,HDMI-A-1,640x480,40,photo,10,10")
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
    #expect(lines.count == 3)
    let pay = try #require(lines.first { $0.contains("=pay") && !$0.contains("photo") })
    #expect(
      pay.hasSuffix(
        #","sessions":40,"places":[0,1,12,13,14,15],"counts":[1200,40,20,10,10,10]}"#)
        && pay.contains(#""kind":"gestures","subject":"{\"display\":\"HDMI-A-1\","#), "\(lines)")
  }
}
