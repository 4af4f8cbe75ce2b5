import TestSupport
import Testing
import TouchModel

@testable import TouchgridDaemon

struct ConfigurationTests {
  private func read(_ text: String) throws -> Configuration {
    try Configuration(text: text, file: "touchgridd.toml")
  }

  @Test func `An empty file means the defaults`() throws {
    for text in ["", "\n", "# nothing\r\n", "\u{feff}", "[store]\n[session]\n[log]\n"] {
      #expect(try read(text) == Configuration())
    }
  }

  /// `ConfigurationExplanationTests` reads all other keys.
  @Test func `Keys that the explanation does not show are read`() throws {
    let configuration = try read(
      """
      [[display]]
      name = "DSI-1"
      width_mm = 300.5
      height_mm = 10
      bottom_mm = 700.5
      [[cover]]
      x = 1
      y = 2.5
      width = 3
      height = 4
      [[cover]]
      display = "DSI-1"
      x = 1
      y = 2.5
      width = 3
      height = 4
      [[control]]
      name = "pay"
      screen = "checkout"
      x = 1
      y = 2.5
      width = 3
      height = 4
      [[control]]
      name = "more"
      screen = "checkout"
      x = 0
      y = 0
      width = 1
      height = 1
      rage = false
      [[control]]
      name = "pay"
      screen = "checkout"
      display = "DSI-1"
      x = 1
      y = 2.5
      width = 3
      height = 4
      """)
    var expected = Configuration()
    var display = Configuration.Display(name: "DSI-1")
    display.panelSize = PanelSize(width: 300.5, height: 10)
    display.bottom = 700.5
    expected.displays = [display]
    let pay = Control(
      name: "pay", rectangle: try #require(Rectangle(x: 1, y: 2.5, width: 3, height: 4)))
    expected.covers = [nil, "DSI-1"].map { Cover(display: $0, rectangle: pay.rectangle) }
    let more = Control(
      name: "more", rectangle: try #require(Rectangle(x: 0, y: 0, width: 1, height: 1)),
      countsRage: false)
    expected.controls = [
      ScreenControls(screen: "checkout", controls: [pay, more]),
      ScreenControls(screen: "checkout", display: "DSI-1", controls: [pay]),
    ]
    #expect(configuration == expected)
  }

  @Test func `Values at their limits are accepted`() throws {
    let configuration = try read(
      """
      store.checkpoint = "10m"
      store.keep_sessions = "1d"
      store.max_size = "1 MiB"
      session.idle_timeout = "1s"
      session.max_duration = "7d"
      grid.block_size = 1
      [[device]]
      match = "*"
      x = [-2147483648, 2147483647]
      y = [4, 5]
      [[display]]
      name = "DSI-1"
      width = 16384
      height = 1
      [[mask]]
      screen = "pin"
      x = 0
      y = 12.5
      width = 65536
      height = 0.5
      """)
    #expect(configuration.store.keepSessions == 86_400_000_000)
    #expect(configuration.store.maxSize == 1_048_576)
    #expect(configuration.deviceRules[0].x == Placement.Range(minimum: .min, maximum: .max))
    #expect(configuration.displays[0].size == .init(width: 16_384, height: 1))
  }

  @Test func `The rules of sessions come from the file`() throws {
    #expect(Configuration().sessionRules == SessionRules())
    let rules = try read(
      """
      store.checkpoint = "7s"
      devices.ghosts = false
      devices.edge_grips = false
      grid.layers = ["trail"]
      [session]
      mode = "manual"
      idle_timeout = "30s"
      max_duration = "1h"
      late_names = "1s"
      """
    ).sessionRules
    #expect(
      rules
        == SessionRules(
          mode: .manual, idleTimeout: 30_000_000, maxDuration: 3_600_000_000,
          lateNames: 1_000_000, checkpoint: 7_000_000, layers: [.trail], separatesGhosts: false,
          countsPanels: false, countsGrips: false))
  }

  @Test(arguments: [
    ("ELAN", "ELAN", true), ("ELAN", "ELAN2", false), ("ELAN*", "ELAN2", true), ("*", "", true),
    ("", "", true), ("?", "", false), ("?", "é", true), ("*2*", "ELAN2 x", true),
    ("a*b*c", "aXbYbZc", true), ("a*b*c", "aXbYbZ", false), ("a?c", "abc", true),
    ("a?c", "abbc", false), ("elan", "ELAN", false), ("a*", "ba", false), ("**a", "ba", true),
    ("Evil %s %d \"\n ", "Evil %s %d \"\n ", true), ("a**", "a", true), ("*?", "", false),
  ])
  func `A match covers the whole name, with stars and question marks`(
    pattern: String, name: String, fits: Bool
  ) {
    #expect(Configuration.DeviceRule(match: pattern).matches(name) == fits)
  }

  @Test func `A hostile match pattern takes limited time`() {
    let rule = Configuration.DeviceRule(match: String(repeating: "a*", count: 250) + "b")
    let time = processorTime {
      #expect(!rule.matches(String(repeating: "a", count: 5000)))
    }
    #expect(time < 20_000_000_000 * slowness)
  }

  @Test func `The first rule that matches the key or the name applies`() throws {
    let configuration = try read(
      "[[device]]\nmatch = \"key-1\"\n[[device]]\nmatch = \"ELAN*\"\n[[device]]\nmatch = \"*\"")
    #expect(configuration.rule(key: "key-1", name: "ELAN")?.match == "key-1")
    #expect(configuration.rule(key: "key-2", name: "ELAN")?.match == "ELAN*")
    #expect(configuration.rule(key: "key-2", name: "")?.match == "*")
    #expect(Configuration().rule(key: "key-1", name: "ELAN") == nil)
  }
}
