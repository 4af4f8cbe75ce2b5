extension DisplayGeometry {
  /// The guessed geometry of a display of which only its panel is known. The size is the range of
  /// the panel's axes if these look like pixels. Otherwise the width is 1,024 pixels and the axes'
  /// resolutions give the shape; without resolutions it is 4:3.
  public static func guessed(
    from panel: ContactProtocol, rotation: Rotation = .none, scale: Double = 1, blockSize: Int = 16
  ) -> DisplayGeometry? {
    let pixelLimit = 8192
    let x = Int(panel.x.maximum) - Int(panel.x.minimum) + 1
    let y = Int(panel.y.maximum) - Int(panel.y.minimum) + 1
    if x <= pixelLimit, y <= pixelLimit {
      return DisplayGeometry(
        pixelWidth: x, pixelHeight: y, scale: scale, rotation: rotation, blockSize: blockSize)
    }
    var height = 768.0
    if panel.x.resolution > 0, panel.y.resolution > 0 {
      let widthInMillimetres = Double(x) / Double(panel.x.resolution)
      let heightInMillimetres = Double(y) / Double(panel.y.resolution)
      height = (1024 * heightInMillimetres / widthInMillimetres).rounded()
    }
    return DisplayGeometry(
      pixelWidth: 1024, pixelHeight: Int(min(Double(pixelLimit), max(1, height))), scale: scale,
      rotation: rotation, blockSize: blockSize)
  }
}
