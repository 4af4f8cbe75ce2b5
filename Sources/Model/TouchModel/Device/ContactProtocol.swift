/// The way in which a touchscreen reports its contacts. It is derived only from the capabilities
/// that the device announces (kernel: `multi-touch-protocol.rst`; libinput: `evdev_reject_device`).
public struct ContactProtocol: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// Multitouch protocol B with this many slots, 1...256.
    case slots(Int)
    /// Multitouch protocol A: contacts without slots, tracked by libmtdev.
    case anonymous
    /// Single touch: `ABS_X`, `ABS_Y` and `BTN_TOUCH`.
    case single
  }

  /// The maximum number of slots that are read. Contacts in higher slots are ignored.
  public static let slotLimit = 256

  public let kind: Kind
  /// The ranges of the position axes in use; `minimum < maximum`.
  public let x: AxisInfo
  public let y: AxisInfo
  /// Whether `BTN_TOUCH` of a device with slots is read: it may report touch-ups that the slots do
  /// not (`TouchDecoder.followButton`). On a device that also has a pen, it may belong to the pen.
  public let hasButton: Bool

  /// - Throws: an error if the device cannot be read as a touchscreen.
  public init(of device: DeviceDescription) throws(ContactProtocolError) {
    let axes = device.axes
    let hasMultitouch =
      axes[AbsCode.mtPositionX] != nil || axes[AbsCode.mtPositionY] != nil
    // A device that announces every code up to ABS_MT_SLOT has no slots (libevdev: `init_slots`).
    let fake = axes[AbsCode.mtSlot] != nil && axes[AbsCode.reserved] != nil
    hasButton =
      device.announces(EventType.key, KeyCode.buttonTouch)
      && !device.announces(EventType.key, KeyCode.toolPen)

    if hasMultitouch && !fake {
      if let slot = axes[AbsCode.mtSlot] {
        guard axes[AbsCode.mtTrackingID] != nil else { throw .noTrackingID }
        guard slot.maximum >= 0 else { throw .noSlots(maximum: slot.maximum) }
        kind = .slots(min(Int(slot.maximum) + 1, Self.slotLimit))
      } else {
        kind = .anonymous
      }
      x = try Self.range(axes[AbsCode.mtPositionX], "ABS_MT_POSITION_X")
      y = try Self.range(axes[AbsCode.mtPositionY], "ABS_MT_POSITION_Y")
    } else {
      guard axes[AbsCode.x] != nil || axes[AbsCode.y] != nil else { throw .noPosition }
      guard device.announces(EventType.key, KeyCode.buttonTouch) else { throw .noTouchButton }
      kind = .single
      x = try Self.range(axes[AbsCode.x], "ABS_X")
      y = try Self.range(axes[AbsCode.y], "ABS_Y")
    }
  }

  private static func range(
    _ axis: AxisInfo?, _ name: String
  ) throws(ContactProtocolError) -> AxisInfo {
    guard let axis else { throw .axisMissing(name) }
    guard axis.minimum < axis.maximum else {
      throw .emptyRange(axis: name, minimum: axis.minimum, maximum: axis.maximum)
    }
    return axis
  }
}

/// The reason why a device cannot be read as a touchscreen.
public enum ContactProtocolError: Error, Hashable, Sendable, CustomStringConvertible {
  case noPosition
  case noTouchButton
  case noTrackingID
  case noSlots(maximum: Int32)
  case axisMissing(String)
  case emptyRange(axis: String, minimum: Int32, maximum: Int32)
  case noMemory

  public var description: String {
    switch self {
    case .noPosition: "it announces no position axes"
    case .noTouchButton: "it has single-touch axes but no BTN_TOUCH"
    case .noTrackingID: "it has slots but no ABS_MT_TRACKING_ID"
    case .noSlots(let maximum): "its ABS_MT_SLOT has an invalid maximum, \(maximum)"
    case .axisMissing(let axis): "it has no \(axis) (kernel bug)"
    case .emptyRange(let axis, let minimum, let maximum):
      "its \(axis) has an empty range, \(minimum) to \(maximum) (kernel bug); "
        + "an EVDEV_ABS_ rule in udev's hwdb corrects it"
    case .noMemory: "not enough memory for libmtdev"
    }
  }
}
