import TouchModel

/// The contours of a drawing, in eighths of a pixel (`\p4` of ASS). Contours have the same
/// orientation, so that overlapping ones are filled as one. Holes have the opposite orientation.
struct Outline {
  private(set) var text = ""
  private static let unit = 8.0

  /// - Parameter holdsCorner: Whether to add a contour without size at 0, 0, so that the bounding
  ///   box of the drawing begins there.
  init(holdsCorner: Bool = false) {
    if holdsCorner { text = "m 0 0 l 0 0" }
  }

  /// Adds a circle.
  /// - Parameter isHole: Whether the circle is a hole.
  mutating func addCircle(around centre: Point, _ radius: Double, isHole: Bool = false) {
    // One cubic curve for each quarter, with an error of 0.03 % of the radius.
    let (r, c) = (radius, radius * 0.552_284_75)
    var quarters: [(Double, Double)] = [
      (r, 0), (r, c), (c, r), (0, r), (-c, r), (-r, c), (-r, 0), (-r, -c), (-c, -r), (0, -r),
      (c, -r), (r, -c), (r, 0),
    ]
    if isHole { quarters.reverse() }
    for (index, offset) in quarters.enumerated() {
      if index == 0 { append("m") } else if index == 1 { append("b") }
      append(centre.x + offset.0, centre.y + offset.1)
    }
  }

  mutating func addPolygon(_ points: [Point]) {
    var area = 0.0
    for (index, point) in points.enumerated() {
      let next = points[(index + 1) % points.count]
      area += point.x * next.y - next.x * point.y
    }
    guard area != 0 else { return }
    for (index, point) in (area > 0 ? points : points.reversed()).enumerated() {
      if index == 0 { append("m") } else if index == 1 { append("l") }
      append(point.x, point.y)
    }
  }

  /// Adds a line with round ends and corners.
  mutating func addStroke(_ points: [Point], width: Double) {
    let radius = width / 2
    guard let first = points.first, let last = points.last, radius > 0 else { return }
    addCircle(around: first, radius)
    if points.count > 1 { addCircle(around: last, radius) }
    /// The direction of each piece, a unit vector.
    let ways = zip(points, points.dropFirst()).map { one, two -> Point in
      let length = max(one.distance(to: two), 1e-9)
      return Point(x: (two.x - one.x) / length, y: (two.y - one.y) / length)
    }
    /// Returns the vector from the path to the edge at one end of `piece`: perpendicular to the
    /// piece or, at a slight corner with `other`, to where the edges of both pieces meet.
    func side(_ piece: Int, _ other: Int?) -> Point {
      let way = ways[piece]
      guard let other, ways.indices.contains(other) else { return Point(x: -way.y, y: way.x) }
      let next = ways[other]
      let cosine = way.x * next.x + way.y * next.y
      guard cosine > 0.5 else { return Point(x: -way.y, y: way.x) }
      let scale = 1 / (1 + cosine)
      return Point(x: -(way.y + next.y) * scale, y: (way.x + next.x) * scale)
    }
    for (piece, way) in ways.enumerated() {
      let (one, two) = (points[piece], points[piece + 1])
      if piece > 0 {
        let before = ways[piece - 1]
        if way.x * before.x + way.y * before.y <= 0.5 { addCircle(around: one, radius) }
      }
      let (start, end) = (side(piece, piece - 1), side(piece, piece + 1))
      addPolygon([
        Point(x: one.x + start.x * radius, y: one.y + start.y * radius),
        Point(x: two.x + end.x * radius, y: two.y + end.y * radius),
        Point(x: two.x - end.x * radius, y: two.y - end.y * radius),
        Point(x: one.x - start.x * radius, y: one.y - start.y * radius),
      ])
    }
  }

  private mutating func append(_ word: String) {
    if !text.isEmpty { text += " " }
    text += word
  }

  private mutating func append(_ x: Double, _ y: Double) {
    append("\(Self.eighths(x)) \(Self.eighths(y))")
  }

  static func eighths(_ value: Double) -> Int {
    Int(max(-1e8, min(1e8, (value * unit).rounded())))
  }
}
