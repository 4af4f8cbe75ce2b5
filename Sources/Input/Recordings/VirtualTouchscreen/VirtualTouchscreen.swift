import CLibevdev
import Glibc
public import TouchModel

/// A touchscreen that exists only in the kernel, created through `/dev/uinput`. udev, compositors
/// and games treat it as a real one. The kernel removes it when the value is destroyed.
@safe public struct VirtualTouchscreen: ~Copyable {
  /// The maximum number of slots that the kernel's uinput accepts (`uinput_validate_absinfo`).
  public static let slotLimit = 100
  /// The name for a device without one, because uinput requires a name.
  public static let fallbackName = "Touchgrid virtual touchscreen"

  /// The path of the evdev node, `/dev/input/eventN`. udev may not have set its permissions yet.
  public let node: String
  /// The path of the input device in sysfs, `/sys/devices/virtual/input/inputN`.
  public let sysPath: String

  private let handle: OpaquePointer
  /// The descriptor. It is closed after `deinit` has destroyed the device, as libevdev requires.
  private let uinput: UinputDescriptor
  /// One frame in the kernel's format. It is kept, so that writing needs no allocation.
  private var buffer: [input_event]

  /// Creates a device with the given description.
  ///
  /// Autorepeat (`EV_REP`) and force feedback are left out: the kernel would generate events, or
  /// request effects.
  /// - Parameters:
  ///   - description: may have at most `slotLimit` slots.
  ///   - name: replaces the description's name. The kernel keeps 79 bytes.
  ///   - phys: the place where the device claims to be plugged in, as `EVIOCGPHYS` returns it; nil
  ///     for none. udev groups devices by this place. uinput does not support `EVIOCGUNIQ`.
  ///   - keepsFuzz: whether the axes have their noise filter (`fuzz`). Recorded values have been
  ///     filtered once; filtering them again would change them.
  /// - Throws: `VirtualTouchscreenError`, with advice if `/dev/uinput` is missing or not
  ///   accessible.
  public init(
    _ description: DeviceDescription, name: String? = nil, phys: String? = nil,
    keepsFuzz: Bool = false
  ) throws(VirtualTouchscreenError) {
    if let slots = description.axes[AbsCode.mtSlot], slots.maximum >= Self.slotLimit {
      throw .tooManySlots(Int(slots.maximum) + 1)
    }
    let uinput = try UinputDescriptor(phys: phys)
    let wanted = name ?? description.name
    let blueprint = try UinputDescription(
      description, name: wanted.isEmpty ? Self.fallbackName : wanted, keepsFuzz: keepsFuzz)

    var handle: OpaquePointer?
    let result = unsafe libevdev_uinput_create_from_device(
      blueprint.handle, uinput.descriptor, &handle)
    guard result == 0, let handle = unsafe handle else {
      throw .refused(errno: -result, hint: Self.hint(description))
    }
    let sysPath = unsafe libevdev_uinput_get_syspath(handle).map { unsafe String(cString: $0) }
    guard let sysPath, let node = Self.eventNode(of: sysPath) else {
      unsafe libevdev_uinput_destroy(handle)
      throw .noNode
    }
    self.node = node
    self.sysPath = sysPath
    unsafe self.handle = unsafe handle
    self.uinput = uinput
    buffer = []
  }

  deinit { unsafe libevdev_uinput_destroy(handle) }

  /// Returns the path of the evdev node of an input device in sysfs; nil if it has none after 5 s.
  /// On a machine without other input devices, udev loads the kernel's module `evdev` only now.
  private static func eventNode(of sysPath: String) -> String? {
    for _ in 0..<100 {
      var found = unsafe glob_t()
      defer { unsafe globfree(&found) }
      if unsafe glob(sysPath + "/event*", GLOB_NOSORT, nil, &found) == 0,
        let path = unsafe found.gl_pathv[0]
      {
        let name = unsafe String(cString: path).utf8.split(separator: UInt8(ascii: "/")).last
        return name.flatMap { String($0) }.map { "/dev/input/" + $0 }
      }
      usleep(50_000)
    }
    return nil
  }

  /// Writes a frame to the kernel, in one `write(2)` if possible. The frame must be complete, with
  /// `SYN_REPORT` last, because readers wait for the end of a frame. The kernel sets the time,
  /// drops events that repeat a value, and ignores events that the device does not announce.
  /// - Throws: `VirtualTouchscreenError.cannotWrite`.
  public mutating func write(
    _ frame: ArraySlice<InputEvent>
  ) throws(VirtualTouchscreenError) {
    buffer.removeAll(keepingCapacity: true)
    for event in frame {
      // Without a time, the kernel sets its own.
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

  /// Returns the probable reason why uinput rejected the device; nil if it is unknown. uinput
  /// itself only returns `EINVAL`.
  static func hint(_ description: DeviceDescription) -> String? {
    for (code, axis) in description.axes.sorted(by: { $0.key < $1.key }) {
      if axis.maximum < axis.minimum {
        return "axis \(code): the maximum, \(axis.maximum), is below the minimum, \(axis.minimum)"
      }
      if Int64(axis.flat) > Int64(axis.maximum) - Int64(axis.minimum) {
        return "axis \(code): the flat value, \(axis.flat), exceeds the whole range"
      }
    }
    return nil
  }
}
