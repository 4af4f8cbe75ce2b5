import TouchModel

/// A small map of a display in a terminal: a frame around rows of characters.
struct CharacterMap {
  let columns: Int
  let rows: Int
  private let geometry: DisplayGeometry

  /// Chooses the largest map with the shape of the display.
  /// - Parameters:
  ///   - maxColumns: the room inside the frame, in characters.
  ///   - maxRows: the room inside the frame, in lines.
  init(_ geometry: DisplayGeometry, maxColumns: Int, maxRows: Int) {
    self.geometry = geometry
    // A character is about twice as high as it is wide.
    let shape = geometry.height / geometry.width / 2
    var columns = maxColumns
    var rows = Int((Double(columns) * shape).rounded())
    if rows > maxRows {
      rows = maxRows
      columns = min(maxColumns, Int((Double(rows) / shape).rounded()))
    }
    (self.columns, self.rows) = (max(1, columns), max(1, rows))
  }

  /// Returns the index of the character at a point of the display, row by row. Points outside of
  /// the display count to its edge.
  func index(x: Double, y: Double) -> Int {
    Self.cell(y / geometry.height, of: rows) * columns + Self.cell(x / geometry.width, of: columns)
  }

  /// Returns the lines of the map with its frame.
  /// - Parameter character: returns the character at an index, with codes for its colour.
  func lines(_ character: (Int) -> String) -> [String] {
    let edge = "+" + String(repeating: "-", count: columns) + "+"
    let picture = (0..<rows).map { row in
      "|" + (0..<columns).map { character(row * columns + $0) }.joined() + "|"
    }
    return [edge] + picture + [edge]
  }

  private static func cell(_ position: Double, of count: Int) -> Int {
    let cell = position * Double(count)
    guard cell > 0 else { return 0 }
    return cell < Double(count) ? Int(cell) : count - 1
  }
}
