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

  /// `12 touches`.
  public func counted(_ count: UInt64) -> String {
    switch self {
    case .taps: "\(groupedDigits(count)) \(count == 1 ? "touch" : "touches")"
    case .trail: "\(groupedDigits(count)) \(count == 1 ? "touch" : "touches") came by"
    case .dwell: "\(groupedDigits(count)) ms"
    }
  }
}

extension GridValue {
  /// What the numbers of a legend count.
  public func unit(of layer: Layer) -> String {
    let unit = layer == .dwell ? "milliseconds of touch" : "touches"
    return switch self {
    case .mean: "mean \(unit) per session"
    case .sum: unit
    case .rate: "\(unit) per minute shown"
    }
  }
}
