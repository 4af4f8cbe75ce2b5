import TouchModel

/// A shape of one colour, as a drawing in the subtitle format ASS.
struct DrawnShape {
  /// The contours of the shape, in eighths of a pixel. Both coordinates begin at 0.
  let drawing: String
  /// The top left corner of the drawing, in pixels: relative to the centre of a disc or label, and
  /// to the top left of the display for an area.
  let corner: Point
  let colour: Colour

  /// Returns the drawings of a shape, one for each colour that is not transparent.
  /// - Parameter scale: The scale, in pixels per point.
  static func parts(of shape: Shape, scale: Double) -> [DrawnShape] {
    switch shape {
    case .disc(_, let radius, let fill, let ring, let ringWidth):
      var parts: [DrawnShape] = []
      let inner = max(0, radius - ringWidth)
      if fill.opacity > 0, let disc = circle(inner * scale, hole: nil, fill) { parts.append(disc) }
      if ring.opacity > 0, ringWidth > 0,
        let annulus = circle(radius * scale, hole: inner * scale, ring)
      {
        parts.append(annulus)
      }
      return parts
    case .area(let polygons, let colour):
      return area(polygons, scale: scale, colour).map { [$0] } ?? []
    case .label(let text, _, let height, let colour):
      let lines = Digits.strokes(of: text, height: height)
      return strokes(lines, width: height * Digits.stroke, scale: scale, colour).map { [$0] } ?? []
    }
  }

  private static func circle(_ radius: Double, hole: Double?, _ colour: Colour) -> DrawnShape? {
    // ASS places a drawing by its bounding box. Round to the unit of the drawing, so that the box
    // is exactly this large.
    let size = Double(Outline.eighths(radius)) / 8
    guard size > 0 else { return nil }
    var outline = Outline()
    let middle = Point(x: size, y: size)
    outline.addCircle(around: middle, size)
    if let hole, hole > 0 { outline.addCircle(around: middle, hole, isHole: true) }
    return DrawnShape(drawing: outline.text, corner: Point(x: -size, y: -size), colour: colour)
  }

  private static func area(
    _ polygons: [[Point]], scale: Double, _ colour: Colour
  ) -> DrawnShape? {
    let all = polygons.joined()
    guard let first = all.first, colour.opacity > 0 else { return nil }
    let low = all.reduce(first) { Point(x: min($0.x, $1.x), y: min($0.y, $1.y)) }
    let corner = Point(x: (low.x * scale).rounded(.down), y: (low.y * scale).rounded(.down))
    var outline = Outline(holdsCorner: true)
    for polygon in polygons {
      outline.addPolygon(
        polygon.map { Point(x: $0.x * scale - corner.x, y: $0.y * scale - corner.y) })
    }
    return DrawnShape(drawing: outline.text, corner: corner, colour: colour)
  }

  private static func strokes(
    _ lines: [[Point]], width: Double, scale: Double, _ colour: Colour
  ) -> DrawnShape? {
    let all = lines.joined()
    guard let first = all.first, width > 0, colour.opacity > 0 else { return nil }
    let low = all.reduce(first) { Point(x: min($0.x, $1.x), y: min($0.y, $1.y)) }
    // ASS places a drawing by its bounding box. The box begins at this corner, a whole pixel,
    // because the outline holds the corner.
    let corner = Point(
      x: ((low.x - width / 2) * scale).rounded(.down),
      y: ((low.y - width / 2) * scale).rounded(.down))
    var outline = Outline(holdsCorner: true)
    for line in lines {
      outline.addStroke(
        line.map { Point(x: $0.x * scale - corner.x, y: $0.y * scale - corner.y) },
        width: width * scale)
    }
    return DrawnShape(drawing: outline.text, corner: corner, colour: colour)
  }
}
