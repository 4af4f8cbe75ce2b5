import Testing

@testable import TouchInput

/// Discovery without devices. `GuestTests` covers the rest.
@Suite struct DiscoveryTests {
  private let discovery: Discovery

  init() throws {
    discovery = try Discovery { _, _ in false }
  }

  private func node(_ properties: [String: String] = [:]) -> NodeProperties {
    NodeProperties(
      sysPath: "/sys/devices/test/input/input5/event5", node: "/dev/input/no-such-node",
      properties: properties.merging(["ID_INPUT_TOUCHSCREEN": "1"]) { first, _ in first })
  }

  private func refusals(_ changes: [Discovery.Change]) -> [Refusal?] {
    changes.map { if case .refused(let device) = $0 { device.refusal } else { nil } }
  }

  @Test func `A refusal is reported once, and again when its reason changes`() {
    let elsewhere = node(["ID_SEAT": "seat1"])
    #expect(refusals(discovery.consider(elsewhere)) == [.otherSeat("seat1")])
    #expect(refusals(discovery.consider(elsewhere)) == [])
    #expect(refusals(discovery.consider(node(["LIBINPUT_IGNORE_DEVICE": "1"]))) == [.ignoredByUdev])
    #expect(refusals(discovery.consider(node())) == [.replaced])
    #expect(refusals(discovery.consider(node())) == [])
    #expect(discovery.refused.count == 1)
    #expect(!discovery.waitsForPermission)
  }

  @Test func `A device that is not a touchscreen, or not yet known to udev, is ignored`() {
    #expect(discovery.consider(node(["ID_INPUT_TOUCHSCREEN": "0"])).isEmpty)
    var early = node()
    early.isInitialized = false
    #expect(discovery.consider(early).isEmpty)
    #expect(discovery.refused.isEmpty)
  }

  @Test func `Reading udev's messages does not wait if there are none`() throws {
    #expect(try discovery.readMonitor().isEmpty)
  }
}
