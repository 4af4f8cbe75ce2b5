/// An axis of a panel. Numbers that were counted with different axes are never added up.
public struct PanelAxis: Hashable, Sendable {
  /// The range in raw units, both ends included.
  public var minimum: Int32
  public var maximum: Int32
  /// Units per millimetre; 0 if the driver does not know.
  public var resolution: Int32

  public init(minimum: Int32, maximum: Int32, resolution: Int32 = 0) {
    self.minimum = minimum
    self.maximum = maximum
    self.resolution = resolution
  }

  /// Whether a device can have such an axis.
  public var isPossible: Bool { minimum < maximum && resolution >= 0 }
}

/// Identifies a panel. A device whose axes change is another panel from then on. Keys are equal if
/// the bytes of their devices are equal.
public struct PanelKey: Hashable, Sendable {
  /// The device's stable key.
  public var device: String
  public var x: PanelAxis
  public var y: PanelAxis

  public init(device: String, x: PanelAxis, y: PanelAxis) {
    self.device = device
    self.x = x
    self.y = y
  }

  public static func == (left: PanelKey, right: PanelKey) -> Bool {
    left.x == right.x && left.y == right.y && left.device.hasSameBytes(as: right.device)
  }

  public func hash(into hasher: inout Hasher) {
    device.hashBytes(into: &hasher)
    hasher.combine(x)
    hasher.combine(y)
  }
}

/// The counts of a panel in a session.
public struct PanelRecord: Hashable, Sendable {
  public var key: PanelKey
  public var counts: PanelCounts

  public init(key: PanelKey, counts: PanelCounts) {
    self.key = key
    self.counts = counts
  }
}
