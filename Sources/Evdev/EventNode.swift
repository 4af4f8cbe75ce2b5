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
  private var buffer = [touchgrid_event](repeating: touchgrid_event(), count: 64)

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
    description = unsafe Self.describe(device)
    unsafe libevdev_free(device)
    self.file = file
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

  /// Reads what is waiting, at most 64 events, and hands them over one by one until `body` returns false;
  /// the rest of those read is then lost.
  /// - Returns: whether there may be more.
  /// - Throws: `ENODEV` where the device is gone or revoked.
  mutating func read(_ body: (InputEvent) -> Bool) throws(SystemError) -> Bool {
    let limit = Int32(buffer.count)
    let count = unsafe touchgrid_evdev_read(file.number, &buffer, limit)
    guard count >= 0 else { throw SystemError(context: "reading events") }
    for raw in buffer.prefix(Int(count)) {
      let event = InputEvent(
        time: Timestamp(microseconds: raw.microseconds), type: raw.type, code: raw.code,
        value: raw.value)
      if !body(event) { break }
    }
    // What was touched in a mask must not be found in a dump of memory later.
    for index in 0..<Int(count) { buffer[index] = touchgrid_event() }
    return count == limit
  }

  /// The kernel's state of all contacts at the very end of the stream of events: what was waiting is
  /// thrown away, as the state has it already. A device that does not pause for a moment gets a state that
  /// is a few events old; those are then told again, which does no harm.
  mutating func snapshot(for kind: ContactProtocol.Kind) throws(SystemError) -> ContactSnapshot {
    var state = ContactSnapshot(contacts: [])
    for tries in 1...8 {
      for _ in 0..<64 where try !read({ _ in true }) { break }
      state = try contacts(for: kind)
      if tries == 8 { break }
      var isQuiet = true
      _ = try read { _ in
        isQuiet = false
        return true
      }
      if isQuiet { break }
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
    for code in UInt16(0)...UInt16(ABS_MAX) {
      guard let info = unsafe libevdev_get_abs_info(device, UInt32(code)) else { continue }
      description.axes[code] = unsafe AxisInfo(
        minimum: info.pointee.minimum, maximum: info.pointee.maximum, fuzz: info.pointee.fuzz,
        flat: info.pointee.flat, resolution: info.pointee.resolution)
    }
    return description
  }
}
