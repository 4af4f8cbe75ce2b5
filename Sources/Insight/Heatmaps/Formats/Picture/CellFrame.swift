/// Cells of a map in a terminal, in a frame. A character is about twice as high as it is wide. To
/// keep the shape of the display, each character holds two cells, one above the other (`▀`), if there
/// are colours, and otherwise one cell of twice the height.
package struct CellFrame {
  package static let reset = "\u{1b}[0m"

  /// The blocks of the display that become one cell.
  package let blocksAcross: Int
  package let blocksDown: Int
  private let colours: TerminalColours
  private let hasSides: Bool

  /// - Parameters:
  ///   - columns: the blocks across the display.
  ///   - width: the columns of the terminal, at least 3.
  package init(columns: Int, colours: TerminalColours, width: Int) {
    self.colours = colours
    blocksAcross = (columns + width - 1) / width
    blocksDown = colours == .plain ? 2 * blocksAcross : blocksAcross
    // Draw the left and right sides of the frame only if the cells need not be larger for it.
    hasSides = (columns + width - 3) / (width - 2) == blocksAcross
  }

  /// - Parameters:
  ///   - character: returns the character of a cell, which is drawn if no cell in its place has a
  ///     colour.
  ///   - colour: returns the colour of a cell; nil for none.
  package func lines(
    columns: Int, rows: Int, character: (_ column: Int, _ row: Int) -> Character,
    colour: (_ column: Int, _ row: Int) -> Colour?
  ) -> [String] {
    let lines = stride(from: 0, to: rows, by: colours == .plain ? 1 : 2).map { row in
      guard colours != .plain else { return String((0..<columns).map { character($0, row) }) }
      var line = ""
      var current = ""
      for column in 0..<columns {
        let below = row + 1 < rows
        var (attributes, text) = halves(colour(column, row), below ? colour(column, row + 1) : nil)
        if text == " " {
          text = String(character(column, row))
          if text == " ", below { text = String(character(column, row + 1)) }
        }
        if attributes != current {
          // Reset the colours first, because the previous cell may have set a background. The empty
          // half of a half block must keep the terminal's own.
          line += (current.isEmpty ? "" : Self.reset) + attributes
          current = attributes
        }
        line += text
      }
      return line + (current.isEmpty ? "" : Self.reset)
    }
    let edge = String(repeating: "-", count: columns)
    guard hasSides else { return [edge] + lines + [edge] }
    return ["+\(edge)+"] + lines.map { "|\($0)|" } + ["+\(edge)+"]
  }

  private func halves(_ top: Colour?, _ bottom: Colour?) -> (attributes: String, text: String) {
    switch (top, bottom) {
    case (nil, nil): ("", " ")
    case (let top?, nil): (colours.foreground(top), "▀")
    case (nil, let bottom?): (colours.foreground(bottom), "▄")
    case (let top?, let bottom?): (colours.foreground(top) + colours.background(bottom), "▀")
    }
  }
}
