public import Text
public import TouchModel

/// Writes the grids of one day in the long form: one line for each touched block. A block without a
/// line has a count of 0.
public enum GridRows {
  static let keyColumns = [
    "day", "screen", "display", "pixel_width", "pixel_height", "scale", "rotation", "block_size",
  ]
  private static let gridColumns = keyColumns + ["layer"]
  private static let blockColumns = [
    "column", "row", "x0", "y0", "x1", "y1", "count", "count_sq", "touched_sessions",
  ]

  /// The columns of the table `grids`.
  public static let columns = gridColumns + blockColumns
  /// The columns of the table `views`.
  public static let viewColumns = keyColumns + ["sessions", "touches", "shown_ms", "masks"]

  /// Writes the lines of one grid.
  /// - Parameters:
  ///   - day: the day, `YYYY-MM-DD`.
  ///   - form: the file format, which must be the one that `writer` was created with.
  public static func add<Failure>(
    _ grid: SummedGrid, day: String, _ form: LongForm, to writer: inout LongWriter<Failure>
  ) throws(Failure) {
    let geometry = grid.key.geometry
    let size = geometry.blockSize
    let start = form.part(gridColumns, key(grid.key, day) + [.string(grid.layer.rawValue)])
    for index in grid.sum.indices where grid.sum[index] > 0 || grid.touchedSessions[index] > 0 {
      let (row, column) = index.quotientAndRemainder(dividingBy: geometry.columns)
      let block: [JSONValue] = [
        .integer(column), .integer(row), .integer(column * size), .integer(row * size),
        .real(min(Double((column + 1) * size), geometry.width)),
        .real(min(Double((row + 1) * size), geometry.height)),
        .integer(grid.sum[index]), .integer(grid.sumOfSquares[index]),
        .integer(grid.touchedSessions[index]),
      ]
      try writer.add(form.line(start, form.part(blockColumns, block)))
    }
  }

  /// Returns the screen's row in the table `views`, which is the same for every layer of the
  /// screen.
  public static func view(_ grid: SummedGrid, day: String) -> [JSONValue] {
    let masks: [JSONValue] = grid.masks.map {
      ["x": .real($0.x), "y": .real($0.y), "width": .real($0.width), "height": .real($0.height)]
    }
    return key(grid.key, day) + [
      .integer(grid.sessions), .integer(grid.touches), .integer(grid.shownMilliseconds),
      .array(masks),
    ]
  }

  static func key(_ key: GridKey, _ day: String) -> [JSONValue] {
    let geometry = key.geometry
    return [
      .string(day), .string(key.screen), .string(key.display),
      .integer(geometry.pixelWidth), .integer(geometry.pixelHeight), .real(geometry.scale),
      .integer(geometry.rotation.rawValue), .integer(geometry.blockSize),
    ]
  }
}
