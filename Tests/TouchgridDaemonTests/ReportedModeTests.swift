import Testing
import TouchInput
import TouchModel

@testable import TouchgridDaemon

/// Displays for which clients report the mode that the compositor uses.
@Suite struct ReportedModeTests {
  private static let otherMode = Configuration.Display.Size(width: 1280, height: 720)

  @Test func `The compositor's mode takes precedence over the kernel's preferred one`() throws {
    let machine = try Machine("", [Machine.monitor])
    machine.report(Self.otherMode)
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1280)
    #expect(machine.placement(of: "a").geometrySource == .client)
    // A panel that is attached later gets this mode too, and a change of the connector's modes
    // affects neither panel.
    try machine.plug("b")
    machine.connect([DRMConnector(name: "HDMI-A-1", width: 1024, height: 768)])
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1280)
    #expect(machine.placement(of: "b").geometry.pixelWidth == 1280)
    // If a client reports the mode that the kernel prefers, its source is the kernel.
    let own = Configuration.Display.Size(width: 1024, height: 768)
    machine.report(own)
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1024)
    #expect(machine.placement(of: "a").geometrySource == .drm)
  }

  @Test func `A mode may be reported before the panel and the monitor are there`() throws {
    let machine = try Machine(
      "[[device]]\nmatch = \"*\"\ndisplay = \"HDMI-A-1\"", [], panels: [])
    machine.report(Self.otherMode)
    try machine.plug("a")
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1280)
  }

  @Test func `The configuration and SetDisplay take precedence over a compositor's mode`() throws {
    let machine = try Machine(
      "[[display]]\nname = \"HDMI-A-1\"\nwidth = 800\nheight = 480", [Machine.monitor])
    machine.report(Self.otherMode)
    #expect(machine.placement(of: "a").geometry.pixelWidth == 800)

    let other = try Machine("", [Machine.monitor])
    let size = Configuration.Display.Size(width: 640, height: 400)
    other.capture.apply(DisplayOverride(size: size), to: "HDMI-A-1", at: other.now)
    other.report(Self.otherMode)
    #expect(other.placement(of: "a").geometry.pixelWidth == 640)
  }

  @Test func `A mode that a client may not report any more masks whole screens`() throws {
    let machine = try Machine(Machine.keypad, [Machine.monitor])
    let own = Configuration.Display.Size(width: 1920, height: 1080)
    machine.capture.noteRefusedMode(own, of: "HDMI-A-1", at: machine.now)
    machine.capture.noteRefusedMode(nil, of: "HDMI-A-1", at: machine.now)
    machine.capture.noteRefusedMode(Self.otherMode, of: "DSI-1", at: machine.now)
    machine.typePIN(on: "a")
    #expect(machine.totals == [4, 4, 0])
    machine.capture.noteRefusedMode(Self.otherMode, of: "HDMI-A-1", at: machine.now)
    machine.typePIN(on: "a")
    #expect(machine.totals == [8, 4, 4])
  }

  @Test func `A mode that would move a configured rectangle masks its whole screen`() throws {
    let machine = try Machine(Machine.keypad, [Machine.monitor])
    machine.report(Self.otherMode)
    machine.typePIN(on: "a")
    #expect(machine.totals == [4, 0, 4])
    #expect(machine.capture.widenedMasks.map(\.screen) == ["default"])
    // No later report makes the size certain again, neither from another client nor from this one.
    machine.report(Machine.monitor.size, by: 2)
    machine.report(Machine.monitor.size)
    machine.leave(1)
    machine.typePIN(on: "a")
    #expect(machine.totals == [8, 0, 8])
    // Reading the configuration again does.
    machine.capture.assignment.setConfiguration(machine.capture.assignment.configuration)
    machine.capture.assignDisplays(at: machine.now)
    machine.typePIN(on: "a")
    #expect(machine.totals == [12, 4, 8])
    #expect(machine.capture.widenedMasks.isEmpty)
  }

  @Test func `A second monitor does not make a panel's display uncertain`() throws {
    let machine = try Machine(Machine.keypad, [Machine.monitor])
    let second = DRMConnector(name: "DP-1", width: 1280, height: 1024)
    machine.connectors = [second, Machine.monitor]
    machine.settle()
    // The panel's own monitor is switched off, and then on again.
    machine.connectors = [second]
    machine.settle()
    machine.connectors = [second, Machine.monitor]
    machine.settle()
    machine.typePIN(on: "a")
    #expect(machine.placement(of: "a").geometrySource == .drm)
    // A client reports the mode while monitors settle.
    machine.capture.reassignGuessedDisplays(at: machine.now)
    machine.report(Machine.monitor.size)
    machine.pass(seconds: 8)
    #expect(machine.placement(of: "a").geometrySource == .drm)
    // Another monitor is connected in place of the panel's own.
    machine.connectors = [second, DRMConnector(name: "HDMI-A-1", width: 3840, height: 2160)]
    machine.report(nil)
    machine.settle()
    #expect(machine.placement(of: "a").geometry.pixelWidth == 3840)
    #expect(machine.placement(of: "a").geometrySource == .drm)
  }

  @Test func `The report of a client that has disconnected contradicts nothing`() throws {
    let machine = try Machine(
      Machine.keypad, [DRMConnector(name: "HDMI-A-1", width: 1024, height: 768)])
    machine.report(Configuration.Display.Size(width: 1024, height: 768))
    machine.connect([Machine.monitor])
    machine.capture.release(ClientID(1), at: machine.now)
    machine.pass(seconds: 3)
    machine.report(Machine.monitor.size, by: 2)
    machine.pass(seconds: 12)
    machine.typePIN(on: "a")
    #expect(machine.totals == [4, 4, 0])
  }

  @Test func `A client whose mode follows the kernel's after a moment contradicts nothing`() throws
  {
    let machine = try Machine(
      Machine.keypad, [DRMConnector(name: "HDMI-A-1", width: 1024, height: 768)])
    machine.report(Configuration.Display.Size(width: 1024, height: 768))
    machine.connect([Machine.monitor])
    machine.report(Machine.monitor.size)
    machine.pass(seconds: 8)
    machine.typePIN(on: "a")
    #expect(machine.totals == [4, 4, 0])
  }

  @Test func `A monitor that is off at night, and its follower, change no geometry`() throws {
    let machine = try Machine(
      "[[device]]\nmatch = \"*\"\ndisplay = \"HDMI-A-1\"", [Machine.monitor])
    machine.report(Self.otherMode)
    machine.connectors = []
    machine.report(nil)
    machine.capture.reassignGuessedDisplays(at: machine.now)
    machine.pass(seconds: 8)
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1280)
    machine.connect([DRMConnector(name: "HDMI-A-1")])
    machine.pass(seconds: 3)
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1280)
    machine.connect([Machine.monitor])
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1280)
    machine.report(Self.otherMode)
    machine.pass(seconds: 8)
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1280)
    #expect(machine.placement(of: "a").geometrySource == .client)
  }

  @Test func `A mode applies to the panel's display, whatever else is connected`() throws {
    let machine = try Machine(Machine.keypad, [Machine.monitor])
    machine.connectors = [Machine.panel, Machine.monitor]
    machine.report(Self.otherMode)
    #expect(machine.capture.widenedMasks.map(\.screen) == ["default"])
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1280)
  }

  @Test func `A mode holds until its client withdraws it or has been gone for a while`() throws {
    let machine = try Machine("", [Machine.monitor])
    machine.report(Self.otherMode)
    machine.report(Configuration.Display.Size(width: 800, height: 600), by: 2)
    #expect(machine.placement(of: "a").geometry.pixelWidth == 800)
    machine.leave(2)
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1280)
    // A restarted follower reports the same mode.
    machine.report(Self.otherMode, by: 3)
    machine.leave(1)
    #expect(machine.placement(of: "a").geometrySource == .client)
    // The compositor may still use the mode, although no client reports it any more.
    machine.leave(3)
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1280)
    #expect(machine.placement(of: "a").geometrySource == .guess)
    machine.report(Self.otherMode)
    machine.report(nil)
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1920)
    // While the monitor is off, there is no other size, so the old one stays as a guess.
    machine.report(Self.otherMode)
    machine.connectors = []
    machine.report(nil)
    #expect(machine.placement(of: "a").geometry.pixelWidth == 1280)
    #expect(machine.placement(of: "a").geometrySource == .guess)
  }
}
