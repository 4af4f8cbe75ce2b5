import Glibc
import LinuxIO
import TestSupport
import Testing
import TouchModel
import TouchgridAPI

@testable import TouchgridDaemon

@Suite struct ControlMethodTests {
  private static let configuration =
    "[session]\nmode = 'manual'\n[[display]]\nname = 'glass'\nwidth = 1024\nheight = 768\n"
    + "width_mm = 256\nheight_mm = 192\nbottom_mm = 900\n"
    + "[[control]]\nname = 'row'\nscreen = 'default'\nx = 0\ny = 0\nwidth = 1024\nheight = 16\n"

  private func control(
    _ name: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double
  ) -> API.Control {
    API.Control(name: name, rectangle: .init(x: x, y: y, width: width, height: height))
  }

  private func controls(_ reply: API.GetCounts.Reply) throws -> [SummedControls] {
    try reply.counts.map { counts in
      try #require(counts.found(ControlKind()).flatMap { SummedControls($0) })
    }
  }

  @Test func `Controls of clients and of the configuration count`() throws {
    let daemon = try RunningDaemon(
      "[store]\ncheckpoint = '1s'\n" + Self.configuration, playing: taps(3000, every: 20_000))
    var client = try daemon.client()
    let few = control("few", 0, 0, 160, 400)
    _ = try client.call(API.SetControls(screen: "default", display: "glass", controls: [few]))
    let known = try client.call(API.GetControls())
    #expect(
      known.added == [API.ScreenControls(screen: "default", display: "glass", controls: [few])])
    #expect(known.configured.map { $0.controls.map(\.name) } == [["row"]])
    let session = try client.call(API.BeginSession()).session
    try daemon.pass(seconds: 10)
    let counts = try controls(client.call(API.GetCounts(kind: "controls", session: session)))
    let screen = try #require(counts.first)
    #expect(screen.counts[1].hits.count > 10)
    #expect(counts.count == 1 && screen.counts.key.screen == "default")
    #expect(screen.counts.set.pointSize == 0.25 && screen.view.bottom == 900)
    #expect(screen.counts.set.controls.map(\.name) == ["row", "few"] && screen.sessions == 1)
  }

  @Test func `A control in the configuration takes the place of one of a client`() throws {
    let daemon = try RunningDaemon(Keypad.display)
    var client = try daemon.client()
    _ = try client.call(API.SetControls(screen: "default", controls: [control("row", 0, 0, 9, 9)]))
    // The owner makes it permanent.
    try daemon.write(Self.configuration)
    daemon.signal(SIGHUP)
    try daemon.waitForLog("controls of clients are ignored on screen default")
    let known = try client.call(API.GetControls())
    #expect(known.configured.map { $0.controls.map(\.name) } == [["row"]])
  }

  @Test func `No two lists are joined to one that cannot be`() throws {
    func list(_ names: [String], display: String? = nil) throws -> ScreenControls {
      ScreenControls(
        screen: "s", display: display,
        controls: try names.map {
          Control(name: $0, rectangle: try #require(Rectangle(x: 0, y: 0, width: 1, height: 1)))
        })
    }
    let many = (0..<200).map { "\($0)" }
    for (configured, added) in [(["a"], ["b", "a"]), (many, many.map { "x" + $0 })] {
      let lists = ControlLists(configured: [try list(configured)], added: [try list(added)])
      #expect(lists.joined.map { $0.controls.map(\.name) } == [configured])
      #expect(lists.conflicts.count == 1)
    }
    let both = ControlLists(configured: [try list(["a"])], added: [try list(["b"], display: "d")])
    #expect(both.conflicts.isEmpty)
    #expect(
      both.joined.first { $0.display == "d" }?.controls.map(\.name) == ["a", "b"])
    #expect(both.joined.first { $0.display == nil }?.controls.map(\.name) == ["a"])
  }

  @Test func `A page that scrolls has at most 64 layouts in a day`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    var client = try daemon.client()
    func isCounted(_ y: Int) throws -> Bool {
      try client.call(
        API.SetControls(screen: "page", controls: [control("top", 0, Double(y), 9, 9)])
      ).isCounted
    }
    // Layouts that are known may come again.
    for y in Array(0..<64) + [3, 63, 0] { #expect(try isCounted(y)) }
    #expect(try !isCounted(64))
    // The former layout is not shown any more, so touches must not be compared with it.
    #expect(try client.call(API.GetControls()).added.isEmpty)
    #expect(try isCounted(5))
    #expect(try client.call(API.GetControls()).added.count == 1)
    _ = try client.call(API.SetControls(screen: "page", controls: []))
    #expect(try client.call(API.GetControls()).added.isEmpty)
  }

  @Test func `Invalid controls are refused, and the former ones stay`() throws {
    let daemon = try RunningDaemon(Self.configuration)
    var client = try daemon.client()
    _ = try client.call(API.SetControls(screen: "a", controls: [control("pay", 0, 0, 1, 1)]))
    let wrong: [[API.Control]] = [
      [control("pay", 0, 0, 0, 1)], [control("pay", 0, 0, 1, -1)], [control("", 0, 0, 1, 1)],
      [control("a\u{7}b", 0, 0, 1, 1)], [control("pay", 1e9, 0, 1, 1)],
      [control("pay", -9, 0, 5, 1)], [control("pay", 0, 0, 1, 1), control("pay", 2, 0, 1, 1)],
    ]
    for controls in wrong {
      client.fails(API.InvalidValue.self, API.SetControls(screen: "a", controls: controls))
    }
    // A name of the configuration cannot be used again on its screen.
    client.fails(
      API.InvalidValue.self,
      API.SetControls(screen: "default", controls: [control("row", 0, 0, 1, 1)]))
    let many = (0..<257).map { control("\($0)", Double($0), 0, 1, 1) }
    client.fails(API.LimitReached.self, API.SetControls(screen: "a", controls: many))
    // Sixteen screens of 256 controls are all that clients may have.
    for number in 0..<15 {
      _ = try client.call(
        API.SetControls(screen: "screen \(number)", controls: Array(many.dropLast())))
    }
    client.fails(
      API.LimitReached.self,
      API.SetControls(screen: "one too many", controls: Array(many.dropLast())))
    let added = try client.call(API.GetControls()).added
    #expect(added.first?.controls.map(\.name) == ["pay"] && added.count == 16)
  }

  @Test func `Impossible responses are refused`() throws {
    let daemon = try RunningDaemon(Self.configuration, playing: taps(1, every: 20_000))
    var client = try daemon.client()
    let now = daemon.now
    let wrong: [(screen: String, control: String, ended: Int64?, time: Int64?)] = [
      ("", "a", nil, 1), ("a", "", nil, 1), ("a", "b", nil, -1), ("a", "b", nil, 2501),
      ("a", "b", nil, .min), ("a", "b", now + 60_000_000, 1), ("a", "b", now - 6_000_000, 1),
      ("a", "b", now, 2500),
      ("a", "b", .min, nil), ("a", "b", .max, nil),
    ]
    for (screen, control, ended, time) in wrong {
      client.fails(
        API.InvalidValue.self,
        API.AddResponse(screen: screen, control: control, endedAtUs: ended, responseMs: time))
    }
    _ = try client.call(API.AddResponse(screen: "a", control: "b", responseMs: 2500))
  }
}
