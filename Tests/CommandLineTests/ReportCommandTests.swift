import FoundationEssentials
import Storage
import TestSupport
import Testing
import TouchModel
import TouchgridAPI
import Varlink

@testable import TouchgridCommands

/// `touchgrid report` as users run it. `Tests/Apps/test_report.py` tests its page.
@Suite struct ReportCommandTests {
  private let folder = try? TemporaryFolder()

  private struct Page: Decodable {
    struct Choice: Decodable {
      var id: String
      var kind: String
    }
    struct Screen: Decodable {
      struct Map: Decodable { var sessions, touches, days: Int }
      var screen: String
      var maps: [String: Map]
    }
    struct Day: Decodable {
      var day: String
      var sessions: Int
    }
    struct Session: Decodable { var id: Int }
    var choices: [Choice]
    var screens: [Screen]
    var days: [Day]
    var sessions: [Session]
    var tags: [String: String]
    struct Words: Decodable { var text: String }
    var weekdays, hours: Words?
    struct Flows: Decodable { var sessions: Int }
    var flows: Flows?
    struct Comparison: Decodable {
      struct Screen: Decodable { var sessionsBefore, sessionsNow: Int }
      var screens: [Screen]
    }
    var comparison: Comparison?
    var ghostsOutsideSessions: Int?
  }

  private func run(
    _ arguments: [String], zone: String = "CET-1", in folder: TemporaryFolder
  ) throws -> Program.Result {
    try Program.run(["report", "-o", "-"] + arguments, environment: ["TZ": zone], in: folder)
  }

  private func page(_ result: Program.Result) throws -> Page {
    let start = try #require(result.text.firstRange(of: #"id="touchgrid-data">"#)).upperBound
    let rest = result.text[start...]
    let end = try #require(rest.firstRange(of: "</script>")).lowerBound
    return try JSONDecoder().decode(Page.self, from: Data(rest[..<end].utf8))
  }

  /// Makes a store with sessions of one touch each. `minutes` are their starts, relative to
  /// 2026-11-21 14:03.
  private func store(_ minutes: [Int64], in folder: TemporaryFolder) throws -> String {
    let key = SampleStore.key("menu", try SampleStore.geometry())
    return try SampleStore.make(
      minutes.enumerated().map { index, minutes in
        var session = SampleStore.session(
          Int64(index + 1), after: minutes, tags: ["half": index.isMultiple(of: 2) ? "a" : "b"],
          [key: [Block(column: 2, row: 1): 1]])
        session.flow = FlowCounts(
          sessions: 1, screens: [ScreenFlow(display: "HDMI-A-1", screen: "menu")], steps: [],
          funnels: [])
        return session
      }, in: folder)
  }

  @Test func `--weekdays and --hours select sessions in all parts of the report`() throws {
    let folder = try #require(folder)
    // Saturday 14:03, 15:03 and 16:03, Sunday 15:03 and 16:03.
    let store = try store([0, 60, 120, 1500, 1560], in: folder)
    for (filter, ids, words, hasFlows) in [
      (["--weekdays", "sat"], [3, 2, 1], ["Sat"], true),
      (["--hours", "15-16"], [4, 2], ["15:00 to 15:59"], false),
      (["--weekdays", "sun", "--hours", "16-15"], [5], ["Sun", "16:00 to 14:59"], false),
      (["--weekdays", "sat,sun", "--tag", "half=a"], [5, 3, 1], ["Sat, Sun"], false),
      (
        ["--weekdays", "fri-sat", "--hours", "14-16", "--tag", "half=a"], [1],
        ["Fri, Sat", "14:00 to 15:59"], false
      ),
    ] as [([String], [Int], [String], Bool)] {
      let page = try page(try run(["--store", store] + filter, in: folder))
      #expect([page.weekdays, page.hours].compactMap { $0?.text } == words, "\(filter)")
      #expect(page.sessions.map(\.id) == ids, "\(filter)")
      #expect(page.days.map(\.sessions).reduce(0, +) == ids.count)
      let maps = try #require(page.screens.first?.maps)
      #expect(maps["all"]?.sessions == ids.count && maps["all"]?.touches == ids.count)
      for day in page.days where page.days.count > 1 {
        #expect(maps[day.day]?.sessions == day.sessions)
      }
      // Flows are sums of days, which have no hours and no tags.
      #expect(page.flows?.sessions == (hasFlows ? ids.count : nil), "\(filter)")
      #expect((page.ghostsOutsideSessions == nil) == !hasFlows)
    }
    // The time before is limited to the same hours.
    let sunday = ["--since", "2026-11-22", "--until", "2026-11-22"]
    for (hours, before, now) in [("15-17", 2, 2), ("14-16", 2, 1)] {
      let result = try run(["--store", store, "--hours", hours] + sunday, in: folder)
      let screen = try #require(try page(result).comparison?.screens.first)
      #expect(screen.sessionsBefore == before && screen.sessionsNow == now, "\(hours)")
    }
    let none = try run(["--store", store, "--weekdays", "mon"], in: folder)
    #expect(try page(none).screens.isEmpty && none.status == 0)
    #expect(none.error.contains("no session is in this selection (Mon)"))
  }

