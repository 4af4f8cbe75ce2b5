import FoundationEssentials
import Glibc
import Heatmaps
import TestSupport
import Testing
import TouchModel
import TouchgridAPI
import Varlink

@testable import TouchgridCommands

@Suite final class WatchTests: FolderSuite {
  private func frame(
    _ touches: [API.Touch], at time: Int64 = 0, displays: [API.Display]? = nil
  ) -> API.WatchTouches.Reply {
    API.WatchTouches.Reply(atUs: time, touches: touches, displays: displays)
  }

  // MARK: Text

  private func ticker(moves: Bool = false, display: String? = nil) -> TouchLinePrinter {
    TouchLinePrinter(
      showsMoves: moves, display: display, wallOrigin: SampleStore.began.milliseconds)
  }

  @Test func `Touch-downs and touch-ups are one line each`() throws {
    var ticker = ticker()
    let lines = ticker.lines(
      for: frame(
        [
          SampleReplies.touch(7, .began, x: 10.04, y: 90),
          SampleReplies.touch(8, .moved), SampleReplies.touch(9, .stationary),
          SampleReplies.touch(6, .cancelled, cancellation: .palm, screen: "a\u{1b}"),
        ], at: 1_000_000, displays: [try SampleReplies.display()]))
    #expect(
      lines == [
        "14:03:13.345  HDMI-A-1, 160x96, shows menu",
        "14:03:13.345  began     #7     (10.0, 90.0)      block 0,5  menu",
        "14:03:13.345  cancelled #6     (10.0, 20.0)      block 0,1  a\\u{1b} [palm]",
      ])
  }

  @Test func `Moves are shown on request, and touches of other displays are not`() {
    var ticker = ticker(moves: true, display: "B")
    let touches = [
      SampleReplies.touch(1, .moved, display: "A"), SampleReplies.touch(2, .moved, display: "B"),
    ]
    let lines = ticker.lines(for: frame(touches))
    #expect(lines.count == 1 && lines[0].contains("#2"))
  }

  @Test func `A display is printed again only when it changes`() throws {
    var ticker = ticker()
    let menu = try SampleReplies.display()
    #expect(ticker.lines(for: frame([], displays: [menu])).count == 1)
    #expect(ticker.lines(for: frame([], displays: [menu])).count == 0)
    #expect(
      ticker.lines(for: frame([], displays: [try SampleReplies.display(screen: "pay")])).count == 1)
  }

  @Test func `With several displays, each touch names its display`() throws {
    var ticker = ticker()
    let displays = [try SampleReplies.display("A"), try SampleReplies.display("B")]
    let lines = ticker.lines(
      for: frame([SampleReplies.touch(1, .began, display: "B")], displays: displays))
    #expect(lines.last?.hasSuffix("  menu on B") == true)
  }

  @Test func `Impossible times and points do no harm`() {
    var ticker = ticker()
    let lines = ticker.lines(for: frame([SampleReplies.touch(1, .began)], at: .max))
    #expect(lines.count == 1)
    var far = SampleReplies.touch(1, .began)
    far.point = API.Point(x: 1e300, y: -1e300)
    #expect(ticker.lines(for: frame([far])).count == 1)
  }

  // MARK: Map

  private func lines(
    _ map: LiveMap, width: Int = 42, height: Int = 30, now: Int64 = 0
  ) -> [String] {
    map.lines(width: width, height: height, now: now, colours: .plain)
  }

  @Test func `A finger is drawn at its point`() throws {
    var map = LiveMap(display: nil)
    // 160 x 96 points in 40 x 12 characters.
    map.apply(
      frame(
        [
          SampleReplies.touch(1, .began, x: 0, y: 0),
          SampleReplies.touch(2, .began, x: 159.9, y: 95.9),
        ], displays: [try SampleReplies.display()]))
    let lines = lines(map)
    #expect(lines.count == 2 + 14 + 1)
    #expect(lines[0] == "HDMI-A-1 shows menu")
    #expect(lines[1] == "2 touches since the start, 2 down")
    #expect(lines[3] == "|@" + String(repeating: " ", count: 39) + "|")
    #expect(lines[14] == "|" + String(repeating: " ", count: 39) + "@|")
  }

  @Test func `The place of a past touch fades away`() throws {
    var map = LiveMap(display: nil)
    map.apply(
      frame([SampleReplies.touch(1, .began, x: 0, y: 0)], displays: [try SampleReplies.display()]))
    map.apply(frame([SampleReplies.touch(1, .ended, x: 0, y: 0)], at: 1000))
    #expect(lines(map, now: 1000)[3].hasPrefix("|o"))
    #expect(lines(map, now: 1_000_000)[3].hasPrefix("|."))
    #expect(map.isFading)
    map.forget(before: 2_000_000)
    #expect(!map.isFading && lines(map, now: 2_000_000)[3].hasPrefix("| "))
  }

  @Test func `A map fits its terminal`() throws {
    var map = LiveMap(display: nil)
    let touches = [SampleReplies.touch(1, .began, x: 1e9, y: -.infinity)]
    map.apply(frame(touches, displays: [try SampleReplies.display(screen: "a\u{1b}[2J")]))
    for (width, height) in [(80, 24), (20, 50), (200, 8), (5, 6), (1, 1), (0, 0)] {
      let lines = lines(map, width: width, height: height)
      #expect(lines.count <= height)
      #expect(lines.allSatisfy { $0.count <= max(width, 5) && !$0.contains("\u{1b}") })
    }
  }

  @Test func `A display with an impossible geometry is not drawn`() throws {
    var map = LiveMap(display: nil)
    var display = try SampleReplies.display()
    display.geometry.pixelHeight = .max
    display.geometry.height = 1e300
    map.apply(frame([SampleReplies.touch(1, .began)], displays: [display]))
    #expect(lines(map).isEmpty)
  }

  @Test func `The display of the last touch is shown unless one is named`() throws {
    let displays = [try SampleReplies.display("A"), try SampleReplies.display("B")]
    var map = LiveMap(display: nil)
    var onlyA = LiveMap(display: "A")
    for touch in [
      SampleReplies.touch(1, .began, display: "A"), SampleReplies.touch(2, .began, display: "B"),
    ] {
      map.apply(frame([touch], displays: displays))
      onlyA.apply(frame([touch], displays: displays))
    }
    #expect(lines(map)[0].hasPrefix("B shows"))
    #expect(lines(onlyA)[0].hasPrefix("A shows"))
    #expect(lines(LiveMap(display: "C"))[0].contains("no display C"))
  }

  // MARK: The verb

  @Test func `watch prints text or JSON until it ends`() throws {
    let display = try SampleReplies.display()
    let frames = [
      frame([], displays: [display]), frame([SampleReplies.touch(1, .began)], at: 5),
      frame([SampleReplies.touch(1, .ended)], at: 9),
    ]
    let daemon = try StubDaemon(in: folder, ["WatchTouches": .stream(frames)])
    let text = try Program.start(["watch", "--socket", daemon.path], in: folder)
    try waitUntil { try text.output.split(separator: "\n").count == 3 }
    kill(text.process, SIGINT)
    #expect(try text.finish().status == 0)
    let json = try Program.start(["watch", "--json", "--socket", daemon.path], in: folder)
    try waitUntil { try json.output.split(separator: "\n").count == 3 }
    kill(json.process, SIGTERM)
    let result = try json.finish()
    #expect(result.status == 0 && result.error == "")
    let replies = try result.text.split(separator: "\n").map {
      try JSONDecoder().decode(API.WatchTouches.Reply.self, from: Data($0.utf8))
    }
    #expect(replies == frames)
  }

  @Test func `watch exits silently when its reader closes the pipe`() throws {
    let frame = frame([SampleReplies.touch(1, .began)])
    let daemon = try StubDaemon(
      in: folder, ["WatchTouches": .stream(Array(repeating: frame, count: 2000))])
    // A parent process may leave SIGPIPE ignored or with its default action.
    for ignoring in ["trap '' PIPE; ", ""] {
      let command = "\(ignoring)'\(try Program.path)' watch | head -1"
      let result = try Program.run(
        ["-c", command], program: "sh", environment: ["TOUCHGRID_SOCKET": daemon.path], in: folder)
      #expect(result.status == 0 && result.error == "")
      #expect(result.text.contains("began"))
    }
  }

  @Test func `A map needs a terminal`() throws {
    let result = try Program.run(["watch", "--map"], in: folder)
    #expect(result.status == 1)
    #expect(result.error == "touchgrid: --map needs a terminal\n")
  }
}
