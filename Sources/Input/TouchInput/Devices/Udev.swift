internal import CLibudev
internal import Glibc
internal import LinuxIO

/// udev's list of input nodes, and its messages about input nodes and monitors.
@safe struct Udev: ~Copyable {
  /// A message from the monitor.
  enum Message {
    case appeared(NodeProperties)
    case disappeared(sysPath: String)
    /// Another change of a node, such as of its properties or permissions.
    case changed(NodeProperties)
    /// A change in graphics: a driver was loaded, or a monitor was connected or disconnected.
    case graphics
    /// A message about another kind of device.
    case other
    /// Messages were lost: the list must be read again.
    case overflow
  }

  private let udev: OpaquePointer
  private let monitor: OpaquePointer
  /// The number of consecutive messages that could not be read.
  private var failures = 0

  /// Starts the monitor. It reports every node that appears from now on, so a list that is read
  /// afterwards has no gap.
  init() throws(SystemError) {
    guard let udev = unsafe udev_new() else { throw SystemError(context: "starting libudev") }
    // The "udev" source reports a device after the rules have run. The "kernel" source would be too
    // early.
    guard let monitor = unsafe udev_monitor_new_from_netlink(udev, "udev") else {
      let error = SystemError(context: "listening to udev")
      unsafe udev_unref(udev)
      throw error
    }
    unsafe udev_monitor_filter_add_match_subsystem_devtype(monitor, "input", nil)
    unsafe udev_monitor_filter_add_match_subsystem_devtype(monitor, "drm", nil)
    // A larger buffer may need a privilege. Without it, the buffer keeps its default size.
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

  /// Whether messages, or the report of their loss, are waiting.
  var hasMore: Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&request, 1, 0) > 0
  }

  /// Reads the next message.
  /// - Returns: nil if no message is waiting, or if libudev discarded one.
  /// - Throws: the error, if libudev fails 64 times in a row. The descriptor would otherwise remain
  ///   readable forever.
  mutating func next() throws(SystemError) -> Message? {
    // libudev also returns NULL with `EAGAIN` after it discards a message that the kernel's filter
    // let through by mistake. This looks like an empty queue. If more messages wait, the descriptor
    // remains readable, and the next call reads them.
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
      // libudev cannot parse this message. Treat it as lost, as if the buffer had overflowed.
      failures += 1
      if failures == 64 { throw SystemError(code: code, context: "listening to udev") }
      return .overflow
    }
  }

  /// Returns all event nodes that udev has initialised.
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

  /// Returns the path below `/sys` of the device that has this number now; nil if there is none.
  func sysPath(ofDeviceNumber number: UInt64) -> String? {
    let character = CChar(UInt8(ascii: "c"))
    guard let device = unsafe udev_device_new_from_devnum(udev, character, dev_t(number))
    else { return nil }
    defer { unsafe udev_device_unref(device) }
    return unsafe Self.text(udev_device_get_syspath(device))
  }

  /// - Returns: nil if the device is not an event node.
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
