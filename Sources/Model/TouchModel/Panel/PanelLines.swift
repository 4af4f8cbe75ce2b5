/// How the raw positions of a panel are divided into lines, and what is a long step on it. All
/// touches of a device share one object.
final class PanelLines: Sendable {
  let key: PanelKey
  /// The longest step from one report to the next of a contact that rests, in raw units: 1 mm, or
  /// 1/256 of the axis if the driver does not know the size.
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
  private let columns: [PanelLine]
  private let rows: [PanelLine]

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
    columns = PanelLine.all(on: x, PanelCounts.columns)
    rows = PanelLine.all(on: y, PanelCounts.rows)
    slowX = 3 * x.length / Int64(4 * PanelCounts.columns)
    slowY = 3 * y.length / Int64(4 * PanelCounts.rows)
  }

  /// The vertical line of a raw position. Positions outside the range are in the outermost lines.
  func column(of value: Int32) -> PanelLine {
    columns[PanelLine.number(of: value, on: key.x, among: PanelCounts.columns)]
  }

  /// The horizontal line of a raw position.
  func row(of value: Int32) -> PanelLine {
    rows[PanelLine.number(of: value, on: key.y, among: PanelCounts.rows)]
  }

  /// The vertical line of a raw position, most likely one beside another line.
  func column(of value: Int32, from line: PanelLine) -> PanelLine {
    PanelLine.find(value, from: line, among: columns)
  }

  func row(of value: Int32, from line: PanelLine) -> PanelLine {
    PanelLine.find(value, from: line, among: rows)
  }

  /// The square of a distance in raw units, in the unit of `PanelCounts.subscript(restingSquares:)`.
  func square(_ x: Double, _ y: Double) -> Double {
    let (across, down) = (x / unitX, y / unitY)
    return across * across + down * down
  }
}

/// A line, and the raw positions that are in it.
struct PanelLine: Hashable, Sendable {
  let number: Int32
  private let low: Int32
  private let high: Int32

  private init(_ line: Int64, on axis: PanelAxis, among lines: Int) {
    let (all, length) = (Int64(lines), axis.length)
    let start = Int64(axis.minimum) + (line * length + all - 1) / all
    let next = Int64(axis.minimum) + ((line + 1) * length + all - 1) / all
    number = Int32(truncatingIfNeeded: line)
    low = line == 0 ? .min : Int32(clamping: start)
    high = line == all - 1 ? .max : Int32(clamping: next - 1)
  }

  static func all(on axis: PanelAxis, _ lines: Int) -> [PanelLine] {
    (0..<Int64(lines)).map { PanelLine($0, on: axis, among: lines) }
  }

  static func number(of value: Int32, on axis: PanelAxis, among lines: Int) -> Int {
    let line = (Int64(value) - Int64(axis.minimum)) * Int64(lines) / axis.length
    return Int(min(max(line, 0), Int64(lines) - 1))
  }

  static func find(_ value: Int32, from line: PanelLine, among lines: [PanelLine]) -> PanelLine {
    var number = Int(line.number)
    // The outermost lines contain everything beyond them.
    while value < lines[number].low { number -= 1 }
    while value > lines[number].high { number += 1 }
    return lines[number]
  }

  func contains(_ value: Int32) -> Bool { low <= value && value <= high }
}

extension PanelAxis {
  /// The number of positions.
  var length: Int64 { Int64(maximum) - Int64(minimum) + 1 }

  fileprivate var rest: Int64 { resolution > 0 ? Int64(resolution) : max(1, length / 256) }

  fileprivate var unit: Double {
    resolution > 0 ? Double(resolution) / 1000 : Double(length) / 100_000
  }
}
