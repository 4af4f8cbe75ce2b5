internal import TouchModel

/// The size of a map in pixels.
struct MapSize {
  /// The range for the longer side of a map without a screenshot, in pixels. Small displays are
  /// enlarged by a whole factor, so that blocks are visible. Huge ones are scaled down.
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
      (geometry.height * factor) < Double(Drawing.sideLimit)
    else {
      throw PictureError(
        "a picture of this display would be too large; make it smaller with --scale")
    }
    width = max(1, Int((geometry.width * factor).rounded()))
    height = max(1, Int((geometry.height * factor).rounded()))
  }

  /// The size of the text around the map, in pixels. The text is legible when the whole picture is
  /// visible.
  var textSize: Double {
    let side = (Double(width) * Double(height)).squareRoot()
    return min(48, max(13, (side / 75).rounded()))
  }
}
