import TouchModel

/// Filters events like the kernel (`drivers/input/input.c`, `input_get_disposition`). An absolute
/// value or a key passes only if it changes; a value of a slot is compared with the last value of
/// that slot. `ABS_MT_SLOT` passes only before a value of another slot than the last one.
struct KernelFilter {
  private let slotCount: Int32
  /// The slot that the driver writes to, and the slot that readers saw last.
  private var slot: Int32 = 0
  private var reportedSlot: Int32 = 0
  /// The last values by code, and by slot and code.
  private var axes: [UInt16: Int32] = [:]
  private var slotAxes: [SlotAxis: Int32] = [:]
  private var keys: Set<UInt16> = []

  private struct SlotAxis: Hashable {
    var slot: Int32
    var code: UInt16
  }

  init(device: DeviceDescription) {
    slotCount = device.axes[AbsCode.mtSlot].map { max(0, $0.maximum) + 1 } ?? 0
  }

  mutating func select(slot: Int) {
    // `input_handle_abs_event` ignores slots that do not exist.
    if let slot = Int32(exactly: slot), 0..<slotCount ~= slot { self.slot = slot }
  }

  /// Returns the events that result from one axis value.
  mutating func axis(_ code: UInt16, _ value: Int32) -> [(UInt16, UInt16, Int32)] {
    let isMultitouch = 0x30...0x3f ~= code
    guard isMultitouch else {
      guard axes[code, default: 0] != value else { return [] }
      axes[code] = value
      return [(EventType.abs, code, value)]
    }
    // Without slots there is no previous value to compare with.
    guard slotCount > 0 else { return [(EventType.abs, code, value)] }
    let key = SlotAxis(slot: slot, code: code)
    let initial: Int32 = code == AbsCode.mtTrackingID ? -1 : 0
    guard slotAxes[key, default: initial] != value else { return [] }
    slotAxes[key] = value
    defer { reportedSlot = slot }
    let selection = reportedSlot == slot ? [] : [(EventType.abs, AbsCode.mtSlot, slot)]
    return selection + [(EventType.abs, code, value)]
  }

  mutating func key(_ code: UInt16, isDown: Bool) -> [(UInt16, UInt16, Int32)] {
    guard keys.contains(code) != isDown else { return [] }
    if isDown { keys.insert(code) } else { keys.remove(code) }
    return [(EventType.key, code, isDown ? 1 : 0)]
  }
}
