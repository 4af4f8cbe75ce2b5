public import TouchModel

extension DisplayGeometry {
  /// The geometry in one word, `720x1280@2+90/32`: pixels of the panel, pixels per point unless 1,
  /// rotation unless 0, points along a block's side unless 16. Two geometries never share it.
  public var text: String {
    var text = "\(pixelWidth)x\(pixelHeight)"
    if scale != 1 { text += "@" + shortestDigits(scale) }
    if rotation != .none { text += "+\(rotation.rawValue)" }
    if blockSize != 16 { text += "/\(blockSize)" }
    return text
  }

  /// What the person sees, in a sentence: `640 x 360 points, 40 x 23 blocks of 16`.
  public var sentence: String {
    let notes =
      (scale == 1 ? [] : ["\(shortestDigits(scale)) pixels a point"])
      + (rotation == .none ? [] : ["turned by \(rotation.rawValue) degrees"])
    return "\(roundedDigits(width)) x \(roundedDigits(height)) points, \(columns) x \(rows) blocks "
      + (["of \(blockSize)"] + notes).joined(separator: ", ")
  }
}
