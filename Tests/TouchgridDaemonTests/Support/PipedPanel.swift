import Glibc
import LinuxIO
import TestSupport
import Testing
import TouchModel

@testable import TouchInput

/// A touchscreen whose device node is a pipe. The kernel's state of contacts cannot be read from a
/// pipe, so it uses protocol A, which does not need it.
final class PipedPanel {
  let touchscreen: Touchscreen
  private let end: FileDescriptor

  /// - Parameter saysMore: Whether it numbers its contacts.
  init(isVirtual: Bool = false, saysMore: Bool = false) throws {
    let description = DeviceDescription.anonymous(hasTrackingID: saysMore)
    var ends: [Int32] = [0, 0]
    try #require(unsafe pipe(&ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
    end = FileDescriptor(owning: ends[1])
    let place = isVirtual ? "/sys/devices/virtual/input" : "/sys/devices/pci0000:00/input"
    touchscreen = Touchscreen(
      number: isVirtual ? 2 : 1, key: isVirtual ? "duplicate" : "panel",
      properties: NodeProperties(
        sysPath: place + "/input5/event5", node: "/dev/input/event5", properties: [:]),
      node: FileDescriptor(owning: ends[0]), description: description,
      decoder: try DeviceDecoder(description))
  }

  /// Makes events readable.
  func write(_ events: some Sequence<InputEvent>) throws {
    var bytes: [UInt8] = []
    func append(_ value: some FixedWidthInteger) {
      unsafe withUnsafeBytes(of: value) { unsafe bytes += $0 }
    }
    for event in events {
      append(event.time.microseconds / 1_000_000)
      append(event.time.microseconds % 1_000_000)
      append(event.type)
      append(event.code)
      append(event.value)
    }
    try #require(unsafe Glibc.write(end.number, bytes, bytes.count) == bytes.count)
  }
}
