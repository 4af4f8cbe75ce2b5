internal import TouchModel

/// A grid's means in a terminal. A character is about twice as high as wide: with colours each holds
/// two cells one above the other, `▀`; as plain characters each is one cell of twice the height. So the
/// display keeps its shape.
public struct GridPicture {
  /// From the least count to the most; nothing for nothing.
  private static let ramp: [Character] = Array(".:-=+*#%@")
  private static let reset = "\u{1b}[0m"

  private let grid: SummedGrid
  private let colours: TerminalColours
  private let width: Int
  private let cells: CoarseGrid
  private let hasSides: Bool
  private let blocksAcross: Int
  private let blocksDown: Int
  private let scale: ColourScale

  /// - Parameter width: columns of the terminal; below 20 it is taken for 20.
  public init(_ grid: SummedGrid, colours: TerminalColours, width: Int) {
    self.grid = grid
    self.colours = colours
    self.width = max(20, width)
    let columns = grid.key.geometry.columns
    let whole = (columns + self.width - 1) / self.width
    let framed = (columns + self.width - 3) / (self.width - 2)
    // Half the size would be a high price for a frame.
    hasSides = framed == whole
    blocksAcross = whole
    blocksDown = colours == .plain ? 2 * blocksAcross : blocksAcross
    cells = CoarseGrid(
      grid.means, columns: columns, blocksAcross: blocksAcross, blocksDown: blocksDown)
    scale = ColourScale(counts: cells.counts)
  }

  /// The picture in a frame, what it shows above it, how to read it below.
  /// - Parameter span: the sessions meant, in words.
  public func lines(span: String) -> [String] {
    title(span) + frame(colours == .plain ? plainRows : colourRows) + legend
  }

  // MARK: Cells

  private var plainRows: [String] {
    (0..<cells.rows).map { row in
      String((0..<cells.columns).map { character(cells.count(column: $0, row: row) ?? 0) })
    }
  }

  private func character(_ count: Double) -> Character {
    guard let position = scale.position(of: count) else { return " " }
    return Self.character(position)
  }

  private static func character(_ position: Double) -> Character {
    let part = (position - ColourScale.floor) / (1 - ColourScale.floor)
    return ramp[min(ramp.count - 1, max(0, Int(part * Double(ramp.count))))]
  }

  private var colourRows: [String] {
    stride(from: 0, to: cells.rows, by: 2).map { row in
      var line = ""
      var current = ""
      for column in 0..<cells.columns {
        let (attributes, text) = halves(
          colour(cells.count(column: column, row: row)),
          colour(cells.count(column: column, row: row + 1)))
        if attributes != current {
          // What a half block leaves free keeps the terminal's own ground.
          line += (current.isEmpty ? "" : Self.reset) + attributes
          current = attributes
        }
        line += text
      }
      return line + (current.isEmpty ? "" : Self.reset)
    }
  }

  private func halves(_ top: Colour?, _ bottom: Colour?) -> (attributes: String, text: String) {
    switch (top, bottom) {
    case (nil, nil): ("", " ")
    case (let top?, nil): (colours.foreground(top), "▀")
    case (nil, let bottom?): (colours.foreground(bottom), "▄")
    case (let top?, let bottom?): (colours.foreground(top) + colours.background(bottom), "▀")
    }
  }

  private func colour(_ count: Double?) -> Colour? {
    scale.position(of: count ?? 0).map(ColourMap.inferno.colour)
  }

  private func frame(_ rows: [String]) -> [String] {
    let line = String(repeating: "-", count: cells.columns)
    guard hasSides else { return [line] + rows + [line] }
    return ["+\(line)+"] + rows.map { "|\($0)|" } + ["+\(line)+"]
  }

  // MARK: Words

  private func title(_ span: String) -> [String] {
    let key = grid.key
    let first =
      "\(key.screen.printable()) on \(key.display.printable()): \(key.geometry.sentence)"
    let second =
      "\(grid.layer.rawValue): mean of \(counted(grid.sessions, "session")) (\(span)), "
      + counted(grid.touches, "touch", "touches")
    return wrapped(first, to: width) + wrapped(second, to: width)
  }

  private var legend: [String] {
    let size = grid.key.geometry.blockSize
    let cell =
      "a cell is \(counted(UInt64(blocksAcross * blocksDown), "block")), "
      + "\(blocksAcross * size) x \(blocksDown * size) points; "
    guard let most = cells.counts.max(), most > 0 else {
      return wrapped(cell + "nothing was counted", to: width)
    }
    let words = cell + "most in one: \(roundedDigits(most)) \(unit) a session"
    let end = scale.limit < most ? " and more" : ""
    let bar = "0 < \(ramp) \(roundedDigits(scale.limit))\(end)"
    let rule = "log1p, clipped at the 99th percentile of the cells above 0"
    let name = colours == .plain ? rule : "inferno, " + rule
    return wrapped(words, to: width) + [bar] + wrapped(name, to: width)
  }

  private var ramp: String {
    guard colours != .plain else { return String(Self.ramp) }
    let steps = 16
    let bar = (0..<steps).map { step in
      let part = Double(step) / Double(steps - 1)
      let position = ColourScale.floor + (1 - ColourScale.floor) * part
      return colours.foreground(ColourMap.inferno.colour(at: position)) + "█"
    }
    return bar.joined() + Self.reset
  }

  private var unit: String {
    switch grid.layer {
    case .taps: "taps"
    case .trail: "entries"
    case .dwell: "ms"
    }
  }
}

/// `1 touch`, `2 touches`.
public func counted(_ count: UInt64, _ one: String, _ many: String? = nil) -> String {
  "\(count) \(count == 1 ? one : many ?? one + "s")"
}
