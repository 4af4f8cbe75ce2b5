import Testing
import TouchModel

@testable import Evdev

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
}
