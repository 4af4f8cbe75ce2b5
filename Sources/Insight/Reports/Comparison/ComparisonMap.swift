package import Heatmaps
internal import Text
internal import TouchModel

/// Draws in a terminal where two sets of sessions differ, in the cells of a `CellFrame`. A cell of
/// several blocks shows the block with the clearest result.
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

  private let comparison: ScreenComparison
  private let colours: TerminalColours
  private let frame: CellFrame
  private let columns: Int
  private let cells: [Sign]
  private let limit: Double

  /// - Parameter width: the columns of the terminal. Widths below 20 count as 20.
  package init(_ comparison: ScreenComparison, colours: TerminalColours, width: Int) {
    self.comparison = comparison
    self.colours = colours
    let blocks = comparison.geometry.columns
    frame = CellFrame(columns: blocks, colours: colours, width: max(20, width))
    let (across, down) = (frame.blocksAcross, frame.blocksDown)
    columns = (blocks + across - 1) / across
    limit = comparison.limit
    let rows = (comparison.geometry.rows + down - 1) / down
    var cells = Array(repeating: Sign.nothing, count: columns * rows)
    for block in comparison.blocks {
      let index = block.block.row / down * columns + block.block.column / across
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
    frame.lines(
      columns: columns, rows: cells.count / columns,
      character: { character(cells[$1 * columns + $0]) },
      colour: { colour(cells[$1 * columns + $0]) }
    ) + legend
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
      "a cell is \(counted(frame.blocksAcross * frame.blocksDown, "block")), "
      + "\(frame.blocksAcross * size) x \(frame.blocksDown * size) points"
    func sample(_ sign: Sign) -> String {
      guard colours != .plain, let colour = colour(sign) else { return String(character(sign)) }
      return colours.foreground(colour) + "█" + CellFrame.reset
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
