import Glibc
import Storage
import TestSupport
import Testing
import TouchModel
import TouchgridAPI

@testable import TouchgridDaemon

/// The method `GetPanels`, of the built daemon.
@Suite struct PanelMethodTests {
  private static let configuration =
    "[store]\ncheckpoint = '1s'\n[session]\nmode = 'manual'\n[[display]]\nname = 'glass'\n"
    + "width = 1024\nheight = 768\n"

  @Test func `Panels have a value for each day, and survive a power cut`() throws {
    let daemon = try RunningDaemon(Self.configuration, playing: taps(3000, every: 20_000))
    var client = try daemon.client()
    let session = try client.call(API.BeginSession()).session
    func contacts(_ panels: [API.Panel]) -> Int64 {
      panels.first?.touchDowns.reduce(0, +) ?? 0
    }
    try daemon.pass(seconds: 3)
    let panels = try client.call(API.GetPanels(session: session)).panels
    let panel = try #require(panels.first)
    let device = try #require(try client.call(API.GetDevices()).devices.first)
    #expect(panels.count == 1 && panel.device == device.key && panel.name == device.name)
    #expect(panel.x == device.x && panel.y == device.y && panel.sessions == 1)
    let day = try #require(try client.call(API.ListDays()).days.first)
    #expect(panel.day == day.day && panel.summed != nil)
    let counted = try #require(day.totals).counted
    #expect(contacts(panels) <= counted)

    #expect(try contacts(client.call(API.GetPanels(device: device.key, day: day.day)).panels) > 10)
    #expect(try client.replies(to: API.GetPanels()).map(\.panels.count) == [1])
    for none in [
      API.GetPanels(device: "none"), API.GetPanels(day: "2001-02-03"),
      API.GetPanels(tags: ["build": "1"]),
    ] {
      #expect(try client.call(none).panels.isEmpty)
      #expect(try client.replies(to: none).flatMap(\.panels).isEmpty)
    }
    client.fails(API.NoSuchSession.self, API.GetPanels(session: session + 1))
    client.fails(API.InvalidValue.self, API.GetPanels(session: session, weekdays: [1]))

    try daemon.stop(SIGKILL)
    let store = try Store(path: daemon.store)
    #expect(try store.closeUnfinished().damaged == [])
    let stored = try #require(try store.panels(of: .one(session)).first)
    #expect(stored.counts.contacts >= contacts(panels))
    #expect(try store.check().flatMap(\.faults) == [])
  }

  @Test func `Masked touches leave nothing in the counts of panels`() throws {
    let daemon = try RunningDaemon(
      Self.configuration + "[[mask]]\nscreen = 'default'\n", playing: taps(3000, every: 20_000))
    var client = try daemon.client()
    _ = try client.call(API.BeginSession())
    try daemon.pass(seconds: 3)
    #expect(try client.call(API.ListDays()).days.first?.totals?.masked ?? 0 > 10)
    #expect(try client.call(API.GetPanels()).panels.isEmpty)
  }
}
