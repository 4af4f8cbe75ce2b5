package import Heatmaps
internal import Text
internal import TouchModel

/// Draws in a terminal where two sets of sessions differ. A character is about twice as high as it
/// is wide. To keep the shape of the display, each character holds two cells, one above the other,
/// if there are colours, and otherwise one cell of twice the height. A cell of several blocks shows
/// the block with the clearest result.
package struct ComparisonMap {
  /// The result that a cell shows, from the least to the most clear.
  private enum Sign {
    case nothing
    case tooFew
    case unclear
    case masked
    /// The block differs. The value is the mean of B minus the mean of A.
    case different(Double)

    var plainness: Double {
      switch self {
      case .nothing: -4
      case .tooFew: -3
      case .unclear: -2
      case .masked: -1
      case .different(let difference): abs(difference)
      }
    }
  }

  private static let reset = "\u{1b}[0m"
  private let comparison: ScreenComparison
  private let colours: TerminalColours
  private let hasSides: Bool
  private let columns: Int
  private let cells: [Sign]
  private let limit: Double
  private let blocksAcross: Int
  private let blocksDown: Int

  /// - Parameter width: the columns of the terminal. Widths below 20 count as 20.
  package init(_ comparison: ScreenComparison, colours: TerminalColours, width: Int) {
    self.comparison = comparison
    self.colours = colours
    let width = max(20, width)
    let blocks = comparison.geometry.columns
    let across = (blocks + width - 1) / width
    // Draw the left and right sides of the frame only if the cells need not be larger for it.
    hasSides = (blocks + width - 3) / (width - 2) == across
    blocksAcross = across
    blocksDown = colours == .plain ? 2 * across : across
    columns = (blocks + across - 1) / across
    limit = comparison.limit
    let rows = (comparison.geometry.rows + blocksDown - 1) / blocksDown
    var cells = Array(repeating: Sign.nothing, count: columns * rows)
    for block in comparison.blocks {
      let index = block.block.row / blocksDown * columns + block.block.column / blocksAcross
      let sign = Self.sign(block)
      if sign.plainness > cells[index].plainness { cells[index] = sign }
    }
    self.cells = cells
  }

  private static func sign(_ block: ScreenComparison.BlockFinding) -> Sign {
    switch block.shown.verdict {
    case .untouched: .nothing
    // Maps never show this verdict: they show the verdict of the merged cell.
    case .tooFew, .merged: .tooFew
    case .unclear: .unclear
    case .masked: .masked
    case .more, .less: .different(block.shownDifference)
    }
  }

  package var lines: [String] {
    let line = String(repeating: "-", count: columns)
    let rows = colours == .plain ? plainRows : colourRows
    let framed =
      hasSides ? ["+\(line)+"] + rows.map { "|\($0)|" } + ["+\(line)+"] : [line] + rows + [line]
    return framed + legend
  }

  private var rows: Int { cells.count / columns }

  // MARK: Plain

  private var plainRows: [String] {
    (0..<rows).map { row in String((0..<columns).map { character(cells[row * columns + $0]) }) }
  }

  private func character(_ sign: Sign) -> Character {
    switch sign {
    case .nothing: " "
    case .tooFew: "."
    case .unclear: "o"
    case .masked: "x"
    case .different(let difference): difference > 0 ? "+" : "-"
    }
  }

  // MARK: Colours

  private var colourRows: [String] {
    stride(from: 0, to: rows, by: 2).map { row in
      var line = ""
      var current = ""
      for column in 0..<columns {
        let (top, bottom) = (colour(column, row), colour(column, row + 1))
        // Reset the colours first, because the previous cell may have set a background. The empty
        // half of a half block must keep the terminal's own.
        let (attributes, text): (String, String) =
          switch (top, bottom) {
          case (nil, nil): ("", " ")
          case (let top?, nil): (colours.foreground(top), "▀")
          case (nil, let bottom?): (colours.foreground(bottom), "▄")
          case (let top?, let bottom?): (colours.foreground(top) + colours.background(bottom), "▀")
          }
        if attributes != current {
          line += (current.isEmpty ? "" : Self.reset) + attributes
          current = attributes
        }
        line += text
      }
      return line + (current.isEmpty ? "" : Self.reset)
    }
  }

  private func colour(_ column: Int, _ row: Int) -> Colour? {
    row < rows ? colour(cells[row * columns + column]) : nil
  }

  private func colour(_ sign: Sign) -> Colour? {
    switch sign {
    case .nothing: nil
    case .tooFew: Colour(red: 75, green: 75, blue: 75)
    case .unclear: Colour(red: 135, green: 135, blue: 135)
    case .masked: Colour(red: 135, green: 135, blue: 0)
    case .different(let difference):
      DivergingColours.colour(at: position(difference))
    }
  }

  /// Returns the position of a difference in `DivergingColours`: -0.8...-0.4 or 0.4...0.8. The dark
  /// ends and the nearly white middle are left out, because the terminal's background may have that
  /// colour.
  private func position(_ difference: Double) -> Double {
    let part = limit > 0 ? min(1, abs(difference) / limit) : 1
    return (difference > 0 ? 1 : -1) * (0.4 + 0.4 * part)
  }

  // MARK: Legend

  private var legend: [String] {
    let size = comparison.geometry.blockSize
    let cell =
      "a cell is \(counted(UInt64(blocksAcross * blocksDown), "block")), "
      + "\(blocksAcross * size) x \(blocksDown * size) points"
    func sample(_ sign: Sign) -> String {
      guard colours != .plain, let colour = colour(sign) else { return String(character(sign)) }
      return colours.foreground(colour) + "█" + Self.reset
    }
    let samples: [(Sign, String, Comparison.Verdict)] = [
      (.different(limit), "more in B", .more), (.different(-limit), "less in B", .less),
      (.unclear, "may be chance", .unclear), (.tooFew, "too few sessions", .tooFew),
      (.masked, "masked", .masked),
    ]
    let shown = samples.filter { comparison.result.count($0.2) > 0 }
      .map { sample($0.0) + " " + $0.1 }
    return [cell] + (shown.isEmpty ? [] : [shown.joined(separator: "  ")])
  }
}
