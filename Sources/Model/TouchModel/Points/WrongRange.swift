/// The extent of raw positions.
public struct RawExtent: Hashable, Sendable {
  public private(set) var x: ClosedRange<Int32>
  public private(set) var y: ClosedRange<Int32>

  public init(x: Int32, y: Int32) { (self.x, self.y) = (x...x, y...y) }

  public mutating func include(x: Int32, y: Int32) {
    self.x = min(self.x.lowerBound, x)...max(self.x.upperBound, x)
    self.y = min(self.y.lowerBound, y)...max(self.y.upperBound, y)
  }

  public mutating func include(_ other: RawExtent) {
    include(x: other.x.lowerBound, y: other.y.lowerBound)
    include(x: other.x.upperBound, y: other.y.upperBound)
  }
}

/// An axis whose device sends values far outside of its range. Such touches would all be counted at
/// the edge. Drivers sometimes declare wrong ranges, and so do configurations.
public struct WrongRange: Hashable, Sendable {
  public enum Axis: String, Sendable { case x, y }

  /// The share of a range by which values may exceed it, for a finger at the bezel.
  static let tolerance = 0.02

  public let axis: Axis
  public let range: Placement.Range
  /// Whether the range is from the configuration, not from the driver.
  public let isConfigured: Bool
  /// The values sent, and those of the range.
  public let sent: Placement.Range

  /// - Parameters:
  ///   - range: the range of the axis.
  ///   - sent: the values that the device has sent.
  /// - Returns: nil if the values exceed the range by no more than `tolerance`.
  public init?(_ axis: Axis, _ range: Placement.Range, isConfigured: Bool, sent: ClosedRange<Int32>)
  {
    let margin = Self.tolerance * (Double(range.maximum) - Double(range.minimum))
    guard
      Double(sent.lowerBound) < Double(range.minimum) - margin
        || Double(sent.upperBound) > Double(range.maximum) + margin
    else { return nil }
    (self.axis, self.range, self.isConfigured) = (axis, range, isConfigured)
    self.sent = Placement.Range(
      minimum: min(range.minimum, sent.lowerBound), maximum: max(range.maximum, sent.upperBound))
  }

  /// - Returns: the axes with a wrong range.
  public static func all(
    x: Placement.Range, y: Placement.Range, isConfigured: Bool = false, sent: RawExtent?
  ) -> [WrongRange] {
    guard let sent else { return [] }
    return [
      WrongRange(.x, x, isConfigured: isConfigured, sent: sent.x),
      WrongRange(.y, y, isConfigured: isConfigured, sent: sent.y),
    ].compactMap(\.self)
  }

  /// The fault, as a sentence without a full stop.
  public var text: String {
    let far = [
      sent.minimum < range.minimum ? "down to \(sent.minimum)" : nil,
      sent.maximum > range.maximum ? "up to \(sent.maximum)" : nil,
    ]
    return
      "its \(axis.rawValue) axis sends values \(far.compactMap(\.self).joined(separator: " and ")),"
      + " but \(isConfigured ? "the configuration" : "its driver") says \(range.minimum) to "
      + "\(range.maximum): touches beyond are counted on the edge"
  }

  /// The remedy. It uses the kernel's name of the axis, which the hwdb uses as well.
  public var remedy: String {
    "touch all edges, then write \(axis.rawValue) = [\(sent.minimum), \(sent.maximum)], with the "
      + "values shown by then, in a [[device]] of the configuration, usually "
      + "/etc/touchgrid/touchgridd.toml"
      + (isConfigured ? "" : "; for all programs, an EVDEV_ABS_ rule in udev's hwdb corrects it")
  }
}
