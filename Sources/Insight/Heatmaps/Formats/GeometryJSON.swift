public import Text
public import TouchModel

extension DisplayGeometry {
  /// The geometry as a JSON object: `pixelWidth`, `pixelHeight`, `scale`, `rotation`, `blockSize`,
  /// and the values that follow from these: `width` and `height` in points, `columns` and `rows` of
  /// the grid.
  public var json: JSONValue {
    [
      "pixelWidth": .integer(pixelWidth), "pixelHeight": .integer(pixelHeight),
      "scale": .real(scale), "rotation": .integer(rotation.rawValue),
      "blockSize": .integer(blockSize), "width": .real(width), "height": .real(height),
      "columns": .integer(columns), "rows": .integer(rows),
    ]
  }
}
