/// Turns raw positions of a panel into points and blocks. Made from a placement once, because each
/// sample of a touch needs it.
struct Locator: Sendable {
  /// An axis of the panel. `Placement.Range.normalised` gives the same.
  private struct Axis: Sendable {
    let range: Placement.Range
    let start: Double
    let length: Double

    init(_ range: Placement.Range) {
      self.range = range
      start = Double(range.minimum)
      length = Double(range.maximum) - Double(range.minimum) + 1
    }

    @inline(__always)
    func normalised(_ value: Int32) -> Double { (Double(value) - start) / length }
  }

  /// A row of the calibration matrix for a side of the picture that the person sees.
  private struct Side: Sendable {
    let a: Double
    let b: Double
    let c: Double
    /// 1 if the rotation reverses the side; `a`, `b` and `c` are then negated.
    let start: Double

    init(_ a: Double, _ b: Double, _ c: Double, start: Double = 0) {
      (self.a, self.b, self.c, self.start) = (a, b, c, start)
    }

    var reversed: Side { Side(-a, -b, -c, start: 1) }

    /// The position on the side for a normalised raw position: 0...1 within the display.
    @inline(__always)
    func apply(_ x: Double, _ y: Double) -> Double { start + (a * x + b * y + c) }
  }

  private let x: Axis
  private let y: Axis
  private let across: Side
  private let down: Side
  private let width: Double
  private let height: Double
  /// The point farthest right and down on the display.
  private let last: Point
  private let blockSize: Double

  init(_ placement: borrowing Placement) {
    let (matrix, geometry) = (placement.matrix, placement.geometry)
    let first = Side(matrix.a, matrix.b, matrix.c)
    let second = Side(matrix.d, matrix.e, matrix.f)
    switch geometry.rotation {
    case .none: (across, down) = (first, second)
    case .quarter: (across, down) = (second, first.reversed)
    case .half: (across, down) = (first.reversed, second.reversed)
    case .threeQuarters: (across, down) = (second.reversed, first)
    }
    (x, y) = (Axis(placement.x), Axis(placement.y))
    (width, height) = (geometry.width, geometry.height)
    last = Point(x: width.nextDown, y: height.nextDown)
    blockSize = Double(geometry.blockSize)
  }

  @inline(__always)
  func locate(rawX: Int32, rawY: Int32) -> Placement.Location {
    let (normalX, normalY) = (x.normalised(rawX), y.normalised(rawY))
    let (right, low) = (across.apply(normalX, normalY), down.apply(normalX, normalY))
    // A rotated minimum is exactly 1: it is on the far edge, not beyond it.
    let isInside =
      x.range.contains(rawX) && y.range.contains(rawY)
      && (0...1).contains(right) && (0...1).contains(low)
    let point = Point(
      x: Self.clamp(right * width, to: last.x), y: Self.clamp(low * height, to: last.y))
    // The point is on the display, so its block is in the grid.
    let block = Block(column: Int(point.x / blockSize), row: Int(point.y / blockSize))
    return Placement.Location(point: point, block: block, isClamped: !isInside)
  }

  @inline(__always)
  private static func clamp(_ value: Double, to last: Double) -> Double {
    // Huge matrices can give NaN (infinity minus infinity), which is moved to the near edge.
    value > 0 ? min(value, last) : 0
  }
}
