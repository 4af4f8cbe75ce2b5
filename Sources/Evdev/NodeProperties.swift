/// What udev says of one input node, and of its parent where that matters.
public struct NodeProperties: Hashable, Sendable {
  /// Path below `/sys`: never used twice while the system runs.
  public var sysPath: String
  /// Such as `/dev/input/event3`: used again once the device is gone.
  public var node: String
  /// Device number of the node.
  public var deviceNumber: UInt64
  public var isInitialized: Bool
  /// The node's properties over those of its parent.
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

  /// udev tags touchscreens, on the node or on its parent. A node that is tagged as a tablet too is a
  /// touchscreen all the same: libinput's rule for the touch nodes of pen displays.
  public var isTouchscreen: Bool { isSet("ID_INPUT_TOUCHSCREEN") }

  public var isIgnored: Bool { isSet("LIBINPUT_IGNORE_DEVICE") }

  public var seat: String { properties["ID_SEAT"] ?? "seat0" }

  /// The head that the device belongs to, where udev rules name one.
  public var output: String? { properties["WL_OUTPUT"] }

  public var calibration: String? { properties["LIBINPUT_CALIBRATION_MATRIX"] }

  /// Made by a program through uinput.
  public var isVirtual: Bool { sysPath.hasPrefix("/sys/devices/virtual/input/") }

  /// Where the driver says that the device is plugged in, without the number of the input on it. nil where
  /// it says nothing.
  public var physicalPath: String? {
    guard let text = properties["PHYS"] else { return nil }
    let phys = text.filter { $0 != "\"" }
    let stem =
      phys.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let path = stem.isEmpty ? phys : stem
    return path.isEmpty ? nil : path
  }

  /// What the nodes of one panel have in common. On USB that is the place where it is plugged in (the rule
  /// of libinput's device groups), as each interface is a device of its own. Other drivers' words name no
  /// place (many say `input/ts`): there it is the parent device below `/sys`. nil where neither is known.
  public var panelPath: String? {
    if let path = physicalPath, path.hasPrefix("usb-") { return path }
    guard !isVirtual else { return nil }
    let parts = sysPath.split(separator: "/", omittingEmptySubsequences: false)
    // PARENT/input/input5/event5
    guard parts.count > 3, parts[parts.count - 3] == "input" else { return nil }
    return parts.dropLast(3).joined(separator: "/")
  }

  private func isSet(_ property: String) -> Bool {
    properties[property].map { $0 != "0" && !$0.isEmpty } ?? false
  }
}
