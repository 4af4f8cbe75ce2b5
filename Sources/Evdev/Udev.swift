internal import CLibudev
internal import Glibc
internal import LinuxIO

/// udev's list of input nodes, and its messages of their coming and going and of monitors.
@safe struct Udev: ~Copyable {
  /// What a message of the monitor says.
  enum Message {
    case appeared(NodeProperties)
    case disappeared(sysPath: String)
    /// Something else happened to a node, such as a change of its properties or permissions.
    case changed(NodeProperties)
    /// Something about graphics: a driver was loaded, a monitor connected or disconnected.
    case graphics
    /// Of what is no event node.
    case other
    /// Messages were lost: the list must be read again.
    case overflow
  }

  private let udev: OpaquePointer
  private let monitor: OpaquePointer
  /// Messages in a row that could not be taken.
  private var failures = 0

  /// Starts listening: what appears from now on is told, so that a list read afterwards has no gap.
  init() throws(SystemError) {
    guard let udev = unsafe udev_new() else { throw SystemError(context: "starting libudev") }
    // The "udev" source speaks once the rules have run; the "kernel" source would be too early.
    guard let monitor = unsafe udev_monitor_new_from_netlink(udev, "udev") else {
      let error = SystemError(context: "listening to udev")
      unsafe udev_unref(udev)
      throw error
    }
    unsafe udev_monitor_filter_add_match_subsystem_devtype(monitor, "input", nil)
    unsafe udev_monitor_filter_add_match_subsystem_devtype(monitor, "drm", nil)
    // More than the default may need a privilege; without it the default stays.
    unsafe udev_monitor_set_receive_buffer_size(monitor, 1 << 20)
    guard unsafe udev_monitor_enable_receiving(monitor) >= 0 else {
      let error = SystemError(context: "listening to udev")
      unsafe udev_monitor_unref(monitor)
      unsafe udev_unref(udev)
      throw error
    }
    unsafe self.udev = unsafe udev
    unsafe self.monitor = unsafe monitor
  }

  deinit {
    unsafe udev_monitor_unref(monitor)
    unsafe udev_unref(udev)
  }

  var descriptor: Int32 { unsafe udev_monitor_get_fd(monitor) }

  /// Whether messages, or the news of their loss, are waiting.
  var hasMore: Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&request, 1, 0) > 0
  }

  /// - Returns: the next message; nil where none is waiting.
  /// - Throws: what libudev says again and again: the descriptor would stay readable for ever.
  mutating func next() throws(SystemError) -> Message? {
    // A NULL with EAGAIN after a message that the kernel's filter let through by mistake is normal,
    // and is told from the end of the queue only by trying again: the descriptor stays readable then.
    errno = 0
    guard let device = unsafe udev_monitor_receive_device(monitor) else {
      return try nothing(because: errno)
    }
    failures = 0
    defer { unsafe udev_device_unref(device) }
    if unsafe Self.text(udev_device_get_subsystem(device)) == "drm" { return .graphics }
    guard let properties = unsafe Self.properties(of: device) else { return .other }
    switch unsafe Self.text(udev_device_get_action(device)) {
    case "add": return .appeared(properties)
    case "remove": return .disappeared(sysPath: properties.sysPath)
    default: return .changed(properties)
    }
  }

  private mutating func nothing(because code: Int32) throws(SystemError) -> Message? {
    switch code {
    case 0, EAGAIN, EINTR:
      failures = 0
      return nil
    case ENOBUFS: return .overflow
    default:
      // A single message that libudev cannot make sense of is lost like one that found no room.
      failures += 1
      if failures == 64 { throw SystemError(code: code, context: "listening to udev") }
      return .overflow
    }
  }

  /// All event nodes that udev has finished with.
  func nodes() throws(SystemError) -> [NodeProperties] {
    guard let list = unsafe udev_enumerate_new(udev) else {
      throw SystemError(context: "listing input devices")
    }
    defer { unsafe udev_enumerate_unref(list) }
    unsafe udev_enumerate_add_match_subsystem(list, "input")
    unsafe udev_enumerate_add_match_sysname(list, "event*")
    guard unsafe udev_enumerate_scan_devices(list) >= 0 else {
      throw SystemError(context: "listing input devices")
    }
    var nodes: [NodeProperties] = []
    var entry = unsafe udev_enumerate_get_list_entry(list)
    while let current = unsafe entry {
      if let device = unsafe udev_device_new_from_syspath(
        udev, udev_list_entry_get_name(current))
      {
        if let properties = unsafe Self.properties(of: device), properties.isInitialized {
          nodes.append(properties)
        }
        unsafe udev_device_unref(device)
      }
      unsafe entry = unsafe udev_list_entry_get_next(current)
    }
    return nodes
  }

  /// The path below `/sys` of the device that a node's number belongs to now.
  func sysPath(ofDeviceNumber number: UInt64) -> String? {
    let character = CChar(UInt8(ascii: "c"))
    guard let device = unsafe udev_device_new_from_devnum(udev, character, dev_t(number))
    else { return nil }
    defer { unsafe udev_device_unref(device) }
    return unsafe Self.text(udev_device_get_syspath(device))
  }

  /// - Returns: nil for what is no event node.
  private static func properties(of device: OpaquePointer) -> NodeProperties? {
    guard let sysPath = unsafe text(udev_device_get_syspath(device)),
      let name = unsafe text(udev_device_get_sysname(device)), name.hasPrefix("event")
    else { return nil }
    var values: [String: String] = [:]
    if let parent = unsafe udev_device_get_parent_with_subsystem_devtype(device, "input", nil) {
      unsafe addProperties(of: parent, to: &values)
    }
    unsafe addProperties(of: device, to: &values)
    return unsafe NodeProperties(
      sysPath: sysPath, node: text(udev_device_get_devnode(device)) ?? "/dev/input/\(name)",
      deviceNumber: UInt64(udev_device_get_devnum(device)),
      isInitialized: udev_device_get_is_initialized(device) != 0, properties: values)
  }

  private static func addProperties(
    of device: OpaquePointer, to values: inout [String: String]
  ) {
    var entry = unsafe udev_device_get_properties_list_entry(device)
    while let current = unsafe entry {
      if let name = unsafe text(udev_list_entry_get_name(current)),
        let value = unsafe text(udev_list_entry_get_value(current))
      {
        values[name] = value
      }
      unsafe entry = unsafe udev_list_entry_get_next(current)
    }
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    unsafe pointer.map { unsafe String(cString: $0) }
  }
}
