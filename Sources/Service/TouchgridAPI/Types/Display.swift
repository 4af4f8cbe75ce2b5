package import TouchModel

extension API.Geometry {
  /// Creates the value from the model's geometry.
  package init(_ geometry: DisplayGeometry) {
    self.init(
      pixelWidth: geometry.pixelWidth, pixelHeight: geometry.pixelHeight, scale: geometry.scale,
      rotation: geometry.rotation.rawValue, blockSize: geometry.blockSize, width: geometry.width,
      height: geometry.height, columns: geometry.columns, rows: geometry.rows)
  }

  /// The model's geometry. nil if a value is out of its range, or if `columns` and `rows` do not
  /// match the other values.
  package var displayGeometry: DisplayGeometry? {
    guard let rotation = Rotation(rawValue: rotation),
      let geometry = DisplayGeometry(
        pixelWidth: pixelWidth, pixelHeight: pixelHeight, scale: scale, rotation: rotation,
        blockSize: blockSize),
      geometry.columns == columns, geometry.rows == rows
    else { return nil }
    return geometry
  }
}
