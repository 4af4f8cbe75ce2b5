import Foundation
import TestSupport
import Testing
import TouchInput
import TouchModel

@testable import TouchgridDaemon

@Suite struct DisplayAssignmentTests {
  private func panel(output: String? = nil, calibration: String? = nil) throws -> PanelIdentity {
    PanelIdentity(
      key: "1209:0001@usb-1", name: "Panel",
      contactProtocol: try ContactProtocol(of: .panel(x: 0...32767, y: 0...32767)),
      calibration: calibration, output: output)
  }

  private func place(
    _ panel: PanelIdentity, _ text: String = "", connectors: [DRMConnector] = []
  ) throws -> DisplayAssignment.Result {
    let configuration = try Configuration(text: text, file: "test.toml")
    return try #require(
      DisplayAssignment(configuration: configuration).place(panel, connectors: connectors))
  }

  private let connectors = [
    DRMConnector(name: "DSI-1", width: 800, height: 1280),
    DRMConnector(name: "HDMI-A-1", width: 1920, height: 1080),
  ]

  @Test func `The configuration's display takes precedence over WL_OUTPUT and connectors`() throws {
    let result = try place(
      try panel(output: "DSI-1"),
      """
      [[device]]
      match = "Panel"
      display = "HDMI-A-1"
      [[display]]
      name = "HDMI-A-1"
      scale = 2.0
      rotation = 90
      """, connectors: connectors)
    #expect(result.placement.display == "HDMI-A-1")
    #expect(result.placement.displaySource == .configuration)
    #expect(result.placement.geometry.width == 540)
    #expect(result.placement.geometry.height == 960)
    #expect(result.placement.geometrySource == .drm)
    #expect(result.warnings.isEmpty)
  }

  @Test
  func `Without a configuration, WL_OUTPUT names the display and the connector its size`() throws {
    let result = try place(try panel(output: "DSI-1"), connectors: connectors)
    #expect(result.placement.display == "DSI-1")
    #expect(result.placement.displaySource == .wlOutput)
    #expect(result.placement.geometry.pixelWidth == 800)
  }

  @Test func `A connector is used only if it is the only one`() throws {
    let only = try place(try panel(), connectors: [connectors[1]])
    #expect(only.placement.display == "HDMI-A-1")
    #expect(only.placement.displaySource == .drm)
    let two = try place(try panel(), connectors: connectors)
    #expect(two.placement.displaySource == .guess)
  }

  @Test func `The size of a display without a known size is guessed with a warning`() throws {
    let result = try place(try panel(output: "HDMI-A-7"), connectors: connectors)
    #expect(result.placement.display == "HDMI-A-7")
    #expect(result.placement.geometrySource == .guess)
    #expect(result.warnings.count == 1)
  }

  @Test func `Ranges of the configuration take precedence over the kernel's`() throws {
    let result = try place(
      try panel(), "[[device]]\nmatch = \"Panel\"\nx = [-5, 799]\n", connectors: [connectors[1]])
    #expect(result.placement.x == Placement.Range(minimum: -5, maximum: 799))
    #expect(result.placement.y == Placement.Range(minimum: 0, maximum: 32_767))
    #expect(result.placement.rangeSource == .configuration)
  }

  @Test func `An invalid calibration is ignored with a harmless warning`() throws {
    let result = try place(try panel(calibration: "1 0 nan 0 1\u{1b}[2J"))
    #expect(result.placement.matrix == .identity)
    #expect(result.warnings.count == 1)
    #expect(result.warnings.allSatisfy { !$0.unicodeScalars.contains("\u{1b}") })
  }

  @Test func `An invalid WL_OUTPUT is ignored`() throws {
    for output in ["", "a\nb", String(repeating: "x", count: 500)] {
      #expect(try place(try panel(output: output)).placement.displaySource == .guess)
    }
  }

  @Test func `Connected displays and their preferred modes are read from sysfs`() throws {
    let folder = try TemporaryFolder()
    for (name, status, modes) in [
      ("card0-HDMI-A-1", "connected\n", "1920x1080\n1280x720\n"),
      ("card0-DP-1", "disconnected\n", ""), ("card1-DSI-1", "connected\n", "800x1280i\n"),
      ("card1-VGA-1", "connected\n", ""), ("renderD128", "connected\n", "1x1\n"),
    ] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: false)
      try folder.write(status, to: name + "/status")
      try folder.write(modes, to: name + "/modes")
    }
    #expect(
      DRMConnector.connected(in: folder.path) == [
        DRMConnector(name: "DSI-1", width: 800, height: 1280),
        DRMConnector(name: "HDMI-A-1", width: 1920, height: 1080), DRMConnector(name: "VGA-1"),
      ])
    #expect(DRMConnector.connected(in: "/nowhere").isEmpty)
  }

  @Test func `A client's display settings are ignored once a rectangle of it is masked`() throws {
    let panel = try panel(output: "DSI-1")
    var assignment = DisplayAssignment(configuration: Configuration())
    assignment.overrides["DSI-1"] = DisplayOverride(scale: 2)
    #expect(assignment.place(panel, connectors: connectors)?.placement.geometry.width == 400)
    let rectangle = "screen = 'pin'\nx = 0\ny = 0\nwidth = 9\nheight = 9\n"
    for (display, width) in [("", 800), ("display = 'DSI-1'\n", 800), ("display = 'A'\n", 400)] {
      assignment.configuration = try Configuration(
        text: "[[mask]]\n\(display)\(rectangle)", file: "test.toml")
      #expect(
        assignment.place(panel, connectors: connectors)?.placement.geometry.width == Double(width))
    }
  }
}
