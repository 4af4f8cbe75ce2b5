public import TouchModel

/// The events of a device that the kernel keeps for each reader until they are read. A reader
/// cannot ask for its size, so it is computed as the kernel does (`evdev_compute_buffer_size` and
/// `input_estimate_events_per_packet`).
public struct KernelBuffer: Hashable, Sendable {
  /// How many events there is room for. A driver may have asked for more.
  public let capacity: Int
  /// How many events a frame has in which all contacts move.
  public let largestFrame: Int
  /// How many of these each contact has.
  private let contactEvents: Int

  public init(_ device: DeviceDescription, _ contactProtocol: ContactProtocol) {
    let axes = device.axes
    let contactAxes = axes.keys.count { Self.contactAxes.contains($0) }
    let slots: Int
    if let slot = axes[AbsCode.mtSlot] {
      slots = max(0, Int(slot.maximum) + 1)
    } else if let identity = axes[AbsCode.mtTrackingID] {
      slots = min(max(2, Int(identity.maximum) - Int(identity.minimum) + 1), 32)
    } else {
      slots = axes[AbsCode.mtPositionX] == nil ? 0 : 2
    }
    // One event to end each contact, one to end the frame, and seven for keys.
    let packet = slots + 1 + contactAxes * slots + (axes.count - contactAxes) + 7
    let wanted = max(Self.packets * packet, Self.leastCapacity)
    capacity = 1 << (Int.bitWidth - (wanted - 1).leadingZeroBitCount)
    let contacts: Int
    (contacts, contactEvents) =
      switch contactProtocol.kind {
      // Of each contact its slot and its position, and maybe its distance.
      case .slots(let count): (count, axes[AbsCode.mtDistance] == nil ? 3 : 4)
      // Of each contact all axes, and SYN_MT_REPORT.
      case .anonymous: (ProtocolAConverter.contactLimit, contactAxes + 1)
      case .single: (1, 2)
      }
    largestFrame = contacts * contactEvents + Self.otherEvents
  }

  /// How many events a frame has in which so many contacts move.
  public func frame(ofContacts count: Int) -> Int {
    min(count * contactEvents + Self.otherEvents, largestFrame)
  }

  /// `BTN_TOUCH` and `SYN_REPORT`.
  private static let otherEvents = 2

  /// `EVDEV_BUF_PACKETS`: there is room for so many frames of the size that the kernel expects.
  private static let packets = 8
  /// `EVDEV_MIN_BUFFER_SIZE`, in events.
  private static let leastCapacity = 64
  /// `ABS_MT_SLOT`, and `ABS_MT_TOUCH_MAJOR` to `ABS_MT_TOOL_Y`.
  private static let contactAxes: ClosedRange<UInt16> = AbsCode.mtSlot...0x3d
}
