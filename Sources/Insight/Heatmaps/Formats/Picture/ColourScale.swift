internal import Glibc
public import TouchModel

/// Maps values to positions in a colour map. The default scale is logarithmic, so that a block
/// touched a hundred times does not hide those touched once. It ends at a percentile, so that a
/// single block with a very high count does not make all others dark.
public struct ColourScale: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Sendable { case log, linear }

  /// The lowest position in the colour map for a count above 0. It is above 0, so that even the
  /// smallest count stands out from blocks without a count.
  public static let floor = 0.25
  /// The ratio of the limit to the unit in scales with a fixed limit, except for sums without
  /// smoothing.
  public static let fixedRange = 1000.0

  public let kind: Kind
  /// The lowest value that gets the last colour. 0 if it is a percentile and no count is above 0.
  public let limit: Double
  /// The value below which the logarithmic scale is nearly linear. It is usually the value of a
  /// single count, such as 1 for sums and 1 / n for means of n sessions, because there are no
  /// smaller values.
  public let unit: Double

  public init(limit: Double, unit: Double = 1, kind: Kind = .log) {
    self.limit = limit
    self.unit = unit > 0 && unit.isFinite ? unit : 1
    self.kind = kind
  }

  /// Creates a scale that ends at a percentile of the counts.
  /// - Parameters:
  ///   - counts: the counts to draw. Zeros are ignored.
  ///   - percentile: 0...100.
  public init(
    counts: [Double], percentile: Double = 99, unit: Double = 1, kind: Kind = .log
  ) {
    self.init(
      limit: Self.percentile(percentile, of: counts.filter { $0 > 0 }) ?? 0, unit: unit, kind: kind)
  }

  /// Creates the scale of one grid's picture.
  /// - Parameters:
  ///   - counts: the values to draw, made from the grid's counts.
  ///   - peak: the factor by which smoothing lowers the highest value of a single count: 1 without
  ///     smoothing.
  ///   - limit: the value that gets the last colour; nil for the 99th percentile.
  public init(
    counts: [Double], of grid: SummedGrid, value: GridValue, peak: Double = 1, kind: Kind,
    limit: Double?
  ) {
    guard let limit else {
      self.init(counts: counts, unit: grid.valueOfOne(value) * peak, kind: kind)
      return
    }
    // With a fixed limit, equal values must have the same colour in all pictures. The unit must not
    // depend on the value of a single count then, which differs from picture to picture.
    let unit = value == .sum && peak == 1 ? 1 : limit / Self.fixedRange
    self.init(limit: limit, unit: unit, kind: kind)
  }

  /// Returns the position in the colour map.
  /// - Returns: `floor`...1; nil for a count of 0.
  public func position(of count: Double) -> Double? {
    guard count > 0 else { return nil }
    return Self.floor + (1 - Self.floor) * part(of: count)
  }

  /// Returns the position of a value along the scale: 0...1.
  public func part(of count: Double) -> Double {
    guard count > 0 else { return 0 }
    guard limit > 0, count < limit else { return 1 }
    return switch kind {
    case .log: log1p(count / unit) / log1p(limit / unit)
    case .linear: count / limit
    }
  }

  /// Returns the value at a position along the scale: the inverse of `part`.
  /// - Parameter part: 0...1.
  public func value(at part: Double) -> Double {
    switch kind {
    case .log: unit * expm1(part * log1p(limit / unit))
    case .linear: part * limit
    }
  }

  /// Returns a percentile of the values, interpolated between neighbours (NumPy's `linear`, Hyndman
  /// & Fan's type 7); nil without values.
  public static func percentile(_ percentile: Double, of values: [Double]) -> Double? {
    let sorted = values.sorted()
    guard let last = sorted.last else { return nil }
    let place = min(100, max(0, percentile)) / 100 * Double(sorted.count - 1)
    let index = Int(place)
    guard index + 1 < sorted.count else { return last }
    return sorted[index] + (sorted[index + 1] - sorted[index]) * (place - Double(index))
  }
}
