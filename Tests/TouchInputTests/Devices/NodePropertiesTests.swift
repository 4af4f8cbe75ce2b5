import Testing
import TouchModel

@testable import TouchInput

@Suite struct NodePropertiesTests {
  private func node(
    _ properties: [String: String], sysPath: String = "/sys/devices/pci0000:00/input/input5/event5"
  ) -> NodeProperties {
    NodeProperties(sysPath: sysPath, node: "/dev/input/event5", properties: properties)
  }

  @Test func `A device is a touchscreen if udev tags it with 1`() {
    #expect(node(["ID_INPUT_TOUCHSCREEN": "1"]).isTouchscreen)
    #expect(node(["ID_INPUT_TOUCHSCREEN": "1", "ID_INPUT_TABLET": "1"]).isTouchscreen)
    #expect(!node(["ID_INPUT_TABLET": "1"]).isTouchscreen)
    #expect(!node(["ID_INPUT_TOUCHSCREEN": "0"]).isTouchscreen)
    #expect(!node(["ID_INPUT_TOUCHSCREEN": ""]).isTouchscreen)
    #expect(!node([:]).isTouchscreen)
  }

  @Test func `LIBINPUT_IGNORE_DEVICE makes a device ignored unless it is 0`() {
    #expect(node(["LIBINPUT_IGNORE_DEVICE": "1"]).isIgnored)
    #expect(!node(["LIBINPUT_IGNORE_DEVICE": "0"]).isIgnored)
    #expect(!node([:]).isIgnored)
  }

  @Test func `The output and the calibration are udev's texts, not yet parsed`() {
    let both = node(["WL_OUTPUT": "DSI-1", "LIBINPUT_CALIBRATION_MATRIX": "1 0 0 0 1 nan"])
    #expect(both.output == "DSI-1" && both.calibration == "1 0 0 0 1 nan")
    #expect(node([:]).output == nil && node([:]).calibration == nil)
  }

  @Test func `A device is virtual only if sysfs has it among the virtual devices`() {
    #expect(node([:], sysPath: "/sys/devices/virtual/input/input9/event9").isVirtual)
    #expect(!node([:]).isVirtual)
    #expect(!node([:], sysPath: "/sys/devices/platform/virtual/input/input9").isVirtual)
  }

  @Test(arguments: [
    ("\"usb-0000:00:14.0-1/input0\"", "usb-0000:00:14.0-1"),
    ("usb-0000:00:14.0-1/input1", "usb-0000:00:14.0-1"),
    ("i2c-GDIX1001:00", "i2c-GDIX1001:00"), ("a/b/input0", "a/b"), ("/input0", "/input0"),
  ])
  func `The physical path omits the number of the input`(text: String, path: String) {
    #expect(node(["PHYS": text]).physicalPath == path)
  }

  @Test(arguments: ["", "\"\""])
  func `An empty PHYS gives no physical path`(text: String) {
    #expect(node(["PHYS": text]).physicalPath == nil)
    #expect(node([:]).physicalPath == nil)
  }

  private static let i2c = "/sys/devices/platform/soc/fe205000.i2c/i2c-1"

  @Test func `On USB, the nodes of one panel share its place, whatever the interface`() {
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

  @Test func `On I2C, nodes belong to one panel if they have the same parent device`() {
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

  @Test func `A virtual device is part of a panel only if it names a USB path`() {
    let path = "/sys/devices/virtual/input/input9/event9"
    #expect(node([:], sysPath: path).panelPath == nil)
    #expect(node(["PHYS": "\"input/ts\""], sysPath: path).panelPath == nil)
    #expect(node(["PHYS": "\"usb-0:1/input0\""], sysPath: path).panelPath == "usb-0:1")
  }

  @Test(arguments: ["", "/", "/a/b/c/d"])
  func `A path that is not of an event node names no panel`(path: String) {
    #expect(node([:], sysPath: path).panelPath == nil)
  }
}
