import Storage
import TestSupport
import Testing
import Text
import TouchModel
import TouchgridAPI
import Varlink

@testable import TouchgridCommands

/// `touchgrid report` as users run it. `Tests/Apps/test_report.py` tests its page.
@Suite final class ReportCommandTests: FolderSuite {
  private func run(_ arguments: [String], zone: String = "CET-1") throws -> Program.Result {
    try folder.run(["report", "--json"] + arguments, environment: ["TZ": zone])
  }

  /// The IDs of the choices of a report, without those of single sessions.
  private func choices(_ page: JSONValue, _ kind: String? = nil) -> [String] {
    (page["choices"]?.elements ?? [])
      .filter { kind == nil ? $0["kind"] != "session" : $0["kind"]?.string == kind }
      .compactMap { $0["id"]?.string }
  }

  /// Makes a store with sessions of one touch each. `minutes` are their starts, relative to
  /// 2026-11-21 14:03.
  private func store(_ minutes: [Int64]) throws -> String {
    let key = SampleStore.key("menu", try geometry())
    return try SampleStore.make(
      minutes.enumerated().map { index, minutes in
        var session = SampleStore.session(
          Int64(index + 1), after: minutes, tags: ["half": index.isMultiple(of: 2) ? "a" : "b"],
          [key: [Block(column: 2, row: 1): 1]])
        var menu = ScreenFlow(display: "HDMI-A-1", screen: "menu")
        menu.sessions = 1
        session.dayCounts = FlowCounts(sessions: 1, screens: [menu]).ofSession
        return session
      }, in: folder)
  }

  @Test func `--weekdays and --hours select sessions in all parts of the report`() throws {
    // Saturday 14:03, 15:03 and 16:03, Sunday 15:03 and 16:03.
    let store = try store([0, 60, 120, 1500, 1560])
    for (filter, ids, words, hasFlows) in [
      (["--weekdays", "sat"], [3, 2, 1], ["Sat"], true),
      (
        ["--weekdays", "fri-sat", "--hours", "14-16", "--tag", "half=a"], [1],
        ["Fri, Sat", "14:00 to 15:59"], false
      ),
    ] as [([String], [Int], [String], Bool)] {
      let page = try run(["--store", store] + filter).json
      #expect(
        [page["weekdays"], page["hours"]].compactMap { $0?["text"]?.string } == words, "\(filter)")
      #expect(page["sessions"]?.elements?.map { $0["id"]?.int } == ids, "\(filter)")
      let days = try #require(page["days"]?.elements)
      #expect(days.compactMap { $0["sessions"]?.int }.reduce(0, +) == ids.count)
      let maps = try #require(page["screens"]?.elements?.first?["maps"])
      #expect(maps["all"]?["sessions"]?.int == ids.count)
      #expect(maps["all"]?["touches"]?.int == ids.count)
      for day in days where days.count > 1 {
        #expect(maps[day["day"]?.string ?? ""]?["sessions"] == day["sessions"])
      }
      // Flows are sums of days, which have no hours and no tags.
      #expect(page["flows"]?["sessions"]?.int == (hasFlows ? ids.count : nil), "\(filter)")
      #expect((page["ghostsOutsideSessions"]?.int == nil) == !hasFlows)
    }
    // The time before is limited to the same hours.
    let sunday = ["--since", "2026-11-22", "--until", "2026-11-22"]
    for (hours, before, now) in [("15-17", 2, 2), ("14-16", 2, 1)] {
      let page = try run(["--store", store, "--hours", hours] + sunday).json
      let screen = try #require(page["comparison"]?["screens"]?.elements?.first)
      #expect(
        screen["sessionsBefore"]?.int == before && screen["sessionsNow"]?.int == now, "\(hours)")
    }
    let none = try run(["--store", store, "--weekdays", "mon"])
    #expect(try none.json["screens"] == [] && none.status == 0)
    #expect(none.error.contains("no session is in this selection (Mon)"))
    let tags = try run(["--store", store, "--tag", "half=a", "--tag", "x=y"])
    #expect(try tags.json["tags"] == ["half": "a", "x": "y"])
    #expect(tags.error.contains("no session has these tags"))
  }

  @Test func `A long report offers months and the last 7, 30 and 90 days`() throws {
    let day: Int64 = 24 * 60
    // 2026-11-21, 11-18, 10-31, 10-05, 09-22, 08-03 and, more than a year before, 2025-06-01.
    let store = try store([0, -3, -21, -47, -60, -110, -538].map { $0 * day })
    let page = try run(["--store", store, "--until", "2026-11-22"]).json
    let shown = choices(page)
    #expect(
      shown == [
        "all", "last-7", "last-30", "last-90", "2026-11", "2026-10", "2026-09", "2026-08",
        "2025-06",
      ])
    let maps = try #require(page["screens"]?.elements?.first?["maps"])
    #expect(shown.map { maps[$0]?["sessions"]?.int } == [7, 2, 3, 5, 2, 2, 1, 1, 1])
  }

  @Test func `A report offers the newest twelve months`() throws {
    let store = try store((0..<15).map { -30 * 24 * 60 * $0 })
    let months = choices(try run(["--store", store, "--sessions", "0"]).json, "month")
    #expect(months.count == 12 && months.first == "2026-11" && months == months.sorted(by: >))
  }

  @Test func `Only months that would cut a day are left out`() throws {
    // Sessions on 2026-09-15, early and late on 2026-10-31, and on 2026-11-21.
    let day: Int64 = 24 * 60
    let store = try store([-67 * day, -21 * day - 13 * 60, -21 * day + 9 * 60, 0])
    let writer = try Store(path: store)
    try writer.rollUp(today: try #require(Day("2026-11-22")))
    try SampleStore.drop(
      before: WallTime(milliseconds: SampleStore.began.milliseconds - day * 60_000), in: writer)
    let near = try run(["--store", store])
    #expect(try choices(near.json, "month").count == 3)
    #expect(!near.error.contains("left out"))
    let far = try run(["--store", store], zone: "<+13>-13")
    #expect(try choices(far.json, "month") == ["2026-09"])
    #expect(far.status == 0)
    // Spans that end today may be left out as well.
    #expect(
      far.error.contains("left out: ")
        && far.error.contains(
          "2026-11, 2026-10. Some of their days were recorded in another time zone")
    )
  }

  @Test(arguments: [true, false])
  func `Every other error of the store ends the report`(isCut: Bool) throws {
    let code = isCut ? API.StoreFailed.onlyWholeDays : "io"
    var answers = SampleReplies.past(
      [],
      days: ["2026-09-15", "2026-10-31"].map {
        API.Day(day: $0, sessions: 1, totals: nil, hours: nil, ghostsOutside: 0)
      })
    answers["GetGrids"] = .asked { call throws(VarlinkError) in
      guard try call.parameters(API.GetGrids.self).span != nil else {
        return .reply(API.GetGrids.Reply(grids: []))
      }
      throw API.StoreFailed(code: code, message: "store: it failed").varlinkError
    }
    let daemon = try StubDaemon(in: folder, answers)
    let result = try run(["--socket", daemon.path])
    #expect(result.status == (isCut ? 0 : 1))
    #expect(result.output.isEmpty == !isCut)
    #expect(result.error.contains(isCut ? "left out" : "it failed"))
  }
}
