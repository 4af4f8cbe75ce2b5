import TouchModel

/// The path of one finger in the video, from touch-down until its bubble is no longer drawn.
struct FingerPath {
  struct Place {
    /// The time in the video, in µs.
    var time: Int64
    /// The position in the video, in pixels.
    var point: Point
  }

  /// The bubble as of the last frame.
  var bubble: Bubble
  /// The scale, in pixels per point.
  let scale: Double
  private(set) var places: [Place]
  /// The time in the video at which the path ends, in µs; nil while it is not known.
  var ends: Int64?

  init(_ bubble: Bubble, scale: Double, at point: Point, time: Int64) {
    self.bubble = bubble
    self.scale = scale
    places = [Place(time: time, point: point)]
  }

  mutating func move(to point: Point, at time: Int64) {
    guard let last = places.last, last.point != point else { return }
    guard time > last.time else {
      places[places.count - 1].point = point
      return
    }
    if time - last.time > TouchHistory.restGap {
      places.append(Place(time: time - TouchHistory.restLead, point: last.point))
    }
    places.append(Place(time: time, point: point))
  }

  /// A part of the path in which the finger rests or moves along a straight line. `start` and `end`
  /// are in hundredths of a second, the resolution of ASS, so that rounding causes neither a gap
  /// nor an overlap between pieces. `from` and `to` are in pixels.
  struct Piece: Equatable {
    var start: Int64
    var end: Int64
    var from: Point
    var to: Point
  }

  /// Returns the path as a sequence of straight pieces; empty if its end is not known, or if it
  /// ends before the video begins.
  /// - Parameters:
  ///   - cuts: The times at which a piece must end, in hundredths of a second.
  ///   - tolerance: The allowed deviation of a position from its line, in pixels.
  func pieces(cuts: [Int64], tolerance: Double) -> [Piece] {
    let hundredth: Int64 = 10_000
    func rounded(_ time: Int64) -> Int64 { (time + hundredth / 2).flooredDivision(by: hundredth) }
    guard let ends, let first = places.first else { return [] }
    let (start, end) = (max(0, rounded(first.time)), rounded(ends))
    guard start < end else { return [] }
    let stops = Set(cuts.filter { start < $0 && $0 < end })
    var times = stops
    // The path is straight between two positions, so only the hundredths of a second next to each
    // position are needed.
    for place in places {
      let before = place.time.flooredDivision(by: hundredth)
      for time in before...before + 1 where start < time && time < end { times.insert(time) }
    }
    let knots = [start] + times.sorted() + [end]
    var walk = Walk(places: places[...])
    let points = knots.map { walk.point(at: $0 * hundredth) }

    var pieces: [Piece] = []
    var index = 0
    while index < knots.count - 1 {
      var next = index + 1
      while next < knots.count - 1, next - index < 200, !stops.contains(knots[next]),
        isStraight(knots, points, index, next + 1, tolerance)
      {
        next += 1
      }
      pieces.append(
        Piece(start: knots[index], end: knots[next], from: points[index], to: points[next]))
      index = next
    }
    return pieces
  }

  private func isStraight(
    _ knots: [Int64], _ points: [Point], _ start: Int, _ end: Int, _ tolerance: Double
  ) -> Bool {
    let (one, two) = (points[start], points[end])
    let span = Double(knots[end] - knots[start])
    for index in start + 1..<end {
      let part = Double(knots[index] - knots[start]) / span
      let point = Point(x: one.x + (two.x - one.x) * part, y: one.y + (two.y - one.y) * part)
      if point.distance(to: points[index]) > tolerance { return false }
    }
    return true
  }

  /// Computes positions on the path, for ascending times.
  private struct Walk {
    var places: ArraySlice<Place>

    mutating func point(at time: Int64) -> Point {
      while places.count > 1, places[places.startIndex + 1].time <= time { places.removeFirst() }
      guard let one = places.first else { return Point(x: 0, y: 0) }
      guard time > one.time, let two = places.dropFirst().first else { return one.point }
      let part = Double(time - one.time) / Double(two.time - one.time)
      return Point(
        x: one.point.x + (two.point.x - one.point.x) * part,
        y: one.point.y + (two.point.y - one.point.y) * part)
    }
  }
}

extension Int64 {
  /// Returns the quotient, rounded down.
  /// - Parameter divisor: A positive number.
  func flooredDivision(by divisor: Int64) -> Int64 {
    self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
  }
}
