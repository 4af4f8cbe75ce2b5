import TouchModel

/// A band along a way that grows narrower the older it is.
enum Ribbon {
  /// By how much the band may be beside the way, and its round corners beside their arcs, in points.
  private static let tolerance = 0.3

  /// Polygons that all turn the same way.
  /// - Parameters:
  ///   - width: where the finger is.
  ///   - centre: of a circle that is left free.
  static func polygons(
    along way: [Trail.Step], width: Double, outside centre: Point, _ radius: Double
  ) -> [[Point]] {
    let steps = simplified(way, width: width)
    // The corners of the band's end lie on the circle, and the middle of its end a little inside.
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

  /// Pieces that need nothing between them have one outline; those at the circle one each.
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

  /// What of a convex polygon lies outside of a circle's tangent.
  /// - Parameter nearest: the place on the way to which the tangent belongs.
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
    // What a rounding leaves over is not worth a corner.
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
    /// One long.
    let way: Point
    /// Across the way; one long where it is at right angles to it.
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

    /// In the middle of a slight corner, where the two need nothing between them; nil at others.
    func sharedSide(with next: Piece) -> Point? {
      let cosine = way.x * next.way.x + way.y * next.way.y
      guard cosine > 0.9 else { return nil }
      let side = Point(
        x: (way.y + next.way.y) / (1 + cosine), y: -(way.x + next.way.x) / (1 + cosine))
      // On the inner side both grow shorter.
      let shorter = endRadius * ((1 - cosine) / (1 + cosine)).squareRoot()
      return shorter < min(length, next.length) / 2 ? side : nil
    }

    /// Its edge on the left, and that on the right, backwards.
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

  /// The parts of a straight piece that lie outside the circle.
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

  /// What is missing between two pieces on the outer side of a corner.
  private static func corner(from one: Piece, to two: Piece) -> [Point] {
    let cross = one.way.x * two.way.y - one.way.y * two.way.x
    let dot = one.way.x * two.way.x + one.way.y * two.way.y
    let radius = two.startRadius
    // Left of the way where it turns right.
    let side = cross >= 0 ? 1.0 : -1.0
    func edge(_ way: Point) -> Point { Point(x: way.y * side, y: -way.x * side) }
    var arc = [edge(one.way), edge(two.way)]
    if dot < -0.999 {
      // Back along itself: half a circle, whose middle is straight on.
      arc = [edge(one.way), one.way, edge(two.way)]
    }
    while let (first, second) = arc.first.map({ ($0, arc[1]) }), arc.count < 64 {
      // From chord to arc: half the angle's cosine is the length of the middle of both.
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

  /// Without the places beside which a straight way goes anyway (Ramer, Douglas and Peucker).
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

  /// How far the band's edge would move at a step if there were none, in points.
  private static func beside(
    _ step: Trail.Step, _ one: Trail.Step, _ two: Trail.Step, width: Double
  ) -> Double {
    let (dx, dy) = (two.point.x - one.point.x, two.point.y - one.point.y)
    let square = dx * dx + dy * dy
    let along = (step.point.x - one.point.x) * dx + (step.point.y - one.point.y) * dy
    let nearest = between(one, two, square > 0 ? max(0, min(1, along / square)) : 0)
    // A slight change of width is not seen.
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
