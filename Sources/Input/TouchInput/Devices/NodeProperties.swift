/// The properties of an input node from udev, including those of its parent.
public struct NodeProperties: Hashable, Sendable {
  /// The path below `/sys`. It is unique while the system runs.
  public var sysPath: String
  /// The path of the node, such as `/dev/input/event3`. Another device may get the same path after
  /// this one is removed.
  public var node: String
  public var deviceNumber: UInt64
  public var isInitialized: Bool
  /// The node's properties, and those of its parent that the node does not have itself.
  public var properties: [String: String]

  public init(
    sysPath: String, node: String, deviceNumber: UInt64 = 0, isInitialized: Bool = true,
    properties: [String: String]
  ) {
    self.sysPath = sysPath
    self.node = node
    self.deviceNumber = deviceNumber
    self.isInitialized = isInitialized
    self.properties = properties
  }

  /// Whether udev tags the node or its parent as a touchscreen. As in libinput, the touch nodes of
  /// pen displays count too, which are also tagged as tablets.
  public var isTouchscreen: Bool { isSet("ID_INPUT_TOUCHSCREEN") }

  public var isIgnored: Bool { isSet("LIBINPUT_IGNORE_DEVICE") }

  public var seat: String { properties["ID_SEAT"] ?? "seat0" }

  /// The output that the device belongs to, if a udev rule sets it.
  public var output: String? { properties["WL_OUTPUT"] }

  public var calibration: String? { properties["LIBINPUT_CALIBRATION_MATRIX"] }

  /// Whether a program created the device through uinput.
  public var isVirtual: Bool { sysPath.hasPrefix("/sys/devices/virtual/input/") }

  /// The place where the device is plugged in (`PHYS`), without the number of the input on the
  /// device; nil if the driver reports no place.
  public var physicalPath: String? {
    guard let text = properties["PHYS"] else { return nil }
    let phys = text.filter { $0 != "\"" }
    let stem =
      phys.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let path = stem.isEmpty ? phys : stem
    return path.isEmpty ? nil : path
  }

  /// A path that identifies the panel and that all its nodes share; nil for virtual devices without
  /// a USB place, and if the path below `/sys` has another form. On USB, this is the place where
  /// the panel is plugged in (as in libinput's device groups), because each of its interfaces is a
  /// separate device. Elsewhere, it is the parent device below `/sys`, because other drivers report
  /// no unique place (many report `input/ts`).
  public var panelPath: String? {
    if let path = physicalPath, path.hasPrefix("usb-") { return path }
    guard !isVirtual else { return nil }
    let parts = sysPath.split(separator: "/", omittingEmptySubsequences: false)
    // The path ends in `PARENT/input/input5/event5`.
    guard parts.count > 3, parts[parts.count - 3] == "input" else { return nil }
    return parts.dropLast(3).joined(separator: "/")
  }

  private func isSet(_ property: String) -> Bool {
    properties[property].map { $0 != "0" && !$0.isEmpty } ?? false
  }
}
