import FoundationEssentials
import Storage
import TestSupport
import Testing
import Text
import TouchModel
import TouchgridAPI
import Varlink

@testable import TouchgridCommands

@Suite final class PanelCommandTests: FolderSuite {
  private func run(_ arguments: String...) throws -> Program.Result {
    try Program.run(["panel"] + arguments, in: folder)
  }

  private func json(_ result: Program.Result) throws -> JSONValue {
    let value = try JSONValue(parsing: result.text)
    return try #require(value["panels"]?.elements?.first)
  }

  @Test func `A dead line has a place, a day, a remedy and exit status 1`() throws {
    let store = try PanelStore.make(days: 40, broken: 4, in: folder)
    let result = try run("--store", store)
    #expect(result.status == 1 && result.error == "")
    let lines = result.text.split(separator: "\n").map(String.init)
    #expect(lines[0] == "usb-1: 1 fault found")
    // The panel lies upside down, so its line 23 is the 41st from the left.
    #expect(
      lines[1].hasPrefix("  fault       Vertical line 41 of 64, 200 to 205 mm from the left edge,"))
    #expect(result.text.contains("Since 2026-11-18"))
    for name in ["why", "how sure", "what to do", "judged by", "not known"] {
      #expect(lines.contains { $0.hasPrefix("  \(name)  ") }, "\(name)")
    }
    #expect(lines.allSatisfy { textWidth($0) <= 80 })
    #expect(try run("status", "--store", store).text == result.text)
  }

  @Test func `A panel without a fault gives exit status 0, also after few days`() throws {
    let store = try PanelStore.make(days: 30, in: folder)
    let good = try run("--store", store)
    #expect(good.status == 0 && good.text.hasPrefix("usb-1: no fault found in 30 days\n"))
    let early = try run("--store", store, "--since", "2026-11-17")
    #expect(early.status == 0)
    let words = early.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words.hasPrefix("usb-1: no fault found in 5 days; to find each kind takes 23 more days"))
  }

  @Test func `A test that cannot be done is no broken limit`() throws {
    #expect(try run("test", "--device", "no such panel").status == 3)
    #expect(try run("test", "--size", "wide").status == 64)
  }

  @Test func `Ghosts while nobody is there are a fault of their panel`() throws {
    let path = try PanelStore.make(days: 40, in: folder)
    let ghosts = [
      GhostTally(device: "usb-1", x: 1, y: 2, periodMilliseconds: 12_864, touches: 3000)
    ]
    func add(_ ghosts: [GhostTally]) throws {
      for day in ["2026-11-19", "2026-11-20", "2026-11-21"] {
        try Store(path: path).addGhosts(ghosts, day: try #require(Day(day)))
      }
    }
    try add([GhostTally(device: "usb-2", x: 1, y: 2, periodMilliseconds: 12_864, touches: 3000)])
    #expect(try run("--store", path).status == 0)
    try add(ghosts)
    let result = try run("--store", path, "--json")
    #expect(result.status == 1)
    let findings = try #require(try json(result)["findings"]?.elements)
    #expect(findings.count == 1)
    #expect(findings.first?["kind"] == .string("ghosts"))
    #expect(findings.first?["cause"] == .string("controller"))
    #expect(findings.first?["since"] == .string("2026-11-19"))
  }

  @Test func `A device of which the driver tells another size is one panel, the newer one`() throws
  {
    let store = try PanelStore.make(days: 60, other: 30, in: folder)
    let result = try run("--store", store)
    #expect(result.status == 0 && result.text.hasPrefix("usb-1: no fault found in 30 days\n"))
    #expect(result.text.split(separator: "\n").count { $0.hasPrefix("usb-1:") } == 1)
  }

  @Test func `A file that cannot be written hides no fault`() throws {
    let store = try PanelStore.make(days: 40, broken: 4, in: folder)
    for option in ["--picture", "--metrics"] {
      let result = try run("--store", store, option, folder.path("none/panel.png"))
      #expect(result.status == 1 && result.text.contains("1 fault found"), "\(option)")
      #expect(result.error.contains("none/panel.png"), "\(option)")
    }
    for words in [
      ["--metrics", "-"], ["--metrics", ""], ["--metrics", "a", "--picture", "b.png"],
    ] {
      #expect(
        try Program.run(["panel", "--store", store] + words, in: folder).status == 64, "\(words)")
    }
  }

  @Test func `JSON has the members that the page documents`() throws {
    let store = try PanelStore.make(days: 40, broken: 4, in: folder)
    let result = try run("--json", "--store", store)
    #expect(result.status == 1)
    #expect(
      result.text.hasPrefix(
        #"{"format":"touchgrid-panels","version":1,"of":{"since":null,"until":null},"panels":[{"#))
    let panel = try json(result)
    guard case .object(let members) = panel, let finding = panel["findings"]?.elements?.first,
      case .object(let parts) = finding
    else {
      Issue.record("\(result.text)")
      return
    }
    let page = try Project.text("docs/panel.md")
    for member in members + parts { #expect(page.contains("`\(member.name)`"), "\(member.name)") }
    #expect(panel["state"]?.string == "faulty" && finding["since"]?.string == "2026-11-18")
    #expect(finding["lines"]?.elements == [.integer(23), .integer(23)])
    #expect(finding["cause"]?.string == "deadLine" && finding["edge"]?.string == "the left edge")
    #expect(finding["distanceMm"]?.elements?.compactMap(\.digits) == ["200", "205"])
  }

  @Test func `A device is chosen by its key, and an unknown one is an error`() throws {
    let store = try PanelStore.make(days: 5, in: folder)
    #expect(
      try run("--device", "usb-1", "--store", store).text.contains("no fault found in 5 days"))
    let none = try run("--device", "usb-2\u{1b}", "--store", store)
    #expect(none.status == 3 && none.text == "")
    #expect(none.error.contains("no touchscreen 'usb-2\\u{1b}'; name one of these:\n"))
    #expect(none.error.contains("usb-1"))
  }

  @Test func `A store without counts of touchscreens says so, and files that are none fail`() throws
  {
    let store = try SampleStore.usual(in: folder)
    let empty = try run("--store", store)
    #expect(empty.status == 3 && empty.text == "")
    #expect(empty.error == "touchgrid: no touch was counted in this time\n")
    #expect(try run("--json", "--store", store).text.hasSuffix(#""panels":[]}"# + "\n"))
    #expect(try run("--store", folder.path("none.db")).status == 3)
    try folder.write("no store", to: "text.db")
    #expect(try run("--store", folder.path("text.db")).status == 65)
    #expect(try run("--picture", "panel.jpg", "--store", store).status == 64)
  }

  @Test func `The picture is written beside the text`() throws {
    let store = try PanelStore.make(days: 40, broken: 4, in: folder)
    let result = try run("--picture", folder.path("panel.svg"), "--store", store)
    #expect(result.status == 1 && result.text.contains("1 fault found"))
    #expect(try folder.text("panel.svg").contains("Vertical line 41 of 64"))
  }

  @Test func `A panel that another one replaced is listed only by name`() throws {
    let store = try PanelStore.make(days: 5, in: folder)
    let writer = try Store(path: store)
    var session = SampleStore.session(9, after: 60 * 24, [:])
    var panel = SampleStore.panel(30)
    panel.key.device = "usb-2"
    session.changedCounts = [SubjectCounts(panel)]
    try writer.write(session)
    let all = try run("--store", store)
    #expect(all.text.contains("usb-2: no fault") && !all.text.contains("usb-1"))
    #expect(try run("--device", "usb-1", "--store", store).text.contains("usb-1"))
  }

  // MARK: The daemon

  /// A daemon that reads one touchscreen and gives the contents of a store.
  private func daemon(_ store: String) throws -> StubDaemon {
    let reader = try Store(reading: store)
    let query = CountQuery(PanelKind.name, .span(.always), isByDay: true)
    let panels = try reader.counts(of: query).counts.map { API.Counts($0) }
    let days = try reader.days(in: .always).map {
      API.Day(
        $0.day.text, sessions: $0.sessions, totals: $0.totals, hours: $0.hours,
        ghostsOutside: 0)
    }
    var device = try SampleReplies.device(name: "Pa\u{1b}nel")
    device.x = API.Range(minimum: 0, maximum: 6399)
    device.y = API.Range(minimum: 0, maximum: 3599)
    return try StubDaemon(
      in: folder,
      SampleReplies.past(
        [device], displays: [try SampleReplies.display()], days: days, panels: panels))
  }

  @Test func `A daemon's panels have names, and doctor lists their faults with a remedy`() throws {
    let store = try PanelStore.make(days: 40, broken: 4, in: folder)
    let daemon = try daemon(store)
    // The store ends in 2026-11. Later than that, silence is another fault.
    let result = try run("--socket", daemon.path, "--until", "2026-11-21")
    #expect(result.status == 1)
    #expect(result.text.hasPrefix("Pa\\u{1b}nel: 1 fault found\n"))
    #expect(result.text.contains("Vertical line 24 of 64, 115 to 120 mm from the left edge"))
    #expect(
      try run("--device", "Pa\u{1b}nel", "--socket", daemon.path, "--until", "2026-11-21").text
        == result.text)
    let doctor = try Program.run(["doctor", "--socket", daemon.path], in: folder)
    #expect(doctor.status == 1)
    let text = doctor.text.split(separator: "\n").joined(separator: " ").replacing(
      #/ +/#, with: " ")
    #expect(text.contains(" problem Pa\\u{1b}nel: Vertical line 24 of 64"))
    #expect(text.contains("If it stays, replace the panel"))
  }

  @Test func `A touchscreen that nobody has touched is not called good`() throws {
    let daemon = try daemon(try SampleStore.usual(in: folder))
    let result = try run("--socket", daemon.path)
    #expect(result.status == 3)
    #expect(result.text.contains("no touch was counted yet"))
  }

  @Test func `A panel that sends values beyond its range is named without any counts`() throws {
    var device = try SampleReplies.device()
    device.sentY = API.Range(minimum: 0, maximum: 8000)
    let daemon = try StubDaemon(in: folder, SampleReplies.past([device]))
    let result = try run("--socket", daemon.path)
    #expect(result.text.contains("its y axis sends values up to 8000"), "\(result)")
    let words = result.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("y = [0, 8000]"))
    let wrong = try json(run("--json", "--socket", daemon.path))["wrongRanges"]?.elements
    #expect(wrong?.map { $0["axis"]?.string } == ["y"])
    #expect(wrong?.first?["text"]?.string?.contains("up to 8000") == true)
  }

  @Test func `A daemon that cannot answer gives exit status 3`() throws {
    let daemon = try StubDaemon(
      in: folder, ["GetDevices": .fault(API.NotPermitted(.read, group: "g"))])
    let result = try run("--socket", daemon.path)
    #expect(result.status == 3 && result.text == "" && result.error.hasPrefix("touchgrid: "))
    #expect(try run("--socket", folder.path("none")).status == 3)
  }
}
