public import TouchModel

extension Layer {
  /// What it shows.
  public var meaning: String {
    switch self {
    case .taps: "taps, where touches begin"
    case .trail: "trail, where touches go"
    case .dwell: "dwell, how long fingers rest"
    }
  }

  /// What its numbers count, wherever people read them.
  public var unit: String {
    switch self {
    case .taps: "taps"
    case .trail: "entries"
    case .dwell: "ms"
    }
  }

  /// `1,204 taps`, `1 entry`.
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
  /// What its numbers are: `taps a session`.
  public func unit(of layer: Layer) -> String {
    switch self {
    case .mean: "\(layer.unit) a session"
    case .sum: layer.unit
    case .rate: "\(layer.unit) a minute shown"
    }
  }
}
