import TestSupport
import Testing
import TouchModel
import TouchgridAPI
import Varlink

@testable import TouchgridCommands

@Suite struct MetricsTests {
  private static func metrics(
    key: String = "usb-1", status: API.GetStatus.Reply = SampleReplies.status()
  ) throws -> [String] {
    var device = try SampleReplies.device(unheardContacts: 2, touches: 7)
    device.key = key
    let days = [5, 7].map {
      API.Day(day: "2026-11-2\($0)", sessions: $0, totals: nil, hours: nil, ghostsOutside: 0)
    }
    let now = WallTime(milliseconds: SampleStore.began.milliseconds + 60_000)
    return DaemonMetrics(status: status, devices: [device], days: days, now: now).lines
  }

  /// Returns the values of all samples by name and labels.
  private func values(_ lines: [String]) -> [String: String] {
    var values: [String: String] = [:]
    for line in lines where !line.hasPrefix("#") {
      guard let space = line.lastIndex(of: " ") else { continue }
      values[String(line[..<space])] = String(line[line.index(after: space)...])
    }
    return values
  }

  @Test func `The state of the daemon becomes metrics`() throws {
    let values = values(try Self.metrics())
    #expect(values["touchgrid_build_info{version=\"9.8.7\"}"] == "1")
    #expect(values["touchgrid_touches_total"] == "12")
    #expect(values["touchgrid_event_drops_total"] == "2" && values["touchgrid_devices"] == "1")
    #expect(values["touchgrid_stored_days"] == "2" && values["touchgrid_stored_sessions"] == "12")
    let device = #"{device="usb-1",display="HDMI-A-1"}"#
    #expect(values["touchgrid_device_touches_total\(device)"] == "7")
    #expect(values["touchgrid_device_unheard_contacts\(device)"] == "2")
    #expect(values["touchgrid_device_silence_seconds\(device)"] == "3.000")
    let began = SampleStore.began.milliseconds
    #expect(
      values["touchgrid_last_touch_timestamp_seconds"]
        == "\(began / 1000).\(String(1000 + began % 1000).dropFirst())")
    #expect(values["touchgrid_store_failing"] == "0" && values["touchgrid_store_bytes"] == "126976")
    let ill = self.values(
      try Self.metrics(
        status: SampleReplies.status(storeError: "full", masksEverything: true)))
    #expect(ill["touchgrid_store_failing"] == "1" && ill["touchgrid_masks_everything"] == "1")
  }

  @Test func `Labels are escaped`() throws {
    let lines = try Self.metrics(key: "a\"b\\c\nd")
    #expect(lines.contains { $0.contains(#"{device="a\"b\\c"#) })
    #expect(lines.allSatisfy { !$0.contains("\n") })
    let combined = try Self.metrics(key: "a\"\u{301}").joined(separator: "\n")
    #expect(combined.utf8.contains(#"{device="a\""#.utf8))
  }

  @Test func `Without an answer of the store, its days are left out and its state is told`() throws
  {
    let folder = try TemporaryFolder()
    var answers = SampleReplies.past(
      [try SampleReplies.device()], status: SampleReplies.status(storeError: "full"))
    answers["ListDays"] = .fault(API.StoreFailed(message: "the disk is full"))
    let daemon = try StubDaemon(in: folder, answers)
    let printed = try Program.run(["metrics", "--socket", daemon.path], in: folder)
    #expect(printed.status == 0 && printed.text.hasSuffix("# EOF\n"))
    #expect(printed.text.contains("\ntouchgrid_store_failing 1\n"))
    #expect(!printed.text.contains("touchgrid_stored_"))
  }

  @Test func `A file is replaced as a whole, and stays if the daemon does not answer`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("touchgrid.prom")
    do {
      let daemon = try StubDaemon(in: folder, SampleReplies.past([try SampleReplies.device()]))
      let written = try Program.run(["metrics", "-o", path, "--socket", daemon.path], in: folder)
      #expect(written.status == 0 && written.text == "")
    }
    let before = try TemporaryFolder.contents(path)
    #expect(String(decoding: before, as: UTF8.self).contains("\ntouchgrid_touches_total 12\n"))
    let none = try Program.run(
      ["metrics", "-o", path, "--socket", folder.path("none")], in: folder)
    #expect(none.status == 1 && none.error.contains("no daemon answers"))
    #expect(try TemporaryFolder.contents(path) == before)
  }
}
