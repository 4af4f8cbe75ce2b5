import Testing
import TouchModel

@testable import TouchInput

@Suite struct DeviceKeyTests {
  private func key(
    _ properties: [String: String], vendor: UInt16 = 0x0eef, product: UInt16 = 1,
    sysPath: String = "/sys/devices/pci0000:00/input/input5/event5",
    node: String = "/dev/input/event5"
  ) -> String {
    DeviceKey.make(
      DeviceIdentifiers(bus: 3, vendor: vendor, product: product, version: 9),
      NodeProperties(sysPath: sysPath, node: node, properties: properties))
  }

  @Test("The key is what the device is and where it is plugged in")
  func key() {
    #expect(
      key(["ID_PATH": "pci-0000:00:14.0-usb-0:1:1.0"]) == "0eef:0001@pci-0000:00:14.0-usb-0:1:1.0")
    #expect(key(["ID_PATH": "a"], vendor: 0xffff, product: 0) == "ffff:0000@a")
  }

  @Test("It stays the same when the device is plugged in again, under another number")
  func stable() {
    let first = key(
      ["ID_PATH": "usb-1"], sysPath: "/sys/a/input5/event5", node: "/dev/input/event5")
    let second = key(
      ["ID_PATH": "usb-1"], sysPath: "/sys/a/input17/event9", node: "/dev/input/event9")
    #expect(first == second)
  }

  @Test("Two panels of one kind are told apart by their places")
  func twins() {
    #expect(key(["ID_PATH": "usb-0:1"]) != key(["ID_PATH": "usb-0:2"]))
    #expect(key(["PHYS": "usb-1/input0"]) != key(["PHYS": "usb-2/input0"]))
  }

  @Test("Without ID_PATH the physical path stands in, then what is known of the kind")
  func places() {
    #expect(key(["PHYS": "\"i2c-GDIX1001:00\""]) == "0eef:0001@i2c-GDIX1001:00")
    #expect(key([:]) == "0eef:0001@unknown")
    #expect(key([:], sysPath: "/sys/devices/virtual/input/input9/event9") == "0eef:0001@virtual")
  }

  @Test(
    "Nothing in a place can disturb a log line, a file name or a JSON string, nor make it endless")
  func hostile() {
    let hostile = key(["ID_PATH": "a b\"\n\\\u{1b}[31mé\u{202e}%s;"])
    #expect(hostile == "0eef:0001@a_b_____31m___s_")
    #expect(key(["ID_PATH": String(repeating: "x", count: 10_000)]).count == 10 + 128)
  }
}
