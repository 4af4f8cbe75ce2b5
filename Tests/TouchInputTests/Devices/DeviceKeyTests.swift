import Testing
import TouchModel

@testable import TouchInput

@Suite struct DeviceKeyTests {
  private func key(
    _ properties: [String: String], vendor: UInt16 = 0x0eef, product: UInt16 = 1,
    sysPath: String = "/sys/devices/pci0000:00/input/input5/event5"
  ) -> String {
    DeviceKey.make(
      DeviceIdentifiers(bus: 3, vendor: vendor, product: product, version: 9),
      NodeProperties(sysPath: sysPath, node: "/dev/input/event5", properties: properties))
  }

  @Test func `The key is made of the device's IDs and its place`() {
    #expect(
      key(["ID_PATH": "pci-0000:00:14.0-usb-0:1:1.0"]) == "0eef:0001@pci-0000:00:14.0-usb-0:1:1.0")
    #expect(key(["ID_PATH": "a"], vendor: 0xffff, product: 0) == "ffff:0000@a")
  }

  @Test func `Without ID_PATH the key uses the physical path, virtual or unknown`() {
    #expect(key(["PHYS": "\"i2c-GDIX1001:00\""]) == "0eef:0001@i2c-GDIX1001:00")
    #expect(key([:]) == "0eef:0001@unknown")
    #expect(key([:], sysPath: "/sys/devices/virtual/input/input9/event9") == "0eef:0001@virtual")
  }

  @Test func `The key has only harmless characters and a limited length`() {
    let hostile = key(["ID_PATH": "a b\"\n\\\u{1b}[31mé\u{202e}%s;"])
    #expect(hostile == "0eef:0001@a_b_____31m___s_")
    #expect(key(["ID_PATH": String(repeating: "x", count: 10_000)]).count == 10 + 128)
  }
}
