/// A plain-text table. Columns are as wide as their contents, and shrink until the table fits the
/// terminal.
public struct TextTable {
  public struct Column {
    public var title: String
    public var isNumber: Bool
    /// Whether the column may be narrowed, and its texts cut off, if the table is too wide.
    public var canShrink: Bool

    /// - Parameters:
    ///   - isNumber: whether to align it to the right, so that digits line up.
    ///   - canShrink: whether the column may be narrowed if the table is too wide.
    public init(_ title: String, isNumber: Bool = false, canShrink: Bool = false) {
      self.title = title
      self.isNumber = isNumber
      self.canShrink = canShrink
    }
  }

  private static let gap = 2
  /// The width below which no column shrinks, in terminal columns.
  private static let leastWidth = 6

  private let columns: [Column]
  private let rows: [[String]]

  /// - Parameter rows: the rows, each with one printable text for each column. Surplus texts are
  ///   left out.
  public init(_ columns: [Column], rows: [[String]]) {
    self.columns = columns
    self.rows = rows
  }

  /// Returns the line of titles and one line for each row, without trailing spaces.
  /// - Parameter width: the width of the terminal, in columns. Lines are longer if no column can
  ///   shrink further.
  public func lines(width: Int) -> [String] {
    let widths = fittedWidths(width)
    return ([columns.map(\.title)] + rows).map { cells in
      var line = ""
      for (index, column) in columns.enumerated() where index < cells.count {
        let text = truncated(cells[index], to: widths[index])
        let padding = String(repeating: " ", count: widths[index] - textWidth(text))
        if index > 0 { line += String(repeating: " ", count: Self.gap) }
        line += column.isNumber ? padding + text : text + padding
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  private func fittedWidths(_ width: Int) -> [Int] {
    var widths = columns.indices.map { index in
      ([columns[index].title] + rows.map { index < $0.count ? $0[index] : "" })
        .reduce(0) { max($0, textWidth($1)) }
    }
    var excess = widths.reduce(0, +) + Self.gap * (columns.count - 1) - width
    while excess > 0 {
      let widest = columns.indices
        .filter { columns[$0].canShrink && widths[$0] > Self.leastWidth }
        .max { widths[$0] < widths[$1] }
      guard let widest else { break }
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }
}
