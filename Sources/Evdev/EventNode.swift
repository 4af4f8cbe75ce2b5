internal import CLibevdev
internal import CLinux
internal import Glibc
internal import LinuxIO
public import TouchModel

/// An open event node. It is opened read-only, never grabbed and never written to; libevdev tells what it
/// announces, while events are read and decoded by us (see `TouchDecoder` for why).
public struct EventNode: ~Copyable {
  private let file: FileDescriptor
  public let description: DeviceDescription
  /// The most events that are read at a time.
  static let batch = 64
  private var buffer = [touchgrid_event](repeating: touchgrid_event(), count: batch)

  /// Opens a node for reading, with the kernel's monotonic clock.
  init(path: String) throws(SystemError) {
    let file = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
    // Before anything is read: with events waiting, the kernel would throw them away.
    guard touchgrid_evdev_set_clock_monotonic(file.number) == 0 else {
      throw SystemError(context: "setting the clock of \(path)")
    }
    var device: OpaquePointer?
    let result = unsafe libevdev_new_from_fd(file.number, &device)
    guard result == 0, let device = unsafe device else {
      throw SystemError(code: -result, context: "asking \(path) what it is")
    }
    let description = unsafe Self.describe(device)
    unsafe libevdev_free(device)
    self.init(reading: file, as: description)
  }

  /// - Parameter file: does not wait.
  init(reading file: consuming FileDescriptor, as description: DeviceDescription) {
    self.file = file
    self.description = description
  }

  var number: Int32 { file.number }

  /// Device number of the node behind the descriptor.
  func deviceNumber() throws(SystemError) -> UInt64 {
    var status = stat()
    guard unsafe fstat(file.number, &status) == 0 else {
      throw SystemError(context: "looking at an event node")
    }
    return UInt64(status.st_rdev)
  }

  /// Keeps the kernel from waking us for what is not used. Kernels before 4.4 cannot: they send all.
  func setMask(for kind: ContactProtocol.Kind) {
    var axes: Set<UInt16> = []
    var keys: Set<UInt16> = []
    switch kind {
    case .slots:
      axes = [
        AbsCode.mtSlot, AbsCode.mtTrackingID, AbsCode.mtPositionX, AbsCode.mtPositionY,
        AbsCode.mtToolType, AbsCode.mtDistance,
      ]
    case .single:
      axes = [AbsCode.x, AbsCode.y]
      keys = [KeyCode.buttonTouch]
    case .anonymous:
      // ABS_MT_TOUCH_MAJOR to ABS_MT_DISTANCE; some drivers say no more of a lift than BTN_TOUCH.
      axes = Set(UInt16(0x30)...AbsCode.mtDistance)
      keys = [KeyCode.buttonTouch]
    }
    setMask(EventType.key, keys)
    setMask(EventType.abs, axes)
    for type in [EV_REL, EV_MSC, EV_SW, EV_LED, EV_SND] { setMask(UInt16(type), []) }
  }

  private func setMask(_ type: UInt16, _ codes: Set<UInt16>) {
    var bits = [UInt8](repeating: 0, count: Int(KEY_MAX) / 8 + 1)
    for code in codes { bits[Int(code) / 8] |= 1 << (code % 8) }
    _ = unsafe touchgrid_evdev_set_mask(file.number, type, bits, bits.count)
  }

  /// Reads what is waiting, as many events as `batch` at most, for `subscript`. Whoever reads wipes, before anything
  /// waits.
  /// - Returns: how many they are.
  /// - Throws: `ENODEV` where the device is gone or revoked.
  mutating func read() throws(SystemError) -> Int {
    let count = unsafe touchgrid_evdev_read(file.number, &buffer, Int32(Self.batch))
    guard count >= 0 else { throw SystemError(context: "reading events") }
    return Int(count)
  }

  subscript(index: Int) -> InputEvent {
    let raw = buffer[index]
    return InputEvent(
      time: Timestamp(microseconds: raw.microseconds), type: raw.type, code: raw.code,
      value: raw.value)
  }

  /// What was touched in a mask must not be found in a dump of memory later.
  /// - Parameter count: of the events that were read.
  mutating func wipe(_ count: Int) {
    for index in 0..<count { buffer[index] = touchgrid_event() }
  }

  /// Throws away what is waiting, as many events as `batch` at most.
  /// - Returns: how many they were.
  private mutating func skip() throws(SystemError) -> Int {
    let count = try read()
    wipe(count)
    return count
  }

