/// The division of a panel's raw positions into lines, and its limits for steps. All touches of a
/// device share one object.
final class PanelLines: Sendable {
  let key: PanelKey
  /// The longest step between two reports of a resting contact, in raw units: 1 mm, or 1/256 of the
  /// axis if the driver does not know the size.
  let restX: UInt64
  let restY: UInt64
  /// The longest step of a contact that is expected to be reported in the next line, in raw units:
  /// three quarters of the width of a line.
  let slowX: Int64
  let slowY: Int64
  /// The unit of `PanelCounts.subscript(restingSquares:)`, in raw units: 1 µm, or 1/100,000 of the
  /// axis if the driver does not know the size.
  private let unitX: Double
  private let unitY: Double
  private let x: PanelAxis
  private let y: PanelAxis

  /// - Parameters:
  ///   - device: the device's stable key.
  ///   - resolution: raw units per mm; 0 or less if the driver does not know.
  init(
    device: String, _ placement: borrowing Placement, resolution: (x: Int32, y: Int32) = (0, 0)
  ) {
    let isKnown = resolution.x > 0 && resolution.y > 0
    let x = PanelAxis(
      minimum: placement.x.minimum, maximum: placement.x.maximum,
      resolution: isKnown ? resolution.x : 0)
    let y = PanelAxis(
      minimum: placement.y.minimum, maximum: placement.y.maximum,
      resolution: isKnown ? resolution.y : 0)
    key = PanelKey(device: device, x: x, y: y)
    (restX, restY) = (UInt64(x.rest), UInt64(y.rest))
    (unitX, unitY) = (x.unit, y.unit)
    (self.x, self.y) = (x, y)
    slowX = 3 * x.length / Int64(4 * PanelCounts.columns)
    slowY = 3 * y.length / Int64(4 * PanelCounts.rows)
  }

  /// The vertical line of a raw position. Positions outside the range are in the outermost lines.
  func column(of value: Int32) -> PanelLine {
    PanelLine(of: value, on: x, among: Int64(PanelCounts.columns))
  }

  /// The horizontal line of a raw position.
  func row(of value: Int32) -> PanelLine {
    PanelLine(of: value, on: y, among: Int64(PanelCounts.rows))
  }

  /// The raw position in the middle of the cell in which a contact began.
  func middle(of trace: borrowing PanelTrace) -> (x: Int32, y: Int32) {
    func middle(_ line: Int, _ lines: Int, on axis: PanelAxis) -> Int32 {
      Int32(clamping: Int64(axis.minimum) + (2 * Int64(line) + 1) * axis.length / Int64(2 * lines))
    }
    return (
      middle(trace.column, PanelCounts.columns, on: x), middle(trace.row, PanelCounts.rows, on: y)
    )
  }

  /// The square of a distance in raw units, in the unit of `PanelCounts.subscript(restingSquares:)`.
  func square(_ x: Double, _ y: Double) -> Double {
    let (across, down) = (x / unitX, y / unitY)
    return across * across + down * down
  }
}

/// A line, and the raw positions in it.
struct PanelLine: Hashable, Sendable {
  let number: Int32
  private let low: Int32
  private let high: Int32

  /// - Parameters:
  ///   - value: a raw position. The outermost lines contain everything beyond them.
  ///   - lines: the number of lines on the axis.
  @inline(__always)
  init(of value: Int32, on axis: PanelAxis, among lines: Int64) {
    let (minimum, length) = (Int64(axis.minimum), axis.length)
    let line = min(max((Int64(value) - minimum) * lines / length, 0), lines - 1)
    let start = minimum + (line * length + lines - 1) / lines
    let next = minimum + ((line + 1) * length + lines - 1) / lines
    number = Int32(truncatingIfNeeded: line)
    low = line == 0 ? .min : Int32(truncatingIfNeeded: start)
    high = line == lines - 1 ? .max : Int32(truncatingIfNeeded: next - 1)
  }

  func contains(_ value: Int32) -> Bool { low <= value && value <= high }
}

/// A cell of a panel: where a vertical and a horizontal line cross.
public struct PanelCell: Hashable, Sendable {
  public var column: Int
  public var row: Int
  public init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}

extension PanelKey {
  /// The cell of a raw position.
  public func cell(ofX x: Int32, y: Int32) -> PanelCell {
    let column = PanelLine(of: x, on: self.x, among: Int64(PanelCounts.columns)).number
    let row = PanelLine(of: y, on: self.y, among: Int64(PanelCounts.rows)).number
    return PanelCell(column: Int(column), row: Int(row))
  }
}

extension PanelAxis {
  /// The number of positions.
  var length: Int64 { Int64(maximum) - Int64(minimum) + 1 }

  fileprivate var rest: Int64 { resolution > 0 ? Int64(resolution) : max(1, length / 256) }

  fileprivate var unit: Double {
    resolution > 0 ? Double(resolution) / 1000 : Double(length) / 100_000
  }
}
