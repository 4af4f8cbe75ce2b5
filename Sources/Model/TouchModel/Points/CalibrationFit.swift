/// A calibration matrix fitted to touches at known places.
///
/// The matrix is the affine map with the least squared distances. Three touches determine it. Each
/// further touch makes it more exact, and shows whether one such map fits all touches.
public struct CalibrationFit: Hashable, Sendable {
  /// A touch and its target.
  public struct Touch: Hashable, Sendable {
    /// The position that the panel reported, normalised as by `Placement.Range`.
    public var x: Double
    public var y: Double
    /// The place on the display before rotation: 0 at its left and top, 1 at its right and bottom.
    public var targetX: Double
    public var targetY: Double

    public init(x: Double, y: Double, targetX: Double, targetY: Double) {
      self.x = x
      self.y = y
      self.targetX = targetX
      self.targetY = targetY
    }
  }

  /// The reason why touches give no usable matrix.
  public enum Fault: Error, Hashable, Sendable {
    /// The touches lie at one place or on one line.
    case onOneLine
    /// The display would be more than five times as large as the panel, or less than a fifth of it.
    case scale(Double)
    /// No affine map fits the touches. The value is the error, as a share of the display.
    case doesNotFit(Double)
    /// The map mirrors: seen from the front, right and left are exchanged.
    case mirrored
  }

  /// The largest error of a touch, as a share of the display.
  public static let errorLimit = 0.01
  /// The smallest standard deviation of the reported positions in any direction. Crosses at a tenth
  /// from the edges have 0.4.
  private static let leastSpread = 0.03
  private static let scales = 0.2...5

  public let matrix: CalibrationMatrix
  /// The greatest distance between a target and the place to which the matrix moves its touch, as a
  /// share of the display's sides.
  public let error: Double

  /// - Parameter allowsMirrored: whether the map may mirror. Panels rarely do, but crosses touched
  ///   in the wrong order have the same effect.
  public init(_ touches: [Touch], allowsMirrored: Bool = false) throws(Fault) {
    let x = Self.moments(touches.map(\.x)), y = Self.moments(touches.map(\.y))
    let (xx, yy) = (Self.product(x.rest, x.rest), Self.product(y.rest, y.rest))
    let xy = Self.product(x.rest, y.rest)
    // The variance in the direction in which the touches are closest together.
    let least = (xx + yy) / 2 - ((xx - yy) * (xx - yy) / 4 + xy * xy).squareRoot()
    guard touches.count >= 3, least > Self.leastSpread * Self.leastSpread else { throw .onOneLine }
    func row(_ targets: [Double]) -> [Double] {
      let target = Self.moments(targets)
      let (tx, ty) = (Self.product(target.rest, x.rest), Self.product(target.rest, y.rest))
      let determinant = xx * yy - xy * xy
      let first = (tx * yy - ty * xy) / determinant
      let second = (ty * xx - tx * xy) / determinant
      return [first, second, target.mean - first * x.mean - second * y.mean]
    }
    guard
      let matrix = CalibrationMatrix(
        numbers: row(touches.map(\.targetX)) + row(touches.map(\.targetY)))
    else { throw .onOneLine }
    self.matrix = matrix
    error = touches.map { matrix.error(of: $0) }.max() ?? 0
    guard error <= Self.errorLimit else { throw .doesNotFit(error) }
    for scale in matrix.scales where !Self.scales.contains(scale) { throw .scale(scale) }
    guard allowsMirrored || matrix.determinant > 0 else { throw .mirrored }
  }

  private static func moments(_ values: [Double]) -> (mean: Double, rest: [Double]) {
    let mean = values.reduce(0, +) / Double(max(1, values.count))
    return (mean, values.map { $0 - mean })
  }

  /// The mean of the products of two lists.
  private static func product(_ left: [Double], _ right: [Double]) -> Double {
    zip(left, right).reduce(0) { $0 + $1.0 * $1.1 } / Double(max(1, left.count))
  }
}

extension CalibrationMatrix {
  /// The distance between a target and the place to which the matrix moves its touch, as a share of
  /// the display's sides.
  public func error(of touch: CalibrationFit.Touch) -> Double {
    let place = apply(touch.x, touch.y)
    let (x, y) = (place.x - touch.targetX, place.y - touch.targetY)
    return (x * x + y * y).squareRoot()
  }

  /// The greatest and the least factor by which the matrix stretches a distance.
  fileprivate var scales: [Double] {
    let (a, b, d, e) = (values[0], values[1], values[3], values[4])
    let sum = a * a + b * b + d * d + e * e
    let root = max(0, sum * sum / 4 - determinant * determinant).squareRoot()
    return [(sum / 2 + root).squareRoot(), max(0, sum / 2 - root).squareRoot()]
  }

  /// The matrix with numbers of at most six decimals. Rounding moves no position by a pixel, even
  /// on the largest display.
  public var rounded: CalibrationMatrix {
    CalibrationMatrix(numbers: values.map { ($0 * 1e6).rounded() / 1e6 + 0 }) ?? self
  }
}
