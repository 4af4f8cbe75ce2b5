internal import TouchModel

/// Grids as one JSON object:
///
///     {"format": "touchgrid-grids", "version": 1, "span": …, "grids": [
///       {"screen": "menu", "display": "HDMI-A-1", "layer": "taps",
///        "geometry": {"pixelWidth": 1920, "pixelHeight": 1080, "scale": 1, "rotation": 0,
///                     "blockSize": 16, "width": 1920, "height": 1080, "columns": 120, "rows": 68},
///        "sessions": 12, "touches": 214,
///        "sum": [0, 3, …], "sumOfSquares": [0, 5, …], "mean": [0, 0.25, …]}, …]}
///
/// The three arrays are row-major, `columns * rows` long. Sums are exact integers, sums of squares of
/// up to 128 bits; `width` and `height` are points, counts of `dwell` milliseconds.
public enum GridJSON {
  /// - Parameter span: what was asked for, as the caller words it.
  public static func bytes(_ grids: [SummedGrid], span: JSONValue) -> [UInt8] {
    let document: JSONValue = [
      "format": "touchgrid-grids", "version": .integer(1), "span": span,
      "grids": .array(grids.map(object)),
    ]
    return Array((document.text + "\n").utf8)
  }

  private static func object(_ grid: SummedGrid) -> JSONValue {
    [
      "screen": .string(grid.key.screen), "display": .string(grid.key.display),
      "layer": .string(grid.layer.rawValue), "geometry": grid.key.geometry.json,
      "sessions": .integer(grid.sessions), "touches": .integer(grid.touches),
      "sum": .array(grid.sum.map { .integer($0) }),
      "sumOfSquares": .array(grid.sumOfSquares.map { .integer($0) }),
      "mean": .array(grid.means.map { .real($0) }),
    ]
  }
}
