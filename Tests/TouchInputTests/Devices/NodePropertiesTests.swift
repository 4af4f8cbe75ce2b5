import Testing
import TouchModel

@testable import TouchInput

@Suite struct NodePropertiesTests {
  private func node(
    _ properties: [String: String], sysPath: String = "/sys/devices/pci0000:00/input/input5/event5"
  ) -> NodeProperties {
    NodeProperties(sysPath: sysPath, node: "/dev/input/event5", properties: properties)
  }

  @Test("udev's tag makes a touchscreen, also beside that of a tablet; 0 and nothing make none")
  func touchscreen() {
    #expect(node(["ID_INPUT_TOUCHSCREEN": "1"]).isTouchscreen)
    #expect(node(["ID_INPUT_TOUCHSCREEN": "1", "ID_INPUT_TABLET": "1"]).isTouchscreen)
    #expect(!node(["ID_INPUT_TABLET": "1"]).isTouchscreen)
    #expect(!node(["ID_INPUT_TOUCHSCREEN": "0"]).isTouchscreen)
    #expect(!node(["ID_INPUT_TOUCHSCREEN": ""]).isTouchscreen)
    #expect(!node([:]).isTouchscreen)
  }

  @Test("A device that libinput is told to ignore is ignored, unless it is told 0")
  func ignored() {
    #expect(node(["LIBINPUT_IGNORE_DEVICE": "1"]).isIgnored)
    #expect(!node(["LIBINPUT_IGNORE_DEVICE": "0"]).isIgnored)
    #expect(!node([:]).isIgnored)
  }

  @Test("A node without seat is on seat0")
  func seat() {
    #expect(node([:]).seat == "seat0")
    #expect(node(["ID_SEAT": "seat-kiosk"]).seat == "seat-kiosk")
  }

  @Test("The head and the calibration are udev's words, unread")
  func words() {
    let both = node(["WL_OUTPUT": "DSI-1", "LIBINPUT_CALIBRATION_MATRIX": "1 0 0 0 1 nan"])
    #expect(both.output == "DSI-1" && both.calibration == "1 0 0 0 1 nan")
    #expect(node([:]).output == nil && node([:]).calibration == nil)
  }

  @Test("What uinput made is virtual, by its place below /sys alone")
  func virtual() {
    #expect(node([:], sysPath: "/sys/devices/virtual/input/input9/event9").isVirtual)
    #expect(!node([:]).isVirtual)
    #expect(!node([:], sysPath: "/sys/devices/platform/virtual/input/input9").isVirtual)
  }

  @Test(
    "Nodes of one panel share their physical path, whatever the number of the input on it",
    arguments: [
      ("\"usb-0000:00:14.0-1/input0\"", "usb-0000:00:14.0-1"),
      ("usb-0000:00:14.0-1/input1", "usb-0000:00:14.0-1"),
      ("i2c-GDIX1001:00", "i2c-GDIX1001:00"), ("a/b/input0", "a/b"), ("/input0", "/input0"),
    ])
  func physicalPath(text: String, path: String) {
    #expect(node(["PHYS": text]).physicalPath == path)
  }

  @Test("A driver that says nothing of its place leaves no physical path", arguments: ["", "\"\""])
  func noPhysicalPath(text: String) {
    #expect(node(["PHYS": text]).physicalPath == nil)
    #expect(node([:]).physicalPath == nil)
  }

  private static let i2c = "/sys/devices/platform/soc/fe205000.i2c/i2c-1"

  @Test(
    "On USB the nodes of one panel share the place where it is plugged in, whatever the interface")
  func panelOnUSB() {
    let hub = "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-1"
    let first = node(
      ["PHYS": "\"usb-0000:00:14.0-1/input0\""],
      sysPath: "\(hub)/1-1:1.0/0003:0EEF:0001.0001/input/input5/event5")
    let second = node(
      ["PHYS": "\"usb-0000:00:14.0-1/input1\""],
      sysPath: "\(hub)/1-1:1.1/0003:0EEF:0001.0002/input/input6/event6")
    #expect(first.panelPath == "usb-0000:00:14.0-1")
    #expect(second.panelPath == first.panelPath)
  }

  @Test("Two I2C panels whose driver calls both input/ts are two, and two nodes of one are one")
  func panelOnI2C() {
    let left = node(
      ["PHYS": "\"input/ts\""], sysPath: "\(Self.i2c)/1-005d/input/input5/event5")
    let right = node(
      ["PHYS": "\"input/ts\""], sysPath: "\(Self.i2c)/1-0014/input/input6/event6")
    let second = node([:], sysPath: "\(Self.i2c)/1-005d/input/input7/event7")
    #expect(left.physicalPath == right.physicalPath)
    #expect(left.panelPath == "\(Self.i2c)/1-005d")
    #expect(right.panelPath == "\(Self.i2c)/1-0014")
    #expect(second.panelPath == left.panelPath)
  }

  @Test("What uinput made shares no parent, but is part of a panel where it names a place on USB")
  func virtualPanel() {
    let path = "/sys/devices/virtual/input/input9/event9"
    #expect(node([:], sysPath: path).panelPath == nil)
    #expect(node(["PHYS": "\"input/ts\""], sysPath: path).panelPath == nil)
    #expect(node(["PHYS": "\"usb-0:1/input0\""], sysPath: path).panelPath == "usb-0:1")
  }

  @Test("A path that is no event node's names no panel", arguments: ["", "/", "/a/b/c/d"])
  func noPanel(path: String) {
    #expect(node([:], sysPath: path).panelPath == nil)
  }
}
