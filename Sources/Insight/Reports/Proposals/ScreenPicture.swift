import Heatmaps
import TouchModel

/// The picture of a screen, in which shapes such as buttons are looked for. Pixels under a mask are
/// not read.
struct ScreenPicture {
  /// How far the colour of a pixel may be from that of its shape, in steps of a channel, from the
  /// drawn colour itself to that of a soft gradient or a JPEG.
  private static let tolerances = [2, 8, 24]
  /// A larger part of the display is a background.
  private static let largestPart = 0.4
  /// The smallest part of its rectangle that a shape fills. Texts and round corners take the rest.
  private static let leastFilled = 0.5
  /// The maximum number of cells on a side of the picture.
  private static let mostCells = 4096.0

  /// The side of a cell, in points. A cell has the colour of the pixel in its middle.
  private let side: Double
  private let columns: Int
  private let rows: Int
  private let colours: [UInt32]
  private let isMasked: [Bool]

  init(_ pixels: Pixels, of geometry: DisplayGeometry, masks: [Rectangle]) {
    let side = max(1, (max(geometry.width, geometry.height) / Self.mostCells).rounded(.up))
    let columns = max(1, Int(geometry.width / side))
    let rows = max(1, Int(geometry.height / side))
    var colours = [UInt32](repeating: 0, count: columns * rows)
    var isMasked = [Bool](repeating: false, count: columns * rows)
    for row in 0..<rows {
      let y = (Double(row) + 0.5) * side
      let line = min(pixels.height - 1, Int(y / geometry.height * Double(pixels.height)))
      let near = masks.filter { $0.y - side <= y && y <= $0.y + $0.height + side }
      for column in 0..<columns {
        let x = (Double(column) + 0.5) * side
        if near.contains(where: { $0.x - side <= x && x <= $0.x + $0.width + side }) {
          isMasked[row * columns + column] = true
        } else {
          let place = min(pixels.width - 1, Int(x / geometry.width * Double(pixels.width)))
          colours[row * columns + column] = pixels.values[line * pixels.width + place]
        }
      }
    }
    (self.side, self.columns, self.rows) = (side, columns, rows)
    (self.colours, self.isMasked) = (colours, isMasked)
  }

  /// Returns the rectangle of the smallest shape around a point that has the most frequent colour
  /// there; nil if there is only a background, or what reaches under a mask or is not rectangular.
  /// - Parameters:
  ///   - reach: how far around the point colours are counted, in points across and down.
  ///   - least: the smallest side of a shape, in points.
  func shape(around point: Point, reach: (x: Double, y: Double), least: Double) -> Rectangle? {
    func range(_ middle: Double, _ reach: Double, _ count: Int) -> ClosedRange<Int> {
      func cell(_ place: Double) -> Int { max(0, min(count - 1, Int(place / side))) }
      return cell(middle - reach)...cell(middle + reach)
    }
    let across = range(point.x, reach.x, columns)
    let middle = range(point.y, reach.y, rows).flatMap { row in across.map { row * columns + $0 } }
      .filter { !isMasked[$0] }
    var frequencies: [UInt32: Int] = [:]
    for cell in middle { frequencies[colours[cell], default: 0] += 1 }
    guard let most = frequencies.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key else {
      return nil
    }
    for tolerance in Self.tolerances {
      let shapes = areas(of: most, within: tolerance, from: middle).filter { area in
        area.columns.contains(Int(point.x / side)) && area.rows.contains(Int(point.y / side))
          && Double(area.cells) >= Self.leastFilled * Double(area.columns.count * area.rows.count)
          && Double(min(area.columns.count, area.rows.count)) * side >= least
      }
      if let area = shapes.min(by: { $0.cells < $1.cells }) {
        return Rectangle(
          x: Double(area.columns.lowerBound) * side, y: Double(area.rows.lowerBound) * side,
          width: Double(area.columns.count) * side, height: Double(area.rows.count) * side)
      }
    }
    return nil
  }

  private typealias Area = (columns: ClosedRange<Int>, rows: ClosedRange<Int>, cells: Int)

  /// Returns the areas of connected cells that have a colour and include one of `seeds`, without
  /// backgrounds and areas that meet a mask.
  private func areas(of colour: UInt32, within tolerance: Int, from seeds: [Int]) -> [Area] {
    func channels(_ value: UInt32) -> (Int, Int, Int) {
      (Int(value & 255), Int(value >> 8 & 255), Int(value >> 16 & 255))
    }
    let (blue, green, red) = channels(colour)
    func isLike(_ cell: Int) -> Bool {
      let other = channels(colours[cell])
      return abs(blue - other.0) <= tolerance && abs(green - other.1) <= tolerance
        && abs(red - other.2) <= tolerance
    }
    var found: [Area] = []
    var isSeen = [Bool](repeating: false, count: colours.count)
    let limit = Int(Self.largestPart * Double(colours.count))
    for seed in seeds where !isSeen[seed] && isLike(seed) {
      var (next, meetsMask) = ([Int](), false)
      func visit(_ cell: Int) {
        meetsMask = meetsMask || isMasked[cell]
        guard !isMasked[cell], !isSeen[cell] else { return }
        isSeen[cell] = true
        if isLike(cell) { next.append(cell) }
      }
      visit(seed)
      var (left, right, top, bottom, cells) = (columns, -1, rows, -1, 0)
      while let cell = next.popLast() {
        let (row, column) = cell.quotientAndRemainder(dividingBy: columns)
        (left, right) = (min(left, column), max(right, column))
        (top, bottom) = (min(top, row), max(bottom, row))
        cells += 1
        if column > 0 { visit(cell - 1) }
        if column < columns - 1 { visit(cell + 1) }
        if row > 0 { visit(cell - columns) }
        if row < rows - 1 { visit(cell + columns) }
      }
      if cells <= limit, !meetsMask { found.append((left...right, top...bottom, cells)) }
    }
    return found
  }
}
