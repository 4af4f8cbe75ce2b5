import Foundation
import Testing
import TouchInput
import TouchModel

@testable import TouchgridDaemon

/// Masks while the size of a display, or the display of a panel, is a guess.
@Suite struct UncertainPlacementTests {
  @Test(arguments: [
    [], [DRMConnector(name: "HDMI-A-1")],
    [DRMConnector(name: "DSI-1"), DRMConnector(name: "HDMI-A-1")],
  ]) func `While the size is guessed, a masked rectangle covers its whole screen`(
    connectors: [DRMConnector]
  ) throws {
    let machine = try Machine(Machine.keypad, connectors)
    machine.typePIN(on: "a")
    #expect(machine.totals == [4, 0, 4])
    #expect(machine.capture.widenedMasks.map(\.screen) == ["default"])
  }

  @Test(arguments: [[], [Machine.panel], [Machine.monitor], [Machine.panel, Machine.monitor]])
  func `A mask for a display covers a panel that may lie on it`(connectors: [DRMConnector]) throws {
    let machine = try Machine(
      """
      [[mask]]
      screen = "default"
      display = "HDMI-A-1"
      """, connectors)
    machine.typePIN(on: "a")
    #expect(machine.totals == [4, 0, 4])
  }

  @Test func `A mask for a display does not cover a panel that is configured for another`() throws {
    let machine = try Machine(
      """
      [[device]]
      match = "*"
      display = "DSI-1"
      [[mask]]
      screen = "default"
      display = "HDMI-A-1"
      """, [Machine.panel])
    machine.typePIN(on: "a")
    #expect(machine.totals == [4, 4, 0])
  }

  @Test func `Once the monitor is there, masks are exact, and masked touches stay masked`() throws {
    let machine = try Machine(Machine.keypad, [DRMConnector(name: "HDMI-A-1")])
    machine.typePIN(on: "a")
    machine.down("a", x: 300, y: 300)
    machine.connect([Machine.monitor])
    machine.up("a")
    #expect(machine.totals == [5, 0, 5])
    machine.pass(seconds: 8)
    machine.touch("a", x: 300, y: 300)
    machine.touch("a", x: 120, y: 120)
    #expect(machine.totals == [7, 1, 6])
    #expect(machine.capture.widenedMasks.isEmpty)
  }

