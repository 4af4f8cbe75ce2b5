import TestSupport
import TouchModel
import TouchgridAPI
import Varlink

/// Sample replies of a daemon.
enum SampleReplies {
  static func display(
    _ name: String = "HDMI-A-1", screen: String = "menu", source: Source = .drm
  ) throws -> API.Display {
    API.Display(
      name: name, geometry: API.Geometry(try geometry()), geometrySource: source,
      screen: screen, devices: ["usb-1"])
  }

  static func device(
    name: String = "Panel", displaySource: Source = .drm, touchesDown: Int = 0,
    unheardContacts: Int? = 0, touches: Int64 = 0
  ) throws -> API.Device {
    let placement = Placement(
      device: "usb-1", x: .init(minimum: 0, maximum: 4095), y: .init(minimum: 0, maximum: 4095),
      display: "HDMI-A-1", geometry: try geometry(), displaySource: displaySource)
    return API.Device(
      placement: placement, node: "/dev/input/event3", name: name, contactProtocol: .slots,
      slots: 10, isVirtual: false, touchesDown: touchesDown, unheardContacts: unheardContacts,
      silentForMs: 3000, tally: Self.tally(touches: touches))
  }

  private static func tally(touches: Int64, drops: Int64 = 0, echoes: Int64 = 0) -> API.DeviceTally
  {
    API.DeviceTally(
      touches: touches, drops: drops, suspectedGhosts: 0, echoes: echoes, unrecorded: 0)
  }

  static func masks(
    configured: [API.Mask] = [], added: [API.Mask] = [], widened: [API.Mask] = [],
    everything: Bool = false
  ) -> API.GetMasks.Reply {
    API.GetMasks.Reply(
      configured: configured, added: added, widened: widened, everything: everything, revision: 0)
  }

  static func status(
    mode: API.SessionMode = .automatic, session: SessionRecord? = nil, pauses: Int = 0,
    storeError: String? = nil, widenedMasks: Int = 0, gridsAreFull: Bool = false,
    masksEverything: Bool = false, restartNeededFor: [String] = []
  ) -> API.GetStatus.Reply {
    API.GetStatus.Reply(
      version: "9.8.7", uptimeMs: 7_500_000, mode: mode, session: session.map(API.Session.init),
      lastTouchAtMs: SampleStore.began.milliseconds, touchesDown: 1, pauses: pauses,
      tally: Self.tally(touches: 12, drops: 2, echoes: 1), devices: 1, refusedDevices: 0,
      clients: 3, watchers: 1, followers: 1, widenedMasks: widenedMasks,
      masksEverything: masksEverything, restartNeededFor: restartNeededFor,
      grids: API.GridMemory(
        bytes: gridsAreFull ? 25_165_824 : 9792, limitBytes: 33_554_432, isFull: gridsAreFull),
      store: API.Store(
        path: "/tmp/none/store.db", bytes: 126_976, error: storeError, waitingBytes: 0, givenUp: 0))
  }

  /// The answers of a daemon that has a past, but no sessions.
  static func past(
    _ devices: [API.Device], status: API.GetStatus.Reply = status(), displays: [API.Display] = [],
    days: [API.Day] = [], panels: [API.Counts] = []
  ) -> [String: StubDaemon.Answer] {
    [
      "GetStatus": .reply(status),
      "GetDevices": .reply(API.GetDevices.Reply(devices: devices, refused: [])),
      "GetDisplays": .reply(API.GetDisplays.Reply(displays: displays)),
      "ListDays": .reply(API.ListDays.Reply(days: days)),
      "ListSessions": .reply(API.ListSessions.Reply(sessions: [])),
      "GetCounts": counts(.reply(API.GetCounts.Reply(counts: panels, hidden: 0))),
      "GetGrids": .reply(API.GetGrids.Reply(grids: [])),
      "Resume": .reply(API.NoReply()),
    ]
  }

  /// - Parameter panels: the answer for panels; there are no other counts.
  static func counts(_ panels: StubDaemon.Answer) -> StubDaemon.Answer {
    .asked { call throws(VarlinkError) in
      try call.parameters(API.GetCounts.self).kind == PanelKind.name
        ? panels : .reply(API.GetCounts.Reply(counts: [], hidden: 0))
    }
  }

  static func touch(
    _ id: Int64, _ phase: Phase, x: Double = 10, y: Double = 20,
    cancellation: API.Cancellation? = nil, display: String = "HDMI-A-1", screen: String = "menu"
  ) -> API.Touch {
    API.Touch(
      id: id, phase: phase, cancellation: cancellation, point: API.Point(x: x, y: y),
      block: API.Block(column: Int(x / 16), row: y.isFinite ? Int(y / 16) : 0), device: "usb-1",
      display: display, screen: screen, preexisting: false)
  }
}
