internal import CLibevdev
internal import CLinux
internal import Glibc
internal import LinuxIO
internal import TouchModel

/// The system calls on an event node (`/dev/input/event*`), except those that read events.
extension FileDescriptor {
  /// Opens an event node for reading, with the kernel's monotonic clock.
  static func eventNode(_ path: String) throws(SystemError) -> FileDescriptor {
    let node = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
    // Set before the first read, because the kernel discards waiting events when the clock changes.
    guard touchgrid_evdev_set_clock_monotonic(node.number) == 0 else {
      throw SystemError(context: "setting the clock of \(path)")
    }
    return node
  }

  /// Reads the description of the device.
  /// - Parameter path: the path of the node, for the error message.
  func deviceDescription(path: String) throws(SystemError) -> DeviceDescription {
    var device: OpaquePointer?
    let result = unsafe libevdev_new_from_fd(number, &device)
    guard result == 0, let device = unsafe device else {
      throw SystemError(code: -result, context: "reading the description of \(path)")
    }
    defer { unsafe libevdev_free(device) }
    return unsafe Self.describe(device)
  }

  func deviceNumber() throws(SystemError) -> UInt64 {
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else {
      throw SystemError(context: "examining an event node")
    }
    return UInt64(status.st_rdev)
  }

  /// Keeps the kernel from sending events that are not used. Kernels before 4.4 do not support this
  /// and send all events.
  func setEventMask(for contactProtocol: ContactProtocol) {
    var axes: Set<UInt16> = []
    var keys: Set<UInt16> = []
    switch contactProtocol.kind {
    case .slots:
      axes = [
        AbsCode.mtSlot, AbsCode.mtTrackingID, AbsCode.mtPositionX, AbsCode.mtPositionY,
        AbsCode.mtToolType, AbsCode.mtDistance,
      ]
      if contactProtocol.hasButton { keys = [KeyCode.buttonTouch] }
    case .single:
      axes = [AbsCode.x, AbsCode.y]
      keys = [KeyCode.buttonTouch]
    case .anonymous:
      // Some drivers report a touch-up by `BTN_TOUCH` or `ABS_PRESSURE` alone.
      axes = Set(AbsCode.mtTouchMajor...AbsCode.mtDistance).union([AbsCode.pressure])
      keys = [KeyCode.buttonTouch]
    }
    setEventMask(EventType.key, keys)
    setEventMask(EventType.abs, axes)
    for type in [EV_REL, EV_MSC, EV_SW, EV_LED, EV_SND] { setEventMask(UInt16(type), []) }
  }

  private func setEventMask(_ type: UInt16, _ codes: Set<UInt16>) {
    var bits = [UInt8](repeating: 0, count: Int(KEY_MAX) / 8 + 1)
    for code in codes { bits[Int(code) / 8] |= 1 << (code % 8) }
    _ = unsafe touchgrid_evdev_set_mask(number, type, bits, bits.count)
  }

  /// Reads the kernel's current state of the contacts. It already includes events that have not
  /// been read yet.
  func contacts(
    of description: DeviceDescription, _ kind: ContactProtocol.Kind
  ) throws(SystemError) -> ContactSnapshot {
    switch kind {
    case .slots(let count):
      var contacts = Array(repeating: Contact(), count: count)
      for (code, field) in Self.slotFields where description.axes[code] != nil {
        var values = [Int32](repeating: 0, count: count)
        guard unsafe touchgrid_evdev_slots(number, code, &values, count) == 0 else {
          throw SystemError(context: "reading the slots")
        }
        for (slot, value) in values.enumerated() { contacts[slot][keyPath: field] = value }
      }
      return ContactSnapshot(currentSlot: Int(try axis(AbsCode.mtSlot)), contacts: contacts)
    case .single:
      let isDown = touchgrid_evdev_key(number, KeyCode.buttonTouch) == 1
      return ContactSnapshot(contacts: [
        Contact(trackingID: isDown ? 0 : -1, x: try axis(AbsCode.x), y: try axis(AbsCode.y))
      ])
    case .anonymous:
      // Without a button and a pressure there is no state to read. Protocol A repeats all contacts
      // in every frame, so if the panel is silent, a touch-up was probably lost.
      let isDown =
        if description.announces(EventType.key, KeyCode.buttonTouch) {
          touchgrid_evdev_key(number, KeyCode.buttonTouch) == 1
        } else if description.axes[AbsCode.pressure] != nil {
          try axis(AbsCode.pressure) > 0
        } else {
          false
        }
      return ContactSnapshot(contacts: isDown ? [Contact()] : [])
    }
  }

  /// Whether `BTN_TOUCH` of a device with slots is pressed; nil if it does not count.
  func isPressed(_ contactProtocol: ContactProtocol) -> Bool? {
    guard case .slots = contactProtocol.kind, contactProtocol.hasButton else { return nil }
    let state = touchgrid_evdev_key(number, KeyCode.buttonTouch)
    return state < 0 ? nil : state == 1
  }

  private static var slotFields: [(UInt16, WritableKeyPath<Contact, Int32>)] {
    [
      (AbsCode.mtTrackingID, \.trackingID), (AbsCode.mtPositionX, \.x), (AbsCode.mtPositionY, \.y),
      (AbsCode.mtToolType, \.tool), (AbsCode.mtDistance, \.distance),
    ]
  }

  private func axis(_ code: UInt16) throws(SystemError) -> Int32 {
    var value: Int32 = 0
    guard unsafe touchgrid_evdev_axis(number, code, &value) == 0 else {
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