  @Test func `Modes that the kernel lists after it reported the monitor are found`() throws {
    let machine = try Machine(Machine.keypad, [])
    #expect(machine.capture.nextLook == nil)
    machine.connect([DRMConnector(name: "HDMI-A-1")])
    #expect(machine.placement(of: "a").geometrySource == .guess)
    #expect(machine.capture.nextDeadline != nil)
    machine.connectors = [Machine.monitor]
    _ = machine.totals
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1920)
    // The kernel may still list the modes of the previous monitor.
    #expect(!machine.capture.widenedMasks.isEmpty)
    machine.pass(seconds: 8)
    #expect(machine.capture.widenedMasks.isEmpty && machine.capture.nextLook == nil)
  }

  @Test func `One event reads the connected displays once, with any number of panels`() throws {
    let machine = try Machine(
      Machine.keypad, [DRMConnector(name: "HDMI-A-1")], panels: ["a", "b", "c"])
    #expect(machine.readings == 3)
    machine.capture.reassignGuessedDisplays(at: machine.now)
    #expect(machine.readings == 4)
    machine.report(Configuration.Display.Size(width: 1280, height: 720))
    #expect(machine.readings == 5)
    machine.pass(seconds: 1)
    #expect(machine.readings == 6)
  }

  @Test func `A monitor without modes is looked at seven times only`() throws {
    let machine = try Machine(Machine.keypad, [DRMConnector(name: "HDMI-A-1")])
    var looks = 0
    while machine.capture.nextLook != nil, looks < 100 {
      let before = machine.capture.nextLook?.due
      _ = machine.totals
      if machine.capture.nextLook?.due != before { looks += 1 }
    }
    #expect(looks == 7)
  }

  @Test func `A late name masks touches from before the monitor was known`() throws {
    let machine = try Machine(
      Machine.keypad.replacing("default", with: "pin"), [DRMConnector(name: "HDMI-A-1")])
    machine.down("a", x: 300, y: 300)
    let began = machine.now.monotonic
    machine.connect([Machine.monitor])
    machine.up("a")
    try machine.capture.recorder.setScreen("pin", changed: began, at: machine.now)
    #expect(machine.totals == [1, 0, 1])
  }

  @Test func `Turning a display of guessed size keeps masks widened, and giving its size does not`()
    throws
  {
    let machine = try Machine("", [DRMConnector(name: "HDMI-A-1")])
    let corner = Mask(screen: "default", rectangle: Rectangle(x: 0, y: 0, width: 5, height: 5))
    machine.capture.setMasks([corner], at: machine.now)
    machine.capture.apply(DisplayOverride(rotation: .half), to: "HDMI-A-1", at: machine.now)
    machine.typePIN(on: "a")
    #expect(machine.totals == [4, 0, 4])
    let size = Configuration.Display.Size(width: 1920, height: 1080)
    machine.capture.apply(DisplayOverride(size: size), to: "HDMI-A-1", at: machine.now)
    machine.typePIN(on: "a")
    #expect(machine.totals == [8, 4, 4])
  }

  @Test func `More masks than the recorder can take mask everything`() throws {
    let machine = try Machine("", [Machine.monitor])
    let many = (0...Masks.limit).map { Mask(screen: "s\($0)") }
    machine.capture.setMasks(many, at: machine.now)
    machine.typePIN(on: "a")
    #expect(machine.totals == [4, 0, 4])
    machine.capture.setMasks(Array(many.dropLast()), at: machine.now)
    machine.typePIN(on: "a")
    #expect(machine.totals == [8, 4, 4])
  }

  @Test func `The only described display need not be the touchscreen's`() throws {
    let machine = try Machine(
      """
      [[display]]
      name = "HDMI-A-1"
      [[mask]]
      screen = "default"
      display = "DSI-1"
      """, [Machine.panel, Machine.monitor])
    machine.typePIN(on: "a")
    #expect(machine.totals == [4, 0, 4])
  }

  @Test func `Another monitor, or one without modes yet, masks whole screens`() throws {
    let machine = try Machine(Machine.keypad, [Machine.monitor])
    machine.report(Machine.monitor.size)
    machine.connect([DRMConnector(name: "HDMI-A-1", width: 3840, height: 2160)])
    #expect(machine.capture.widenedMasks.map(\.screen) == ["default"])
    machine.pass(seconds: 8)
    #expect(machine.capture.widenedMasks.map(\.screen) == ["default"])

    let other = try Machine(Machine.keypad, [Machine.monitor])
    other.connect([DRMConnector(name: "HDMI-A-1")])
    other.pass(seconds: 3)
    #expect(other.capture.widenedMasks.map(\.screen) == ["default"])
    #expect(other.placement(of: "a").geometry.pixelWidth == 1920)
    other.connectors = [DRMConnector(name: "HDMI-A-1", width: 3840, height: 2160)]
    other.pass(seconds: 8)
    #expect(other.placement(of: "a").geometry.pixelWidth == 3840)
    #expect(other.capture.widenedMasks.isEmpty)
  }

  @Test func `If the monitor is on another connector, whole screens are masked`() throws {
    let machine = try Machine(Machine.keypad, [Machine.monitor])
    machine.connect([DRMConnector(name: "DP-1", width: 3840, height: 2160)])
    machine.pass(seconds: 8)
    machine.typePIN(on: "a")
    #expect(machine.totals == [4, 0, 4])
    // The monitor is on the old connector again.
    machine.connect([Machine.monitor])
    machine.pass(seconds: 8)
    machine.typePIN(on: "a")
    #expect(machine.totals == [8, 4, 4])
  }

  @Test func `A size set by a client stays known without modes of the monitor`() throws {
    let machine = try Machine("", [DRMConnector(name: "HDMI-A-1")])
    let size = Configuration.Display.Size(width: 1920, height: 1080)
    machine.capture.apply(DisplayOverride(size: size), to: "HDMI-A-1", at: machine.now)
    machine.settle()
    #expect(machine.placement(of: "a").geometrySource == .client)
  }

  @Test func `A monitor that is switched off does not move a panel`() throws {
    let machine = try Machine(Machine.keypad, [Machine.monitor])
    machine.connect([])
    machine.typePIN(on: "a")
    #expect(machine.totals == [4, 4, 0])
  }

  @Test func `A second panel gets the known size of its display`() throws {
    let machine = try Machine(
      Machine.keypad + "\n[[device]]\nmatch = \"*\"\ndisplay = \"HDMI-A-1\"", [Machine.monitor])
    machine.connectors = []
    try machine.plug("b")
    for device in ["a", "b"] {
      let placement = machine.placement(of: device)
      #expect(placement.geometry.pixelWidth == 1920, "\(device)")
      #expect(placement.geometrySource == .drm, "\(device)")
    }
    #expect(machine.capture.widenedMasks.isEmpty)
  }

  @Test func `After the uncertain panel is unplugged, masks are exact`() throws {
    let machine = try Machine(
      Machine.keypad + "\n[[device]]\nmatch = \"a\"\ndisplay = \"DSI-1\"",
      [Machine.panel, Machine.monitor])
    try machine.plug("b")
    #expect(machine.capture.widenedMasks.map(\.display) == ["panel b"])
    machine.touch("a", x: 1000, y: 1000)
    machine.unplug("b")
    #expect(machine.capture.widenedMasks.isEmpty)
    #expect(machine.totals == [1, 1, 0])
  }

  @Test func `Once a panel sends values far outside of its range, whole screens are masked`() throws
  {
    let machine = try Machine(Machine.keypad, [Machine.monitor])
    machine.touch("a", x: 500, y: 1090)
    #expect(machine.totals == [1, 1, 0] && machine.capture.widenedMasks.isEmpty)
    machine.touch("a", x: 500, y: 1800)
    #expect(machine.totals == [2, 2, 0])
    #expect(machine.capture.widenedMasks.map(\.screen) == ["default"])
    machine.typePIN(on: "a")
    #expect(machine.totals == [6, 2, 4])
    machine.unplug("a")
    try machine.plug("a")
    machine.typePIN(on: "a")
    #expect(machine.totals == [10, 2, 8])
  }

  @Test func `A mask beyond the limit of rectangles covers its whole screen`() throws {
    let masks = (0..<Masks.limit).map {
      Mask(screen: "s\($0)", rectangle: Rectangle(x: 0, y: 0, width: 1, height: 1))
    }
    let doubt = PlacementUncertainty(display: "d", isPlaceGuessed: true, alternatives: .all)
    let widened = Masks.widened(masks, by: [doubt, doubt])
    #expect(widened.count == Masks.limit)
    let all = try #require(Masks(masks, widened: widened))
    #expect(all.contains(Mask(screen: "s511", display: "d")))
  }
}
