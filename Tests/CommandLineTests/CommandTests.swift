import Recordings
import TestSupport
import Testing
import Text
import TouchModel

/// The program as users see it: its output, messages and exit status.
extension MannersTests {
  @Test(arguments: [
    ["heatmap", "--session", "1", "--since", "7d"], ["heatmap", "-o", "out.jpg"],
    ["heatmap", "-o", "-"], ["heatmap", "--format", "csv"],
    ["sessions", "--since", "2026-02-02", "--until", "2026-02-01"], ["replay"],
    ["replay", "x", "--touches", "--json"], ["play", "x", "--pace", "0"],
    ["play", "x", "--pace", "fast", "--max-pause", "1"], ["play", "x", "--hold", "-1"],
    ["play", "x", "--repeat", "0"], ["play", "x", "--hold", "nan"],
    ["set-display", "a"], ["set-display", "a", "--rotation", "45"],
    ["set-display", "a", "--scale", "nan"],
    ["set-display", "--rotation", "90"], ["set-screen"], ["set-screen", ""],
    ["set-screen", "a\u{1b}b"], ["set-screen", "--changed-ago", "1s"],
    ["set-screen", "a", "--changed-ago", "1"], ["get-screen", "a"],
    ["tag-session"], ["tag-session", "build"], ["begin-session", "a=1", "a=2"],
    ["pause", "--for", "25h"], ["pause", "--for", "0s"], ["pause", "--for", "-1s"],
    ["mask", "add"], ["mask", "remove", "a", "--rectangle", "1,2,0,4"],
    ["watch", "--map", "--json"],
    ["overlay", "on", "--diameter", "3"], ["overlay", "on", "--diameter", "401"],
    ["overlay", "on", "--diameter", "nan"], ["overlay", "on", "--colour-by", "hand"],
    ["overlay", "on", "--monitor", "=DSI-1"], ["overlay", "on", "--monitor", "DSI-1="],
    ["overlay", "on", "--backend", "mir"], ["overlay", "toggle", "--glow"],
    ["overlay", "toggle", "menu"],
    ["guard", "--idle", "1s"], ["guard", "--dim", "x"], ["guard", "--idle", "1m", "--dim", "x"],
    ["guard", "--wake", ""], ["clean", "5s"], ["clean", "11m"], ["clean", "60"],
    ["wait"], ["wait", "--every"], ["wait", "--idle", "1s"], ["wait", "--idle", "25h"],
    ["wait", "--idle", "60"], ["wait", "--touch", "--screen", "a"], ["wait", "--screen", ""],
    ["wait", "--touch", "--display", "a"], ["wait", "--touch", "--timeout", "0s"],
    ["wait", "--touch", "sleep"], ["wait", "--touch", "--json", "--", "true"],
    ["wait", "--touch", "--", ""],
    ["heatmap", "--live", "--session", "1"], ["heatmap", "--live", "--store", "x"],
    ["report", "-o", "x.html", "--tag", "a=1", "--tag", "a=2"],
    ["heatmap", "--live", "--hours", "8-12"], ["controls", "--session", "1", "--weekdays", "mon"],
    ["forget", "--session", "1", "--session", "2", "--yes"], ["heatmap", "--json", "-o", "x.csv"],
    ["sessions", "--store", "x", "--socket", "y"],
    ["export", "-o", "x", "--since", "2026-11-21T14:00"],
    ["export", "-o", "x", "--until", "14:00"],
    ["export", "-o", "x", "--since", "2026-11-22", "--until", "2026-11-21"],
    ["export", "-o", "x", "--format", "npy"], ["export", "-o", "x", "--kiosk", "a"],
    ["export", "-o", "x", "--fleet"], ["export", "-o", "x", "--fleet", "--kiosk", "Lobby"],
    ["export", "-o", "x", "--fleet", "--kiosk", "-a"],
    ["export", "-o", "x", "--fleet", "--kiosk", "a", "--since", "7d"],
    ["export", "-o", "x", "--fleet", "--kiosk", "a", "--socket", "/run/x"],
  ])
  func `Wrong usage gives exit status 64`(arguments: [String]) {
    let result = Program.parse(arguments)
    #expect(result.status == 64)
    #expect(result.error.hasPrefix("Error: "))
  }

  @Test func `A missing store is named and not created`() throws {
    let result = try run("sessions", "--store", folder.path("none.db"))
    #expect(result.status == 1)
    #expect(result.error.hasPrefix("touchgrid: \(folder.path("none.db"))"))
    #expect(result.error.contains("there is no such file"))
    #expect(try !folder.names.contains("none.db"))
  }

  @Test func `Sessions and screens are listed as tables, and as JSON`() throws {
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
    let json = try run("sessions", "--json", "--store", store).json
    #expect(json["sessions"]?.elements?.map { $0["id"]?.digits } == ["1", "2", "3"])
    #expect(json["sessions"]?.elements?.map { $0["end"]?.string } == ["idle", "idle", nil])
    #expect(json["sessions"]?.elements?.first?["beganAtMs"]?.digits == "1795266192345")
    #expect(json["totals"]?["begun"]?.digits == "20" && json["balances"] == .bool(true))
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
    let keys = Recording(description: DeviceDescription(name: "keys"))
    let keyboard = try run("replay", folder.write(keys.evemuText, to: "keys.evemu"))
    #expect(keyboard.status == 1)
    #expect(
      keyboard.error.hasSuffix(
        "keys.evemu has no touchscreen (keys: it announces no position axes)\n")
    )
  }
}
