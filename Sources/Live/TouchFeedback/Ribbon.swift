import Text
import TouchModel

/// Computes the outline of a trail: a band along the path of a finger, narrower where it is older.
enum Ribbon {
  /// The maximum deviation of the band from the path, and of its round corners from their arcs, in
  /// points.
  private static let tolerance = 0.3

  /// Returns the polygons of the band. All have the same orientation.
  /// - Parameters:
  ///   - way: The path, oldest position first, with at least one position.
  ///   - width: The width of the band at the finger, in points.
  ///   - centre: The centre of a circle with this radius, in points, that the band leaves free.
  static func polygons(
    along way: [Trail.Step], width: Double, outside centre: Point, _ radius: Double
  ) -> [[Point]] {
    let steps = simplified(way, width: width)
    // The band ends in a straight edge: its corners lie on the circle, its middle a little inside.
    let free = (radius * radius - width * width / 4).squareRoot()
    var polygons: [[Point]] = []
    var chains: [[Piece]] = []
    for piece in zip(steps, steps.dropFirst()).flatMap({
      outside($0, $1, centre, free, width: width)
    }) {
      guard var last = chains.last?.last, last.end == piece.start else {
        chains.append([piece])
        continue
      }
      guard let side = last.sharedSide(with: piece) else {
        polygons.append(corner(from: last, to: piece))
        chains.append([piece])
        continue
      }
      var next = piece
      (last.endSide, next.startSide) = (side, side)
      let index = chains.count - 1
      chains[index][chains[index].count - 1] = last
      chains[index].append(next)
    }
    polygons = polygons.flatMap { clipped($0, centre, free, nearest: $0.first) }
    return polygons + chains.flatMap { outlines(of: $0, centre, free) }
  }

  /// Returns the outlines of pieces that join directly, one after another. Consecutive pieces share
  /// one outline, but a piece that the circle cuts has its own, or none if nothing of it is left.
  /// - Parameter free: The radius of the circle.
  private static func outlines(
    of chain: [Piece], _ centre: Point, _ free: Double
  ) -> [[Point]] {
    var outlines: [[Point]] = []
    var run: [Piece] = []
    func close() {
      if !run.isEmpty {
        let left = run.prefix(1).flatMap(\.left) + run.dropFirst().compactMap(\.left.last)
        let right =
          run.suffix(1).flatMap(\.right) + run.dropLast().reversed().compactMap(\.right.last)
        outlines.append(left + right)
      }
      run = []
    }
    for piece in chain {
      let polygon = piece.left + piece.right
      let cut = clipped(polygon, centre, free, nearest: piece.nearest(to: centre))
      if cut == [polygon] {
        run.append(piece)
      } else {
        close()
        outlines += cut
      }
    }
    close()
    return outlines
  }

  /// Returns the part of a convex polygon on the outer side of a tangent of the circle; empty if
  /// nothing is left.
  /// - Parameters:
  ///   - free: The radius of the circle.
  ///   - nearest: The tangent touches the circle in the direction of this point. The result is
  ///     empty if it is nil or the centre.
  private static func clipped(
    _ polygon: [Point], _ centre: Point, _ free: Double, nearest: Point?
  ) -> [[Point]] {
    guard let nearest else { return [] }
    let length = centre.distance(to: nearest)
    guard length > 1e-6 else { return [] }
    let normal = Point(x: (nearest.x - centre.x) / length, y: (nearest.y - centre.y) / length)
    func height(_ point: Point) -> Double {
      (point.x - centre.x) * normal.x + (point.y - centre.y) * normal.y - free
    }
    let heights = polygon.map(height)
    // Ignore a cut that results only from rounding errors.
    if heights.allSatisfy({ $0 > -1e-6 }) { return [polygon] }
    var cut: [Point] = []
    for (index, point) in polygon.enumerated() {
      let next = (index + 1) % polygon.count
      let (a, b) = (heights[index], heights[next])
      if a >= 0 { cut.append(point) }
      if (a > 0 && b < 0) || (a < 0 && b > 0) {
        let part = a / (a - b)
        let other = polygon[next]
        cut.append(
          Point(x: point.x + (other.x - point.x) * part, y: point.y + (other.y - point.y) * part))
      }
    }
    return cut.count > 2 ? [cut] : []
  }