  @Test func `--weekdays leaves out days of which a part is lost`() throws {
    let folder = try #require(folder)
    // Saturday 14:03 and 15:03, of which the first is deleted, and Monday.
    let store = try store([0, 60, 2 * 24 * 60], in: folder)
    let writer = try Store(path: store)
    try writer.rollUp(today: try #require(Day("2026-12-01")))
    try SampleStore.drop(
      before: WallTime(milliseconds: SampleStore.began.milliseconds + 1), in: writer)
    let half = ["--store", store, "--since", "2026-11-21T15:00"]
    let all = try run(half, in: folder)
    #expect(all.status == 1 && all.error.contains("only a part of 2026-11-21"), "\(all.error)")
    let monday = try run(half + ["--weekdays", "mon-fri"], in: folder)
    let page = try page(monday)
    #expect(page.days.map(\.day) == ["2026-11-23"] && page.sessions.map(\.id) == [3])
  }

  @Test func `--tag selects sessions`() throws {
    let folder = try #require(folder)
    let store = try store([0, 60, 120, 1500, 1560], in: folder)
    for (tag, ids) in [("a", [5, 3, 1]), ("b", [4, 2])] {
      let page = try page(try run(["--store", store, "--tag", "half=\(tag)"], in: folder))
      #expect(page.tags == ["half": tag])
      #expect(page.sessions.map(\.id) == ids)
      #expect(page.days.map(\.sessions).reduce(0, +) == ids.count)
      let map = try #require(page.screens.first?.maps["all"])
      #expect(map.sessions == ids.count && map.touches == ids.count && map.days == 2)
      // Each day counts only its sessions that have the tag.
      for day in page.days {
        #expect(page.screens.first?.maps[day.day]?.sessions == day.sessions)
      }
    }
    let none = try run(["--store", store, "--tag", "half=a", "--tag", "x=y"], in: folder)
    #expect(try page(none).screens.isEmpty && none.status == 0)
    #expect(none.error.contains("no session has these tags"))
  }

  @Test func `A long report offers months and the last 7, 30 and 90 days`() throws {
    let folder = try #require(folder)
    let day: Int64 = 24 * 60
    // 2026-11-21, 11-18, 10-31, 10-05, 09-22, 08-03 and, more than a year before, 2025-06-01.
    let store = try store([0, -3, -21, -47, -60, -110, -538].map { $0 * day }, in: folder)
    let page = try page(try run(["--store", store, "--until", "2026-11-22"], in: folder))
    let shown = page.choices.filter { $0.kind != "session" }.map(\.id)
    #expect(
      shown == [
        "all", "last-7", "last-30", "last-90", "2026-11", "2026-10", "2026-09", "2026-08",
        "2025-06",
      ])
    let maps = try #require(page.screens.first).maps
    #expect(
      shown.map { maps[$0]?.sessions ?? 0 } == [7, 2, 3, 5, 2, 2, 1, 1, 1])
  }

  @Test func `A report offers the newest twelve months`() throws {
    let folder = try #require(folder)
    let store = try store((0..<15).map { -30 * 24 * 60 * $0 }, in: folder)
    let page = try page(try run(["--store", store, "--sessions", "0"], in: folder))
    let months = page.choices.filter { $0.kind == "month" }.map(\.id)
    #expect(months.count == 12 && months.first == "2026-11" && months == months.sorted(by: >))
  }

  @Test func `Only months that would cut a day are left out`() throws {
    let folder = try #require(folder)
    // Sessions on 2026-09-15, early and late on 2026-10-31, and on 2026-11-21.
    let day: Int64 = 24 * 60
    let store = try store([-67 * day, -21 * day - 13 * 60, -21 * day + 9 * 60, 0], in: folder)
    let writer = try Store(path: store)
    try writer.rollUp(today: try #require(Day("2026-11-22")))
    try SampleStore.drop(
      before: WallTime(milliseconds: SampleStore.began.milliseconds - day * 60_000), in: writer)
    let near = try run(["--store", store], in: folder)
    #expect(try page(near).choices.filter { $0.kind == "month" }.count == 3)
    #expect(!near.error.contains("left out"))
    let far = try run(["--store", store], zone: "<+13>-13", in: folder)
    #expect(try page(far).choices.filter { $0.kind == "month" }.map(\.id) == ["2026-09"])
    #expect(far.status == 0)
    #expect(
      far.error.contains(
        "left out: 2026-11, 2026-10. Some of their days were recorded in another time zone"))
  }

  @Test(arguments: [true, false])
  func `Every other error of the store ends the report`(isCut: Bool) throws {
    let folder = try #require(folder)
    let code = isCut ? API.StoreFailed.onlyWholeDays : "io"
    let daemon = try StubDaemon(
      in: folder,
      [
        "ListDays": { _ in
          .reply(
            API.ListDays.Reply(
              days: ["2026-09-15", "2026-10-31"].map {
                API.Day(day: $0, sessions: 1, totals: nil, hours: nil, ghostsOutside: 0)
              }))
        },
        "ListSessions": { _ in .reply(API.ListSessions.Reply(sessions: [])) },
        "GetStatus": { _ in .reply(SampleReplies.status()) },
        "GetDevices": { _ in .reply(API.GetDevices.Reply(devices: [], refused: [])) },
        "GetControlCounts": { _ in .reply(API.GetControlCounts.Reply(screens: [])) },
        "GetFlows": { _ in .reply(API.GetFlows.Reply(FlowCounts(), hiddenSteps: 0)) },
        "GetPanels": { _ in .reply(API.GetPanels.Reply(panels: [])) },
        "GetGrids": { call throws(VarlinkError) in
          guard try call.parameters(API.GetGrids.self).span != nil else {
            return .reply(API.GetGrids.Reply(grids: []))
          }
          throw API.StoreFailed("store: it failed", code: code).varlinkError
        },
      ])
    let result = try run(["--socket", daemon.path], in: folder)
    #expect(result.status == (isCut ? 0 : 1))
    #expect(result.output.isEmpty == !isCut)
    #expect(result.error.contains(isCut ? "left out" : "it failed"))
  }
}
