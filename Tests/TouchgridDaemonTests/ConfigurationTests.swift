import TestSupport
import Testing
import TouchModel

@testable import TouchgridDaemon

/// The values that are read from a file.
struct ConfigurationTests {
  private func read(_ text: String) throws -> Configuration {
    try Configuration(text: text, file: "touchgridd.toml")
  }

  @Test func `An empty file means the defaults`() throws {
    for text in ["", "\n", "# nothing\r\n", "\u{feff}", "[store]\n[session]\n[log]\n"] {
      #expect(try read(text) == Configuration())
    }
  }

  @Test func `Every key of a file is read`() throws {
    let configuration = try read(
      """
      [store]
      path = "/tmp/a b.db"
      checkpoint = "10m"
      keep_sessions = "1d"
      max_size = "1 MiB"
      [session]
      mode = "manual"
      idle_timeout = "1s"
      max_duration = "7d"
      late_names = "0s"
      [grid]
      block_size = 1
      layers = ["dwell"]
      [devices]
      seat = "seat-kiosk"
      ghosts = false
      edge_grips = false
      [[device]]
      match = "usb-*"
      ignore = true
      display = "DSI-1"
      x = [-2147483648, 2147483647]
      y = [4, 5]
      calibration = "0 -1 1 1 0 0"
      [[display]]
      name = "DSI-1"
      width = 16384
      height = 1
      scale = 2
      rotation = 270
      width_mm = 300.5
      height_mm = 10
      bottom_mm = 700.5
      [[mask]]
      screen = "pin"
      [[mask]]
      screen = "pin"
      display = "DSI-1"
      x = 0
      y = 12.5
      width = 65536
      height = 0.5
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
      [socket]
      path = "/tmp/s"
      [roles]
      app = "kiosk"
      read = ""
      watch = "domain users"
      signal = "hall"
      operate = "staff"
      [log]
      level = "debug"
      """)
    var expected = Configuration()
    expected.store.path = "/tmp/a b.db"
    expected.store.checkpoint = 600_000_000
    expected.store.keepSessions = 86_400_000_000
    expected.store.maxSize = 1_048_576
    expected.session.mode = .manual
    expected.session.idleTimeout = 1_000_000
    expected.session.maxDuration = 604_800_000_000
    expected.session.lateNames = 0
    expected.grid.blockSize = 1
    expected.grid.layers = [.dwell]
    expected.devices.seat = "seat-kiosk"
    expected.devices.ghosts = false
    expected.devices.edgeGrips = false
    var rule = Configuration.DeviceRule(match: "usb-*")
    rule.ignore = true
    rule.display = "DSI-1"
    rule.x = Placement.Range(minimum: .min, maximum: .max)
    rule.y = Placement.Range(minimum: 4, maximum: 5)
    rule.calibration = CalibrationMatrix("0 -1 1 1 0 0")
    expected.deviceRules = [rule]
    var display = Configuration.Display(name: "DSI-1")
    display.size = .init(width: 16_384, height: 1)
    display.scale = 2
    display.rotation = .threeQuarters
    display.panelSize = PanelSize(width: 300.5, height: 10)
    display.bottom = 700.5
    expected.displays = [display]
    expected.masks = [
      Mask(screen: "pin"),
      Mask(
        screen: "pin", display: "DSI-1",
        rectangle: Rectangle(x: 0, y: 12.5, width: 65_536, height: 0.5)),
    ]
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
    expected.socket.path = "/tmp/s"
    expected.roles.app = "kiosk"
    expected.roles.read = nil
    expected.roles.watch = "domain users"
    expected.roles.signal = "hall"
    expected.roles.operate = "staff"
    expected.log.level = .debug
    #expect(configuration == expected)
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
