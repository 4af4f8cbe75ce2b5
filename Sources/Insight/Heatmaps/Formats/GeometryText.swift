internal import Text
public import TouchModel

extension DisplayGeometry {
  /// The geometry in one word, such as `720x1280@2+90/32`: the size of the display in pixels, the
  /// pixels per point unless 1, the rotation in degrees unless 0, and the side of a block in points
  /// unless 16. Different geometries give different words.
  public var text: String {
    var text = "\(pixelWidth)x\(pixelHeight)"
    if scale != 1 { text += "@" + shortestDigits(scale) }
    if rotation != .none { text += "+\(rotation.rawValue)" }
    if blockSize != 16 { text += "/\(blockSize)" }
    return text
  }

  /// The size and the blocks as text, such as `640 x 360 points, 40 x 23 blocks of 16`.
  public var sentence: String {
    let notes =
      (scale == 1 ? [] : ["\(shortestDigits(scale)) pixels per point"])
      + (rotation == .none ? [] : ["turned by \(rotation.rawValue) degrees"])
    return "\(roundedDigits(width)) x \(roundedDigits(height)) points, \(columns) x \(rows) blocks "
      + (["of \(blockSize)"] + notes).joined(separator: ", ")
  }
}
