internal import Text
public import TouchModel

extension Layer {
  /// The name of the layer and the quantity that it shows, as text.
  public var meaning: String {
    switch self {
    case .taps: "taps, where touches begin"
    case .trail: "trail, where touches go"
    case .dwell: "dwell, the time of contact"
    }
  }

  /// The unit of the layer's counts, as text.
  public var unit: String {
    switch self {
    case .taps: "taps"
    case .trail: "entries"
    case .dwell: "ms"
    }
  }

  /// Returns a count with its unit, such as `1,204 taps` or `1 entry`.
  public func counted(_ count: UInt64) -> String {
    let unit =
      switch self {
      case .taps: count == 1 ? "tap" : self.unit
      case .trail: count == 1 ? "entry" : self.unit
      case .dwell: self.unit
      }
    return "\(groupedDigits(count)) \(unit)"
  }
}

extension GridValue {
  /// Returns the unit of the values as text, such as `taps per session`.
  public func unit(of layer: Layer) -> String {
    switch self {
    case .mean: "\(layer.unit) per session"
    case .sum: layer.unit
    case .rate: "\(layer.unit) per minute shown"
    }
  }
}
