public import TouchModel

extension DisplayGeometry {
  /// `pixelWidth`, `pixelHeight`, `scale`, `rotation`, `blockSize`, and what follows from them: `width`
  /// and `height` in points, `columns` and `rows` of the grid.
  public var json: JSONValue {
    [
      "pixelWidth": .integer(pixelWidth), "pixelHeight": .integer(pixelHeight),
      "scale": .real(scale), "rotation": .integer(rotation.rawValue),
      "blockSize": .integer(blockSize), "width": .real(width), "height": .real(height),
      "columns": .integer(columns), "rows": .integer(rows),
    ]
  }
}
