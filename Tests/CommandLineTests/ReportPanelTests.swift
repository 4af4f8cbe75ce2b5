import Storage
import TestSupport
import Testing
import Text
import TouchModel
import TouchgridAPI
import Varlink

@testable import TouchgridCommands

/// The state of touchscreens in the data of `touchgrid report`.
/// `Tests/Apps/test_report_panels.py` tests how the page shows it.
@Suite final class ReportPanelTests: FolderSuite {
  private func report(_ arguments: [String]) throws -> (panels: JSONValue?, error: String) {
    let result = try Program.run(
      ["report", "--json"] + arguments, environment: ["TZ": "CET-1"], in: folder)
    #expect(result.status == 0, "\(result.error)")
    return (try JSONValue(parsing: result.text)["panels"], result.error)
  }

  @Test func `A report has what the command prints of a faulty panel, and its picture`() throws {
    let store = try PanelStore.make(days: 40, broken: 4, in: folder)
    let panel = try #require(try report(["--store", store]).panels?.elements?.first)
    let alone = try Program.run(
      ["panel", "--json", "--store", store], environment: ["TZ": "CET-1"], in: folder)
    let printed = try JSONValue(parsing: alone.text)["panels"]?.elements?.first
    guard case .object(var members) = panel else {
      Issue.record("no object")
      return
    }
    #expect(members.removeLast().name == "picture")
    #expect(printed == .object(members))
  }

  @Test func `Only the end of the report's span limits the days of its panels`() throws {
    let store = try PanelStore.make(days: 40, broken: 4, in: folder)
    for limits in [
      ["--since", "2026-11-21"], ["--weekdays", "mon"], ["--hours", "3-4"], ["--tag", "build=2"],
    ] {
      let panel = try report(["--store", store] + limits).panels?.elements?.first
      #expect(panel?["state"]?.string == "faulty" && panel?["days"]?.digits == "40", "\(limits)")
    }
    let before = try report(["--store", store, "--until", "2026-11-17"]).panels?.elements?.first
    #expect(before?["state"]?.string == "good" && before?["days"]?.digits == "36")
  }

  /// A daemon without sessions, with one touchscreen.
  /// - Parameter panels: its answer to `GetCounts` for panels.
  private func daemon(_ panels: StubDaemon.Answer) throws -> StubDaemon {
    var answers = SampleReplies.past(
      [try SampleReplies.device()], displays: [try SampleReplies.display()])
    answers["GetCounts"] = SampleReplies.counts(panels)
    return try StubDaemon(in: folder, answers)
  }

  @Test func `A daemon that refuses leaves the state out`() throws {
    let stub = try daemon(.error(API.NotPermitted(.read, group: "g").varlinkError))
    let result = try report(["--socket", stub.path])
    #expect(result.panels == JSONValue.null)
    #expect(result.error.contains("the state of the touchscreens is missing: "))
  }
}
