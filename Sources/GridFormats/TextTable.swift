/// A table in plain text whose columns fit their contents, and together the width of a terminal.
public struct TextTable {
  public struct Column {
    public var title: String
    public var isNumber: Bool
    /// Whether it may be cut off where the table is too wide.
    public var canShrink: Bool

    /// - Parameter isNumber: set to the right, as numbers are compared by their last digits.
    public init(_ title: String, isNumber: Bool = false, canShrink: Bool = false) {
      self.title = title
      self.isNumber = isNumber
      self.canShrink = canShrink
    }
  }

  private static let gap = 2
  /// The width below which no column is cut off.
  private static let leastWidth = 6

  private let columns: [Column]
  private let rows: [[String]]

  /// - Parameter rows: each with one printable text a column; further ones are left out.
  public init(_ columns: [Column], rows: [[String]]) {
    self.columns = columns
    self.rows = rows
  }

  /// The title's line and one for each row, without spaces at their ends.
  /// - Parameter width: columns of the terminal. Exceeded where no column can shrink any further.
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
