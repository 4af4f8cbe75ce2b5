import FoundationEssentials
import Heatmaps
import Recordings
import Storage
import TestSupport
import Testing
import Text
import TouchModel

/// The program as users see it: its output, messages and exit status.
@Suite struct CommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> Program.Result {
    try Program.run(arguments, environment: environment, in: folder)
  }

  @Test func `--version and the --help of every verb succeed, in at most 80 columns`() throws {
    #expect(try run("--version").text == touchgridVersion + "\n")
    for verb in [
      "status", "devices", "displays", "set-display", "set-screen", "get-screen", "begin-session",
      "end-session", "tag-session", "pause", "resume", "mask", "track", "watch", "wait", "heatmap",
      "compare", "screens", "sessions", "doctor", "panel", "metrics", "replay", "play",
    ] {
      let help = try run(verb, "--help")
      #expect(help.status == 0)
      #expect(help.text.contains("USAGE: touchgrid \(verb)"))
      let lines = help.text.split(separator: "\n")
      #expect(lines.allSatisfy { textWidth(String($0)) <= 80 })
    }
  }

  @Test(arguments: [
    ["nonsense"], ["heatmap", "--layer", "taps2"], ["heatmap", "--session", "x"],
    ["heatmap", "--session", "1", "--since", "7d"], ["heatmap", "-o", "out.jpg"],
    ["heatmap", "-o", "-"], ["heatmap", "--format", "csv"], ["sessions", "--since", "tomorrow"],
    ["sessions", "--since", "2026-02-02", "--until", "2026-02-01"], ["replay"],
    ["replay", "x", "--touches", "--json"], ["play", "x", "--pace", "0"],
    ["play", "x", "--pace", "fast", "--max-pause", "1"], ["play", "x", "--hold", "-1"],
    ["play", "x", "--repeat", "0"], ["play", "x", "--hold", "nan"],
    ["set-display", "a"], ["set-display", "a", "--rotation", "45"],
    ["set-display", "a", "--size", "1920"], ["set-display", "a", "--scale", "nan"],
    ["set-display", "--rotation", "90"], ["set-screen"], ["set-screen", ""],
    ["set-screen", "a\u{1b}b"], ["set-screen", "--changed-ago", "1s"],
    ["set-screen", "a", "--changed-ago", "1"], ["get-screen", "a"],
    ["tag-session"], ["tag-session", "build"], ["begin-session", "a=1", "a=2"],
    ["pause", "--for", "25h"], ["pause", "--for", "0s"], ["pause", "--for", "-1s"],
    ["mask", "add"], ["mask", "add", "a", "--rectangle", "1,2,3"],
    ["mask", "remove", "a", "--rectangle", "1,2,0,4"], ["watch", "--map", "--json"],
    ["wait"], ["wait", "--every"], ["wait", "--idle", "1s"], ["wait", "--idle", "25h"],
    ["wait", "--idle", "60"], ["wait", "--touch", "--screen", "a"], ["wait", "--screen", ""],
    ["wait", "--touch", "--display", "a"], ["wait", "--touch", "--timeout", "0s"],
    ["wait", "--touch", "sleep"], ["wait", "--touch", "--json", "--", "true"],
    ["wait", "--touch", "--", ""],
    ["heatmap", "--live", "--session", "1"], ["heatmap", "--live", "--store", "x"],
    ["report", "-o", "x.html", "--tag", "a=1", "--tag", "a=2"],
    ["heatmap", "--live", "--hours", "8-12"], ["controls", "--session", "1", "--weekdays", "mon"],
    ["heatmap", "--json", "-o", "x.csv"], ["sessions", "--store", "x", "--socket", "y"],
  ])
  func `Wrong usage gives exit status 64`(arguments: [String]) throws {
    let result = try Program.run(arguments, in: folder)
    #expect(result.status == 64)
    #expect(result.text == "")
    #expect(result.error.hasPrefix("Error: "))
  }

  @Test func `A missing store is named and not created`() throws {
    let result = try run("sessions", "--store", folder.path("none.db"))
    #expect(result.status == 1)
    #expect(result.error.hasPrefix("touchgrid: \(folder.path("none.db"))"))
    #expect(result.error.contains("there is no such file"))
    #expect(try !folder.names.contains("none.db"))
  }

  @Test func `A text file as a store gives exit status 65`() throws {
    let path = try folder.write("hello", to: "text.db")
    for verb in ["sessions", "screens", "heatmap"] {
      let result = try run(verb, "--store", path)
      #expect(result.status == 65)
      #expect(result.error.hasPrefix("touchgrid: \(path)"))
    }
  }

  @Test func `Sessions and screens are listed as tables`() throws {
    let store = try SampleStore.usual(in: folder)
    let sessions = try run("sessions", "--store", store)
    #expect(sessions.status == 0 && sessions.error == "")
    #expect(sessions.text.contains("\n 3  2026-11-21 16:03     12:34        5  running\n"))
    let screens = try run("screens", "--store", store)
    #expect(
      screens.text == """
        DISPLAY   SCREEN        GEOMETRY  SESSIONS  TOUCHES  SHOWN
        HDMI-A-1  checkout/pay  160x96           1        1   1:01
        HDMI-A-1  menu          160x96           3        9   3:03

        """)
  }

  @Test func `A span selects sessions by their start`() throws {
    let store = try SampleStore.usual(in: folder)
    let later = try run("sessions", "--store", store, "--since", "2026-11-21T15:03")
    #expect(later.text.contains("2 sessions: "))
    let day = try run("sessions", "--store", store, "--until", "2026-11-21")
    #expect(day.text.contains("3 sessions: "))
    let before = try run("sessions", "--store", store, "--until", "2026-11-20")
    #expect(before.status == 0 && before.text == "")
    #expect(
      before.error == """
        touchgrid: no session began in this time (until 2026-11-20 23:59); without --since and \
        --until all are shown

        """)
  }

  @Test func `Another parser reads the JSON output`() throws {
    struct Answer: Decodable {
      struct Session: Decodable {
        struct Totals: Decodable { var begun: UInt64 }
        var id: Int64
        var beganAtMs: Int64
        var end: String?
        var totals: Totals
      }
      var sessions: [Session]
      var totals: Session.Totals
      var balances: Bool
    }
    let store = try SampleStore.usual(in: folder)
    let result = try run("sessions", "--json", "--store", store)
    let answer = try JSONDecoder().decode(Answer.self, from: Data(result.output))
    #expect(answer.sessions.map(\.id) == [1, 2, 3])
    #expect(answer.sessions.map(\.end) == ["idle", "idle", nil])
    #expect(answer.sessions.first?.beganAtMs == 1_795_266_192_345)
    #expect(answer.totals.begun == 20 && answer.balances)
    let empty = try run("sessions", "--json", "--store", store, "--until", "2026-11-20")
    #expect(empty.status == 0)
    #expect(try JSONDecoder().decode(Answer.self, from: Data(empty.output)).sessions.isEmpty)
  }

  @Test func `An empty store is reported as having no sessions`() throws {
    let store = try SampleStore.make([], in: folder)
    for verb in ["sessions", "screens", "heatmap"] {
      let result = try run(verb, "--store", store)
      #expect(result.status == 0 && result.text == "")
      #expect(result.error == "touchgrid: the store has no sessions\n")
    }
  }

  // MARK: Recordings

  @Test func `A recording is replayed`() throws {
    var gestures = Gestures(on: .panel())
    gestures.tap(at: (100, 100))
    let path = try folder.write(gestures.recording.evemuText, to: "tap.evemu")
    let touches = try run("replay", path, "--touches")
    #expect(touches.status == 0)
    #expect(touches.text.split(separator: "\n").count == 1)
    #expect(try run("replay", path).text.contains("  touches   1, at most 1 at once\n"))
    #expect(try run("replay", path, "--json").text.contains(#""touches":1,"#))
  }

  @Test func `A file that is not a recording is named in the error`() throws {
    let path = try folder.write("hello\n", to: "hello.txt")
    let result = try run("replay", path)
    #expect(result.status == 1)
    #expect(result.error.hasPrefix("touchgrid: \(path)"))
    let missing = try run("replay", folder.path("none"))
    #expect(missing.status == 1)
    #expect(missing.error.contains("No such file"))
  }

  @Test func `The recording of a keyboard is reported as having no touchscreen`() throws {
    let keys = Recording(description: DeviceDescription(name: "keys"))
    let path = try folder.write(keys.evemuText, to: "keys.evemu")
    let result = try run("replay", path)
    #expect(result.status == 1)
    #expect(
      result.error
        == "touchgrid: \(path) has no touchscreen (keys: it announces no position axes)\n")
  }
}
