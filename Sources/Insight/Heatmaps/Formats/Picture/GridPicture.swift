internal import Text
public import TouchModel

/// Draws a grid's values in a terminal, in the cells of a `CellFrame`.
public struct GridPicture {
  /// The characters from the smallest to the largest value. Cells without a count are blank.
  private static let ramp: [Character] = Array(".:-=+*#%@")
  /// The character of a masked cell without a count.
  private static let hatch: Character = "/"

  private let grid: SummedGrid
  private let value: GridValue
  private let colours: TerminalColours
  private let map: ColourMap
  private let width: Int
  private let cells: CoarseGrid
  /// The number of masked blocks in each cell.
  private let masked: CoarseGrid
  private let frame: CellFrame
  private let scale: ColourScale
  private let isFixed: Bool

  /// - Parameters:
  ///   - width: the columns of the terminal. Widths below 20 count as 20.
  ///   - limit: the value that gets the last colour; nil for the 99th percentile of the cells above
  ///     0.
  public init(
    _ grid: SummedGrid, value: GridValue = .mean, colours: TerminalColours, width: Int,
    map: ColourMap = .inferno, kind: ColourScale.Kind = .log, limit: Double? = nil
  ) {
    self.grid = grid
    self.value = value
    self.colours = colours
    self.map = map
    self.width = max(20, width)
    let columns = grid.key.geometry.columns
    frame = CellFrame(columns: columns, colours: colours, width: self.width)
    let (across, down) = (frame.blocksAcross, frame.blocksDown)
    cells = CoarseGrid(
      grid.values(value), columns: columns, blocksAcross: across, blocksDown: down)
    let blocks = grid.maskedBlocks
    masked = CoarseGrid(
      (0..<grid.sum.count).map {
        blocks.contains(Block(column: $0 % columns, row: $0 / columns)) ? 1 : 0
      }, columns: columns, blocksAcross: across, blocksDown: down)
    isFixed = limit != nil
    scale = ColourScale(counts: cells.counts, of: grid, value: value, kind: kind, limit: limit)
  }

  /// Returns the picture in a frame, with a title above and a legend below.
  /// - Parameter span: the span of the sessions, as text.
  public func lines(span: String) -> [String] {
    title(span)
      + frame.lines(columns: cells.columns, rows: cells.rows, character: character) { column, row in
        scale.position(of: cells.count(column: column, row: row) ?? 0).map(map.colour)
      } + legend
  }

  // MARK: Cells

  private func character(column: Int, row: Int) -> Character {
    guard let position = scale.position(of: cells.count(column: column, row: row) ?? 0) else {
      return (masked.count(column: column, row: row) ?? 0) > 0 ? Self.hatch : " "
    }
    let part = (position - ColourScale.floor) / (1 - ColourScale.floor)
    return Self.ramp[min(Self.ramp.count - 1, max(0, Int(part * Double(Self.ramp.count))))]
  }

  // MARK: Words

  private func title(_ span: String) -> [String] {
    let key = grid.key
    let first =
      "\(key.screen.printable()) on \(key.display.printable()): \(key.geometry.sentence)"
    let words =
      switch value {
      case .mean: "mean of "
      case .sum: "sum of "
      case .rate: "rate per minute shown, "
      }
    let second =
      "\(grid.layer.rawValue): \(words)\(counted(grid.sessions, "session")) on "
      + "\(counted(grid.days, "day")) (\(span)), " + counted(grid.touches, "touch", "touches")
    return wrapped(first, to: width) + wrapped(second, to: width)
  }

  private var legend: [String] {
    let size = grid.key.geometry.blockSize
    let hatched = masked.counts.contains { $0 > 0 }
    let mask = hatched ? "\(Self.hatch) masked: positions are not recorded" : ""
    let cell =
      "a cell is \(counted(frame.blocksAcross * frame.blocksDown, "block")), "
      + "\(frame.blocksAcross * size) x \(frame.blocksDown * size) points; "
    guard let most = cells.counts.max(), most > 0 else {
      return wrapped(mask, to: width) + wrapped(cell + "nothing was counted", to: width)
    }
    let words = cell + "highest cell: \(measuredDigits(most)) \(value.unit(of: grid.layer))"
    let end = scale.limit < most ? " and more" : ""
    let bar = "0 < \(ramp) \(measuredDigits(scale.limit))\(end)"
    let kind = scale.kind == .log ? "log scale" : "linear scale"
    let rule =
      isFixed ? "ends at --max" : "ends at the 99th percentile of the cells above 0"
    let name = colours == .plain ? "\(kind), \(rule)" : "\(map.name), \(kind), \(rule)"
    return wrapped(words, to: width) + [bar] + wrapped(name, to: width)
      + wrapped(mask, to: width)
  }

  private var ramp: String {
    guard colours != .plain else { return String(Self.ramp) }
    let steps = 16
    let bar = (0..<steps).map { step in
      let part = Double(step) / Double(steps - 1)
      let position = ColourScale.floor + (1 - ColourScale.floor) * part
      return colours.foreground(map.colour(at: position)) + "█"
    }
    return bar.joined() + CellFrame.reset
  }
}
