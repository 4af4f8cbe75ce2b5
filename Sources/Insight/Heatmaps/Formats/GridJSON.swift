public import Text
public import TouchModel

/// Writes grids as one JSON object:
///
///     {"format": "touchgrid-grids", "version": 1, "span": …, "grids": [
///       {"screen": "menu", "display": "HDMI-A-1", "layer": "taps",
///        "geometry": {"pixelWidth": 1920, "pixelHeight": 1080, "scale": 1, "rotation": 0,
///                     "blockSize": 16, "width": 1920, "height": 1080, "columns": 120, "rows": 68},
///        "sessions": 12, "touches": 214,
///        "sum": [0, 3, …], "sumOfSquares": [0, 5, …], "mean": [0, 0.25, …],
///        "days": 2, "shownMs": 93000, "touchedSessions": [0, 2, …],
///        "masked": [false, false, …]}, …]}
///
/// The arrays are row-major and have `columns * rows` elements. Sums are exact integers; sums of
/// squares have up to 128 bits. `width` and `height` are in points, counts of the layer `dwell` in
/// milliseconds. `days` is the number of days on which the sessions began. `shownMs` is the total
/// time for which they showed the screen. `masked` is true if a mask reaches into a block, so that
/// the block's count is incomplete.
public enum GridJSON {
  /// - Parameter span: the value of the member `span`: the requested span.
  public static func bytes(_ grids: [SummedGrid], span: JSONValue) -> [UInt8] {
    let document: JSONValue = [
      "format": "touchgrid-grids", "version": .integer(1), "span": span,
      "grids": .array(grids.map(object)),
    ]
    return Array((document.text + "\n").utf8)
  }

  private static func object(_ grid: SummedGrid) -> JSONValue {
    let geometry = grid.key.geometry
    let masked = grid.maskedBlocks
    let isMasked = (0..<geometry.columns * geometry.rows).map { index in
      masked.contains(Block(column: index % geometry.columns, row: index / geometry.columns))
    }
    return [
      "screen": .string(grid.key.screen), "display": .string(grid.key.display),
      "layer": .string(grid.layer.rawValue), "geometry": grid.key.geometry.json,
      "sessions": .integer(grid.sessions), "touches": .integer(grid.touches),
      "sum": .array(grid.sum.map { .integer($0) }),
      "sumOfSquares": .array(grid.sumOfSquares.map { .integer($0) }),
      "mean": .array(grid.means.map { .real($0) }),
      "days": .integer(grid.days), "shownMs": .integer(grid.shownMilliseconds),
      "touchedSessions": .array(grid.touchedSessions.map { .integer($0) }),
      "masked": .array(isMasked.map { .bool($0) }),
    ]
  }
}
