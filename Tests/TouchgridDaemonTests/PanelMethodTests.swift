import TestSupport
import Testing
import TouchModel
import TouchgridAPI

@testable import TouchgridDaemon

/// The method `GetCounts` for panels, of the built daemon.
@Suite struct PanelMethodTests {
  @Test func `Panels have a value for each day`() throws {
    let daemon = try RunningDaemon(
      "[session]\nmode = 'manual'\n[[display]]\nname = 'glass'\nwidth = 1024\nheight = 768\n",
      playing: taps(3000, every: 20_000))
    var client = try daemon.client()
    let session = try client.call(API.BeginSession()).session
    func panels(_ answers: [API.GetCounts.Reply]) throws -> [SummedPanel] {
      try answers.flatMap(\.counts).map { counts in
        try #require(counts.found(PanelKind()).flatMap { SummedPanel($0) })
      }
    }
    try daemon.pass(seconds: 6)
    let call = API.GetCounts(kind: "panel", session: session, byDay: true)
    let panel = try #require(try panels([client.call(call)]).first)
    let device = try #require(try client.call(API.GetDevices()).devices.first)
    #expect(panel.key.device == device.key && panel.sessions == 1)
    #expect(Int64(panel.key.x.minimum) == device.x.minimum)
    #expect(Int64(panel.key.y.maximum) == device.y.maximum)
    let day = try #require(try client.call(API.ListDays()).days.first)
    #expect(panel.day == day.day)
    let counted = try #require(day.totals).counted
    #expect(panel.counts.contacts <= counted)

    let ofDay = API.GetCounts(kind: "panel", day: day.day, byDay: true)
    #expect(try panels([client.call(ofDay)])[0].counts.contacts > 10)
    #expect(try panels(client.replies(to: ofDay)).count == 1)
    for none in [
      API.GetCounts(kind: "panel", day: "2001-02-03"),
      API.GetCounts(kind: "panel", screen: "default"),
      API.GetCounts(kind: "panel", tags: ["build": "1"]),
    ] {
      #expect(try client.call(none).counts.isEmpty)
      #expect(try client.replies(to: none).map(\.counts.count) == [0])
    }
    client.fails(API.NoSuchSession.self, API.GetCounts(kind: "panel", session: session + 1))
    client.fails(
      API.InvalidValue.self, API.GetCounts(kind: "panel", session: session, weekdays: [1]))
  }
}
