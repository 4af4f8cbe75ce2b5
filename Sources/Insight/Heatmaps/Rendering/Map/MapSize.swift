internal import TouchModel

/// The size of a map in pixels.
struct MapSize {
  /// The limits for the longer side of a map, in pixels, if neither a screenshot nor the user sets
  /// its size. A smaller display is enlarged by the largest whole factor, up to 16, that keeps the
  /// map within `minimumSide`, so that blocks are visible. A display above `maximumSide` is scaled
  /// down to it.
  private static let minimumSide = 640.0
  private static let maximumSide = 4096.0

  let width: Int
  let height: Int

  init(_ sheet: MapSheet) throws(PictureError) {
    let geometry = sheet.geometry
    if let background = sheet.background {
      (width, height) = (background.pixels.width, background.pixels.height)
      return
    }
    let longest = max(geometry.width, geometry.height)
    let natural =
      longest > Self.maximumSide
      ? Self.maximumSide / longest : min(16, max(1, (Self.minimumSide / longest).rounded(.down)))
    let factor = sheet.pixelsPerPoint ?? natural
    guard (geometry.width * factor) < Double(Drawing.sideLimit),
      (geometry.height * factor) < Double(Drawing.sideLimit),
      sheet.shape.map({ $0 > 0 && geometry.width * factor / $0 < Double(Drawing.sideLimit) })
        ?? true
    else {
      throw PictureError(
        "a picture of this display would be too large; make it smaller with --scale")
    }
    width = max(1, Int((geometry.width * factor).rounded()))
    let tall = sheet.shape.map { geometry.width / $0 } ?? geometry.height
    height = max(1, Int((tall * factor).rounded()))
  }

  /// The size of the text around the map, in pixels: 13...48. It grows with the map, so that the
  /// text is still legible when the whole picture is scaled to fit a window.
  var textSize: Double {
    let side = (Double(width) * Double(height)).squareRoot()
    return min(48, max(13, (side / 75).rounded()))
  }
}
