internal import Glibc

/// Which part of a colour map a value gets: by the logarithm of the count behind it, so that a block touched
/// a hundred times does not hide those touched once, up to a percentile, so that one block alone cannot do
/// it either.
public struct ColourScale: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Sendable { case log, linear }

  /// Where the colours of counts begin, so that the least count differs from none.
  public static let floor = 0.25
  /// How far below its end a scale that is fixed for several pictures tells values apart.
  public static let fixedRange = 1000.0

  public let kind: Kind
  /// Values of this size and above get the last colour; 0 where nothing was counted.
  public let limit: Double
  /// The value of a single count: 1 of sums, 1 / n of means of n sessions. Below it a logarithm would tell
  /// apart what is no difference.
  public let unit: Double

  public init(limit: Double, unit: Double = 1, kind: Kind = .log) {
    self.limit = limit
    self.unit = unit > 0 && unit.isFinite ? unit : 1
    self.kind = kind
  }

  /// - Parameters:
  ///   - counts: those to be drawn. Zeros have no colour and no say.
  ///   - percentile: 0...100.
  public init(
    counts: [Double], percentile: Double = 99, unit: Double = 1, kind: Kind = .log
  ) {
    self.init(
      limit: Self.percentile(percentile, of: counts.filter { $0 > 0 }) ?? 0, unit: unit, kind: kind)
  }

  /// The scale of one grid's picture.
  /// - Parameters:
  ///   - counts: what is drawn of it.
  ///   - peak: what is drawn of a single count: 1 unless blurred.
  ///   - limit: the value that gets the last colour; nil: the 99th percentile.
  public init(
    counts: [Double], of grid: SummedGrid, value: GridValue, peak: Double = 1, kind: Kind,
    limit: Double?
  ) {
    guard let limit else {
      self.init(counts: counts, unit: grid.valueOfOne(value) * peak, kind: kind)
      return
    }
    // What one count is worth differs from picture to picture; the colours of equal values must not.
    let unit = value == .sum && peak == 1 ? 1 : limit / Self.fixedRange
    self.init(limit: limit, unit: unit, kind: kind)
  }

  /// - Returns: `floor`...1; nil for nothing counted.
  public func position(of count: Double) -> Double? {
    guard count > 0 else { return nil }
    return Self.floor + (1 - Self.floor) * part(of: count)
  }

  /// How far along the scale a value lies: 0...1.
  public func part(of count: Double) -> Double {
    guard count > 0 else { return 0 }
    guard limit > 0, count < limit else { return 1 }
    return switch kind {
    case .log: log1p(count / unit) / log1p(limit / unit)
    case .linear: count / limit
    }
  }

  /// The value that lies so far along the scale: the inverse of `part`.
  /// - Parameter part: 0...1.
  public func value(at part: Double) -> Double {
    switch kind {
    case .log: unit * expm1(part * log1p(limit / unit))
    case .linear: part * limit
    }
  }

  /// The value below which so many of 100 values lie, interpolated between neighbours (NumPy's
  /// `linear`, Hyndman & Fan's type 7); nil without values.
  public static func percentile(_ percentile: Double, of values: [Double]) -> Double? {
    let sorted = values.sorted()
    guard let last = sorted.last else { return nil }
    let place = min(100, max(0, percentile)) / 100 * Double(sorted.count - 1)
    let index = Int(place)
    guard index + 1 < sorted.count else { return last }
    return sorted[index] + (sorted[index + 1] - sorted[index]) * (place - Double(index))
  }
}
