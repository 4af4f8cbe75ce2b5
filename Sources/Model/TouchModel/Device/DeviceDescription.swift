internal import Text

/// The kernel's description of an axis: `struct input_absinfo` without the value.
public struct AxisInfo: Hashable, Sendable {
  /// The range in raw units, both ends included.
  public var minimum: Int32
  public var maximum: Int32
  public var fuzz: Int32
  public var flat: Int32
  /// Units per millimetre; 0 if the driver does not know.
  public var resolution: Int32

  public init(
    minimum: Int32, maximum: Int32, fuzz: Int32 = 0, flat: Int32 = 0, resolution: Int32 = 0
  ) {
    self.minimum = minimum
    self.maximum = maximum
    self.fuzz = fuzz
    self.flat = flat
    self.resolution = resolution
  }
}

/// Bus, vendor, product and version, as `EVIOCGID` returns them.
public struct DeviceIdentifiers: Hashable, Sendable {
  public var bus: UInt16
  public var vendor: UInt16
  public var product: UInt16
  public var version: UInt16

  public init(bus: UInt16 = 0, vendor: UInt16 = 0, product: UInt16 = 0, version: UInt16 = 0) {
    self.bus = bus
    self.vendor = vendor
    self.product = product
    self.version = version
  }

  /// Vendor and product with four hexadecimal digits each, such as `0eef:0001`.
  public var vendorProduct: String {
    "\(padded(vendor, 4, radix: 16)):\(padded(product, 4, radix: 16))"
  }
}

/// The announced properties of an evdev node, which do not change while it exists. Also describes
/// the device of a recording, and a virtual device to be created.
public struct DeviceDescription: Hashable, Sendable {
  /// The name that the device reports. It is untrusted: it may be empty or contain any bytes. Show
  /// it through `printable`.
  public var name: String
  public var identifiers: DeviceIdentifiers
  /// The numbers of its `INPUT_PROP_*` properties.
  public var properties: Set<UInt16>
  /// The announced codes by event type. Codes of `EV_ABS` are not included: they are the keys of
  /// `axes`.
  public var codes: [UInt16: Set<UInt16>]
  /// The announced codes of `EV_ABS`, with their ranges.
  public var axes: [UInt16: AxisInfo]

  public init(
    name: String = "", identifiers: DeviceIdentifiers = DeviceIdentifiers(),
    properties: Set<UInt16> = [], codes: [UInt16: Set<UInt16>] = [:],
    axes: [UInt16: AxisInfo] = [:]
  ) {
    self.name = name
    self.identifiers = identifiers
    self.properties = properties
    self.codes = codes
    self.axes = axes
  }

  public func announces(_ type: UInt16, _ code: UInt16) -> Bool {
    type == EventType.abs ? axes[code] != nil : codes[type]?.contains(code) ?? false
  }
}