  /// The kernel's state of all contacts at the very end of the stream of events: what was waiting is
  /// thrown away, as the state has it already. A device that does not pause for a moment gets a state that
  /// is a few events old; those are then told again, which does no harm.
  mutating func snapshot(for kind: ContactProtocol.Kind) throws(SystemError) -> ContactSnapshot {
    var state = ContactSnapshot(contacts: [])
    for tries in 1...8 {
      for _ in 0..<64 where try skip() < Self.batch { break }
      state = try contacts(for: kind)
      if tries == 8 { break }
      if try skip() == 0 { break }
    }
    return state
  }

  /// The kernel's state now; events that are waiting are part of it.
  func contacts(for kind: ContactProtocol.Kind) throws(SystemError) -> ContactSnapshot {
    switch kind {
    case .slots(let count):
      var contacts = Array(repeating: Contact(), count: count)
      for (code, field) in Self.slotFields where description.axes[code] != nil {
        var values = [Int32](repeating: 0, count: count)
        guard unsafe touchgrid_evdev_slots(file.number, code, &values, count) == 0 else {
          throw SystemError(context: "reading the slots")
        }
        for (slot, value) in values.enumerated() { contacts[slot][keyPath: field] = value }
      }
      return ContactSnapshot(currentSlot: Int(try axis(AbsCode.mtSlot)), contacts: contacts)
    case .single:
      let isDown = touchgrid_evdev_key(file.number, KeyCode.buttonTouch) == 1
      return ContactSnapshot(contacts: [
        Contact(trackingID: isDown ? 0 : -1, x: try axis(AbsCode.x), y: try axis(AbsCode.y))
      ])
    case .anonymous:
      // Without a button there is nothing to ask for. Protocol A repeats what is down in every frame, so a
      // panel that has fallen silent has most likely lost a lift.
      let isDown =
        description.announces(EventType.key, KeyCode.buttonTouch)
        && touchgrid_evdev_key(file.number, KeyCode.buttonTouch) == 1
      return ContactSnapshot(contacts: isDown ? [Contact()] : [])
    }
  }

  private static var slotFields: [(UInt16, WritableKeyPath<Contact, Int32>)] {
    [
      (AbsCode.mtTrackingID, \.trackingID), (AbsCode.mtPositionX, \.x), (AbsCode.mtPositionY, \.y),
      (AbsCode.mtToolType, \.tool), (AbsCode.mtDistance, \.distance),
    ]
  }

  private func axis(_ code: UInt16) throws(SystemError) -> Int32 {
    var value: Int32 = 0
    guard unsafe touchgrid_evdev_axis(file.number, code, &value) == 0 else {
      throw SystemError(context: "reading an axis")
    }
    return value
  }

  private static func describe(_ device: OpaquePointer) -> DeviceDescription {
    var description = unsafe DeviceDescription(
      name: libevdev_get_name(device).map { unsafe String(cString: $0) } ?? "",
      identifiers: DeviceIdentifiers(
        bus: UInt16(truncatingIfNeeded: libevdev_get_id_bustype(device)),
        vendor: UInt16(truncatingIfNeeded: libevdev_get_id_vendor(device)),
        product: UInt16(truncatingIfNeeded: libevdev_get_id_product(device)),
        version: UInt16(truncatingIfNeeded: libevdev_get_id_version(device))))
    for property in UInt16(0)...31 where unsafe libevdev_has_property(device, UInt32(property)) != 0
    {
      description.properties.insert(property)
    }
    for code in UInt16(0)...UInt16(KEY_MAX)
    where unsafe libevdev_has_event_code(device, UInt32(EV_KEY), UInt32(code)) != 0 {
      description.codes[EventType.key, default: []].insert(code)
    }
    for code in UInt16(0)...UInt16(ABS_MAX)
    where unsafe libevdev_has_event_code(device, UInt32(EV_ABS), UInt32(code)) != 0 {
      let axis = UInt32(code)
      description.axes[code] = unsafe AxisInfo(
        minimum: libevdev_get_abs_minimum(device, axis),
        maximum: libevdev_get_abs_maximum(device, axis), fuzz: libevdev_get_abs_fuzz(device, axis),
        flat: libevdev_get_abs_flat(device, axis),
        resolution: libevdev_get_abs_resolution(device, axis))
    }
    return description
  }
}