  private struct Piece {
    let start: Point
    let end: Point
    let startRadius: Double
    let endRadius: Double
    let length: Double
    /// The direction of the piece, a unit vector.
    let way: Point
    /// The vectors from the path to the left edge, for a band with a radius (half of its width) of
    /// 1. They are unit vectors perpendicular to the path, and longer at a shared corner.
    var startSide: Point
    var endSide: Point

    init?(_ start: Point, _ startRadius: Double, _ end: Point, _ endRadius: Double) {
      length = start.distance(to: end)
      guard length > 1e-6 else { return nil }
      (self.start, self.end) = (start, end)
      (self.startRadius, self.endRadius) = (startRadius, endRadius)
      way = Point(x: (end.x - start.x) / length, y: (end.y - start.y) / length)
      startSide = Point(x: way.y, y: -way.x)
      endSide = startSide
    }

    /// Returns the side vector that both pieces have at a slight corner, so that their edges meet;
    /// nil if the corner is too sharp, or a piece too short.
    func sharedSide(with next: Piece) -> Point? {
      let cosine = way.x * next.way.x + way.y * next.way.y
      guard cosine > 0.9 else { return nil }
      let side = Point(
        x: (way.y + next.way.y) / (1 + cosine), y: -(way.x + next.way.x) / (1 + cosine))
      // On the inner side of the corner, the edges of both pieces become shorter.
      let shorter = endRadius * ((1 - cosine) / (1 + cosine)).squareRoot()
      return shorter < min(length, next.length) / 2 ? side : nil
    }

    /// The ends of the left edge, from `start` to `end`. `right` has those of the right edge, from
    /// `end` to `start`, so that `left + right` is the outline of the piece.
    var left: [Point] { [edge(start, startSide, startRadius), edge(end, endSide, endRadius)] }
    var right: [Point] { [edge(end, endSide, -endRadius), edge(start, startSide, -startRadius)] }

    private func edge(_ point: Point, _ side: Point, _ radius: Double) -> Point {
      Point(x: point.x + side.x * radius, y: point.y + side.y * radius)
    }

    func nearest(to point: Point) -> Point {
      let along = (point.x - start.x) * way.x + (point.y - start.y) * way.y
      let part = max(0, min(length, along))
      return Point(x: start.x + way.x * part, y: start.y + way.y * part)
    }
  }

  /// Returns the parts of the straight line between two positions that lie outside the circle.
  private static func outside(
    _ one: Trail.Step, _ two: Trail.Step, _ centre: Point, _ radius: Double, width: Double
  ) -> [Piece] {
    func piece(_ from: Double, _ to: Double) -> Piece? {
      func point(_ part: Double) -> Point {
        part == 0 ? one.point : part == 1 ? two.point : between(one, two, part).point
      }
      func half(_ part: Double) -> Double { between(one, two, part).freshness * width / 2 }
      return from < to ? Piece(point(from), half(from), point(to), half(to)) : nil
    }
    let (dx, dy) = (two.point.x - one.point.x, two.point.y - one.point.y)
    let (x, y) = (one.point.x - centre.x, one.point.y - centre.y)
    let (square, half) = (dx * dx + dy * dy, x * dx + y * dy)
    let root = half * half - square * (x * x + y * y - radius * radius)
    guard square > 0, root > 0 else { return [piece(0, 1)].compactMap { $0 } }
    let enters = max(0, min(1, (-half - root.squareRoot()) / square))
    let leaves = max(0, min(1, (-half + root.squareRoot()) / square))
    guard enters < leaves else { return [piece(0, 1)].compactMap { $0 } }
    return [piece(0, enters), piece(leaves, 1)].compactMap { $0 }
  }

