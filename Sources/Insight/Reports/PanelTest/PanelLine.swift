/// A straight line fitted to points, with the position of each point along the line and its
/// distance from the line. All lengths are in mm.
struct PanelLine {
  struct Point: Hashable {
    var along: Double
    /// The signed distance from the line.
    var off: Double
  }

  var points: [Point]

  /// Fits the line with the least squared distances.
  /// - Returns: nil if there are fewer than three points, or if all are at one place.
  init?(_ places: some Collection<(x: Double, y: Double)>) {
    let count = Double(places.count)
    guard places.count >= 3 else { return nil }
    let meanX = places.reduce(0) { $0 + $1.x } / count
    let meanY = places.reduce(0) { $0 + $1.y } / count
    var (xx, xy, yy) = (0.0, 0.0, 0.0)
    for place in places {
      let (x, y) = (place.x - meanX, place.y - meanY)
      xx += x * x
      xy += x * y
      yy += y * y
    }
    guard xx + yy > 0 else { return nil }
    // The direction of the eigenvector with the greater eigenvalue.
    let half = (xx - yy) / 2
    let root = (half * half + xy * xy).squareRoot()
    var (x, y) = half >= 0 ? (half + root, xy) : (xy, root - half)
    let length = (x * x + y * y).squareRoot()
    guard length > 0 else { return nil }
    (x, y) = (x / length, y / length)
    points = places.map { place in
      let (dx, dy) = (place.x - meanX, place.y - meanY)
      return Point(along: dx * x + dy * y, off: dy * x - dx * y)
    }
    // Let the line point from the first point to the last one.
    if let first = points.first, let last = points.last, last.along < first.along {
      for index in points.indices { points[index].along.negate() }
    }
  }

  /// The greatest distance of a point from the line.
  var deviation: Double { points.map { abs($0.off) }.max() ?? 0 }

  /// The root mean square of the distances of the points from the line.
  var deviationRMS: Double {
    (points.reduce(0) { $0 + $1.off * $1.off } / Double(max(1, points.count))).squareRoot()
  }
}
