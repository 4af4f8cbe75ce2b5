import TouchModel

/// Where a finger was during the last moments, in the order of time.
struct Trail: Hashable, Sendable {
  /// How long a place is remembered, in microseconds.
  static let memory: Int64 = 400_000
  /// Two more places take at least as long, so that a fast panel costs no more than one of 250 Hz.
  private static let spacing: Int64 = 8_000

  private struct Place: Hashable, Sendable {
    var time: Timestamp
    var point: Point
  }

  private var places: [Place]

  init(from point: Point, at time: Timestamp) { places = [Place(time: time, point: point)] }

  var count: Int { places.count }

  mutating func move(to point: Point, at time: Timestamp) {
    guard let last = places.last else { return }
    if time - last.time > TouchHistory.restGap {
      if last.point == point { return }
      append(Place(time: time + -TouchHistory.restLead, point: last.point))
    }
    append(Place(time: time, point: point))
    let horizon = time + -Self.memory
    // The last of those that are too old is where the line from it to the next begins.
    let old = places.dropFirst().prefix { $0.time <= horizon }.count
    if old > 0 { places.removeFirst(old) }
  }

  private mutating func append(_ place: Place) {
    if places.count > 1, place.time - places[places.count - 2].time < Self.spacing {
      places[places.count - 1] = place
    } else {
      places.append(place)
    }
  }

  /// The way of the last `age` microseconds before `time`, its points at least `distance` apart, the last aside;
  /// empty where the finger did not move.
  func points(within age: Int64, before time: Timestamp, distance: Double) -> [Point] {
    let start = time + -age
    guard let last = places.last, last.time > start else { return [] }
    let next = places.firstIndex { $0.time > start } ?? places.endIndex
    var points: [Point] = []
    points.reserveCapacity(places.count - next + 1)
    if next > 0 {
      points.append(Self.between(places[next - 1], places[next], at: start))
    }
    for place in places[next...] {
      if let end = points.last, Self.isNear(end, place.point, distance) { continue }
      points.append(place.point)
    }
    if points.count > 1, points.last != last.point {
      points[points.count - 1] = last.point
    } else if points.count == 1, points.last != last.point {
      points.append(last.point)
    }
    return points.count > 1 ? points : []
  }

  /// Whether `points` change while time goes by: until all of the movement is forgotten.
  func isShrinking(at time: Timestamp) -> Bool {
    guard let last = places.last else { return false }
    let start = time + -Self.memory
    guard last.time > start else { return false }
    let next = places.firstIndex { $0.time > start } ?? places.endIndex
    return places[max(0, next - 1)...].contains { $0.point != last.point }
  }

  private static func between(_ one: Place, _ two: Place, at time: Timestamp) -> Point {
    let part = Double(time - one.time) / Double(max(1, two.time - one.time))
    return Point(
      x: one.point.x + (two.point.x - one.point.x) * part,
      y: one.point.y + (two.point.y - one.point.y) * part)
  }

  private static func isNear(_ one: Point, _ two: Point, _ distance: Double) -> Bool {
    let (dx, dy) = (two.x - one.x, two.y - one.y)
    return dx * dx + dy * dy < distance * distance
  }
}
