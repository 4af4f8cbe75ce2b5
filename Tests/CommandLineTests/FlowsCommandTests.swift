import Storage
import TestSupport
import Testing
import TouchModel
import TouchgridAPI
import Varlink

@testable import TouchgridCommands

/// `touchgrid flows`, and changes of screens in the report and the export, with a store.
@Suite struct FlowsCommandTests {
  private let folder: TemporaryFolder
  private let store: String

  /// Makes a store of 10 sessions of one day: all begin on `home`, 6 go on to `menu`, 2 to `help`.
  init() throws {
    folder = try TemporaryFolder()
    let key = SampleStore.key(
      "home", try #require(DisplayGeometry(pixelWidth: 640, pixelHeight: 480)))
    let funnel = Funnel(name: "order", screens: ["home", "menu"])
    let records = (1...10).map { number -> SessionRecord in
      var record = SampleStore.session(
        Int64(number), after: Int64(number), tags: [:], [key: [Block(column: 15, row: 4): 10]])
      var home = ScreenFlow(display: "HDMI-A-1", screen: "home")
      (home.sessions, home.entries) = (1, 1)
      home.pauses[6] = 3
      var flow = FlowCounts(
        sessions: 1, screens: [], steps: [],
        funnels: [FunnelCounts(funnel, reached: [1, number <= 6 ? 1 : 0])])
      if number <= 8 {
        var next = ScreenFlow(display: "HDMI-A-1", screen: number <= 6 ? "menu" : "help")
        (next.sessions, next.visits, next.exits) = (1, 1, [1, 0, 0, 0, 0])
        next.firstTouches[number % 3 == 0 ? 24 : 9] = 1
        flow.screens.append(next)
        flow.steps.append(
          FlowStep(
            display: "HDMI-A-1", from: "home", to: next.screen, times: 1, sessions: 1))
      } else {
        home.exits = [0, 0, 1, 0, 0]
        home.oneTouchSessions = 1
      }
      flow.screens.append(home)
      record.dayCounts = flow.ofSession
      return record
    }
    store = try SampleStore.make(records, in: folder)
  }

  private func run(_ arguments: String...) throws -> Program.Result {
    try Program.run(arguments + ["--store", store], in: folder)
  }

  @Test func `The table has what people did, and funnels below`() throws {
    let result = try run("flows")
    #expect(
      result.text == """
        10 sessions
        SCREEN  SEEN  FIRST   NEXT  NONE   LEFT  THEN
        home      10      -  1.2 s     -   20 %  menu 60 %
        menu       6  3.4 s      -  33 %  100 %
        help       2  3.4 s      -   0 %  100 %
        1 change that fewer than 5 sessions made is not shown.

        FUNNEL order  SESSIONS  OF ALL  OF BEFORE
        home                10   100 %
        menu                 6    60 %       60 %

        """, "\(result.text)")
    #expect(result.status == 0)
  }

  @Test func `Numbers of a daemon that cannot be are refused`() throws {
    let replies = [(.max, true), (-1, false)].map { (hidden: Int64, continues: Bool) in
      EncodedReply(API.GetCounts.Reply(counts: [], hidden: hidden), continues: continues)
    }
    let daemon = try StubDaemon(in: folder, ["GetCounts": .replies(replies)])
    let result = try Program.run(["flows", "--json", "--socket", daemon.path], in: folder)
    #expect(result.status == 1 && result.error.contains("invalid counts"))
  }

  @Test func `JSON and CSV have the same figures`() throws {
    let json = try run("flows", "--json").text
    #expect(
      json.hasPrefix(
        #"{"format":"touchgrid-flows","version":1,"of":{"since":null,"until":null},"sessions":10,"#)
    )
    #expect(json.contains("\"hiddenSteps\":1,\"funnels\":[{\"name\":\"order\","), "\(json)")
    #expect(try run("flows", "-o", folder.path("flows.csv")).status == 0)
    #expect(
      try folder.text("flows.csv") == """
        display,from,to,times,sessions
        HDMI-A-1,,home,10,10
        HDMI-A-1,home,menu,6,6
        HDMI-A-1,home,,2,2
        HDMI-A-1,menu,,6,6
        HDMI-A-1,help,,2,2

        """)
  }

  @Test func `The output says which days it is about`() throws {
    let table = try run("flows", "--weekdays", "fri,sat").text
    #expect(table.hasPrefix("Selected: Fri, Sat\n10 sessions\n"), "\(table)")
  }

  @Test func `Wrong calls say what to do`() throws {
    let ending = try run("flows", "-o", "x.png")
    #expect(ending.status == 64 && ending.error.contains("does not end in .csv or .json"))
    let none = try run("flows", "--since", "2001-01-01", "--until", "2001-02-01")
    #expect(none.status == 0 && none.text.isEmpty && !none.error.isEmpty, "\(none.error)")
  }
}