  /// Returns the polygon that fills the gap between two pieces on the outer side of a corner.
  private static func corner(from one: Piece, to two: Piece) -> [Point] {
    let cross = one.way.x * two.way.y - one.way.y * two.way.x
    let dot = one.way.x * two.way.x + one.way.y * two.way.y
    let radius = two.startRadius
    // The outer side is the left one if the path turns right.
    let side = cross >= 0 ? 1.0 : -1.0
    func edge(_ way: Point) -> Point { Point(x: way.y * side, y: -way.x * side) }
    var arc = [edge(one.way), edge(two.way)]
    if dot < -0.999 {
      // If the path turns straight back, the arc is half a circle, whose middle is straight ahead.
      arc = [edge(one.way), one.way, edge(two.way)]
    }
    while let (first, second) = arc.first.map({ ($0, arc[1]) }), arc.count < 64 {
      // Bisect the arcs until no chord is too far from its arc. The mean of two unit vectors is as
      // long as the cosine of half their angle, so 1 minus its length is the distance.
      let middle = Point(x: (first.x + second.x) / 2, y: (first.y + second.y) / 2)
      let length = (middle.x * middle.x + middle.y * middle.y).squareRoot()
      guard radius * (1 - length) > tolerance, length > 0 else { break }
      arc =
        zip(arc, arc.dropFirst()).flatMap { one, two -> [Point] in
          let (x, y) = (one.x + two.x, one.y + two.y)
          let length = max((x * x + y * y).squareRoot(), 1e-9)
          return [one, Point(x: x / length, y: y / length)]
        } + arc.suffix(1)
    }
    let corner = two.start
    var polygon = [corner]
    polygon += arc.map { Point(x: corner.x + $0.x * radius, y: corner.y + $0.y * radius) }
    return side < 0 ? [corner] + polygon.dropFirst().reversed() : polygon
  }

  /// Removes the points that lie within the tolerance of the straight lines between the others (the
  /// algorithm of Ramer, Douglas and Peucker).
  private static func simplified(_ way: [Trail.Step], width: Double) -> [Trail.Step] {
    var kept = Array(repeating: false, count: way.count)
    kept[0] = true
    kept[way.count - 1] = true
    var open = [(0, way.count - 1)]
    while let (first, last) = open.popLast() {
      var (farthest, most) = (first, tolerance)
      for index in first + 1..<max(last, first + 1) {
        let far = beside(way[index], way[first], way[last], width: width)
        if far > most { (farthest, most) = (index, far) }
      }
      guard farthest > first else { continue }
      kept[farthest] = true
      open += [(first, farthest), (farthest, last)]
    }
    return zip(way, kept).compactMap { $1 ? $0 : nil }
  }

  /// Returns the distance by which the edge of the band would move if `step` were removed, in
  /// points.
  private static func beside(
    _ step: Trail.Step, _ one: Trail.Step, _ two: Trail.Step, width: Double
  ) -> Double {
    let (dx, dy) = (two.point.x - one.point.x, two.point.y - one.point.y)
    let square = dx * dx + dy * dy
    let along = (step.point.x - one.point.x) * dx + (step.point.y - one.point.y) * dy
    let nearest = between(one, two, square > 0 ? max(0, min(1, along / square)) : 0)
    // A slight change of width is not visible.
    let wider = abs(nearest.freshness - step.freshness) * width / 2
    return nearest.point.distance(to: step.point) + max(0, wider - 2 * tolerance)
  }

  private static func between(
    _ one: Trail.Step, _ two: Trail.Step, _ part: Double
  ) -> Trail.Step {
    Trail.Step(
      point: Point(
        x: one.point.x + (two.point.x - one.point.x) * part,
        y: one.point.y + (two.point.y - one.point.y) * part),
      freshness: one.freshness + (two.freshness - one.freshness) * part)
  }
}
