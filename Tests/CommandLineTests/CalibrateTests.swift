import ArgumentParser
import ConfigurationFiles
import Reports
import TestSupport
import Testing
import TouchModel
import TouchgridAPI

@testable import TouchgridCommands

/// What `touchgrid calibrate` writes and prints, and how it asks.
@Suite struct CalibrateTests {
  private static let line = "calibration = \"1.1 0 -0.05 0 0.9 0.04\""

  private func device(_ key: String, _ name: String = "Panel") throws -> API.Device {
    var device = try SampleReplies.device(name: name)
    device.key = key
    return device
  }

  private func edited(_ text: String, _ others: [API.Device] = []) throws -> String {
    let own = try device("1:2@usb-1")
    return try SavedCalibration(
      matrix: #require(CalibrationMatrix("1.1 0 -0.05 0 0.9 0.04")), touchscreen: own,
      all: [own] + others, path: "touchgridd.toml", socket: SocketOption.parse([])
    ).edited(TableEditor(text))
  }

  @Test func `Without a table the matrix gets one`() throws {
    #expect(
      try edited("# ours\n[store]\nkeep_sessions = \"1d\"\n")
        == "# ours\n[store]\nkeep_sessions = \"1d\"\n\n[[device]]\nmatch = \"1:2@usb-1\"\n"
        + Self.line + "\n")
  }

  @Test func `The first table that matches is changed, and others stay`() throws {
    let start =
      "[[device]]\nmatch = \"Other\"\n[[device]]\nmatch = \"1:2@*\"\n[[device]]\nmatch = \"1:2@usb-1\"\n"
    #expect(
      try edited(start)
        == start.replacing("\"1:2@*\"\n", with: "\"1:2@*\"\n" + Self.line + "\n"))
  }

  @Test func `A table for several touchscreens is left to the owner`() throws {
    let start = "[[device]]\nmatch = \"Panel\"\n"
    let failure = #expect(throws: Failure.self) {
      try edited(start, [device("1:2@usb-2")])
    }
    #expect(failure?.description.contains("1:2@usb-2") == true)
    #expect(failure?.description.contains(Self.line) == true)
    #expect(throws: TableEditor.Refusal.self) { try edited("device = [{match = \"Panel\"}]\n") }
  }

  @Test func `Compositors get the matrix in their own words`() throws {
    let matrix = try #require(CalibrationMatrix("0 -1 1 1 0 0"))
    let plain = CompositorCalibration(
      name: "ELAN Touch", identifiers: DeviceIdentifiers(vendor: 0x4f3, product: 0x2a),
      matrix: matrix)
    #expect(
      plain.udevRule
        == "ACTION!=\"remove\", KERNEL==\"event[0-9]*\", ENV{ID_INPUT_TOUCHSCREEN}==\"1\", ATTRS{name}==\"ELAN Touch\", "
        + "ATTRS{id/vendor}==\"04f3\", ATTRS{id/product}==\"002a\", "
        + "ENV{LIBINPUT_CALIBRATION_MATRIX}=\"0 -1 1 1 0 0\"")
    #expect(plain.swayLine == "input \"1267:42:ELAN_Touch\" calibration_matrix 0 -1 1 1 0 0")
    #expect(plain.xinputCommand.hasSuffix("'libinput Calibration Matrix' 0 -1 1 1 0 0 0 0 1"))
    let hostile = CompositorCalibration(
      name: "a\", RUN+=\"x'\n", identifiers: DeviceIdentifiers(), matrix: matrix)
    #expect(!hostile.udevRule.contains("RUN") && hostile.xinputCommand.contains("x'\\''"))
    #expect(!hostile.swayLine.contains("\n"))
    // sway replaces bytes.
    let foreign = CompositorCalibration(
      name: "\u{c9}cran\u{7f}", identifiers: DeviceIdentifiers(), matrix: matrix)
    #expect(foreign.swayLine.contains("\"0:0:__cran_\""))
  }

  @Test func `A sketch shows the lines and crosses of a step`() {
    let lines = SketchCanvas.sketch(PanelScene(.across(0.5), title: ""))
    #expect(lines.count == SketchCanvas.rows + 2)
    #expect(lines[5] == "|" + String(repeating: "*", count: SketchCanvas.columns) + "|")
    let cross = SketchCanvas.sketch(PanelScene(.hold(0.9, 0.1), title: ""))
    #expect(
      cross[1].contains("+ ") && cross.dropFirst(2).dropLast().allSatisfy { !$0.contains("+") })
  }

  @Test func `Sizes in mm are read, and nonsense is refused`() {
    #expect(MillimetresArgument(argument: "344x193.5")?.size.height == 193.5)
    for text in ["", "344", "344x", "0x0", "-1x5", "1e3x200", "344x194x2", "nanxnan"] {
      #expect(MillimetresArgument(argument: text) == nil)
    }
  }
}
