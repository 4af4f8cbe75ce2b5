internal import Glibc

/// Which part of a colour map a count gets: by `log1p`, so that a block touched a hundred times does
/// not hide those touched once, up to a percentile, so that one block alone cannot do it either.
public struct ColourScale: Hashable, Sendable {
  /// Where the colours of counts begin, so that the least count differs from none.
  public static let floor = 0.25

  /// Counts of this size and above get the last colour; 0 where nothing was counted.
  public let limit: Double

  public init(limit: Double) { self.limit = limit }

  /// - Parameters:
  ///   - counts: those to be drawn. Zeros have no colour and no say.
  ///   - percentile: 0...100.
  public init(counts: [Double], percentile: Double = 99) {
    limit = Self.percentile(percentile, of: counts.filter { $0 > 0 }) ?? 0
  }

  /// - Returns: `floor`...1; nil for nothing counted.
  public func position(of count: Double) -> Double? {
    guard count > 0 else { return nil }
    guard limit > 0, count < limit else { return 1 }
    return Self.floor + (1 - Self.floor) * log1p(count) / log1p(limit)
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
