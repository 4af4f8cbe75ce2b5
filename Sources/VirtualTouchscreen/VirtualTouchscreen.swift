import CLibevdev
import Glibc
public import TouchModel

/// A touchscreen that exists in the kernel alone, made through `/dev/uinput`: udev, compositors and
/// games take it for a real one. It goes when the value goes.
@safe public struct VirtualTouchscreen: ~Copyable {
  /// The most slots that the kernel's uinput takes (`uinput_validate_absinfo`).
  public static let slotLimit = 100
  /// What a device is called that has no name: uinput takes none without.
  public static let fallbackName = "Touchgrid virtual touchscreen"

  /// The evdev node, `/dev/input/eventN`. udev may still be about to set its permissions.
  public let node: String
  /// The input device in sysfs, `/sys/devices/virtual/input/inputN`.
  public let sysPath: String

  private let handle: OpaquePointer
  /// Closed after `deinit`, as libevdev demands.
  private let uinput: UinputDescriptor
  /// One frame as the kernel wants it; kept, so that writing allocates nothing once warm.
  private var buffer: [input_event] = []

  /// Makes the device that `description` describes.
  ///
  /// Autorepeat (`EV_REP`) and force feedback are left out: the kernel would send events of its own,
  /// or ask us for effects.
  /// - Parameters:
  ///   - description: at most `slotLimit` slots.
  ///   - name: instead of the description's. The kernel keeps 79 bytes.
  ///   - phys: where the device is plugged in, as `EVIOCGPHYS` gives it and as udev groups devices by;
  ///     none unless given. uinput knows no `EVIOCGUNIQ`.
  ///   - keepsFuzz: true for axes with their noise filter (`fuzz`). Recorded values have been through
  ///     it once; a second time would move them.
  /// - Throws: `VirtualTouchscreenError`, with what to do where `/dev/uinput` is missing or closed.
  public init(
    _ description: DeviceDescription, name: String? = nil, phys: String? = nil,
    keepsFuzz: Bool = false
  ) throws(VirtualTouchscreenError) {
    if let slots = description.axes[AbsCode.mtSlot], slots.maximum >= Self.slotLimit {
      throw .tooManySlots(Int(slots.maximum) + 1)
    }
    let uinput = try UinputDescriptor(phys: phys)
    let wanted = name ?? description.name
    let blueprint = try Blueprint(
      description, name: wanted.isEmpty ? Self.fallbackName : wanted, keepsFuzz: keepsFuzz)

    var handle: OpaquePointer?
    let result = unsafe libevdev_uinput_create_from_device(
      blueprint.handle, uinput.descriptor, &handle)
    guard result == 0, let handle = unsafe handle else {
      throw .refused(errno: -result, hint: Self.hint(description))
    }
    guard let node = unsafe libevdev_uinput_get_devnode(handle),
      let sysPath = unsafe libevdev_uinput_get_syspath(handle)
    else {
      unsafe libevdev_uinput_destroy(handle)
      throw .noNode
    }
    self.node = unsafe String(cString: node)
    self.sysPath = unsafe String(cString: sysPath)
    unsafe self.handle = unsafe handle
    self.uinput = uinput
  }

  deinit { unsafe libevdev_uinput_destroy(handle) }

  /// Hands events to the kernel in one `write(2)`: a whole frame, its `SYN_REPORT` last, or readers
  /// would wait for the rest. The kernel stamps them with its own time, drops what repeats a value,
  /// and ignores what the device does not announce.
  /// - Throws: `VirtualTouchscreenError.cannotWrite`.
  public mutating func write(
    _ frame: ArraySlice<InputEvent>
  ) throws(VirtualTouchscreenError) {
    buffer.removeAll(keepingCapacity: true)
    for event in frame {
      // No time: the kernel then takes its own.
      buffer.append(
        input_event(time: timeval(), type: event.type, code: event.code, value: event.value))
    }
    let failure = unsafe buffer.withUnsafeBytes { bytes -> Int32? in
      var rest = unsafe bytes[...]
      while unsafe !rest.isEmpty {
        let chunk = unsafe UnsafeRawBufferPointer(rebasing: rest)
        let written = unsafe Glibc.write(uinput.descriptor, chunk.baseAddress, chunk.count)
        if written < 0 && errno == EINTR { continue }
        if written < 0 { return errno }
        unsafe rest = unsafe rest.dropFirst(written)
      }
      return nil
    }
    if let failure { throw .cannotWrite(errno: failure) }
  }

  /// What uinput probably dislikes: it says EINVAL and no more.
  static func hint(_ description: DeviceDescription) -> String? {
    for (code, axis) in description.axes.sorted(by: { $0.key < $1.key }) {
      if axis.maximum < axis.minimum {
        return "axis \(code) ends at \(axis.maximum), below its beginning at \(axis.minimum)"
      }
      if Int64(axis.flat) > Int64(axis.maximum) - Int64(axis.minimum) {
        return "axis \(code) has a flat part of \(axis.flat), more than its whole range"
      }
    }
    return nil
  }
}
