import TouchModel

/// The recent positions of a finger, oldest first.
struct Trail: Hashable, Sendable {
  /// The time for which a position is remembered, in µs.
  static let memory: Int64 = 400_000
  /// The minimum time, in µs, between a position and the one after the next. A faster panel thus
  /// costs no more than one of 250 Hz.
  private static let spacing: Int64 = 8_000

  /// The minimum distance between two positions of a path, in points of the display.
  private static let distance = 2.0

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
    // Keep the newest of the positions that are too old: the line from there to the next position
    // is still partly visible.
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

  /// A position on the path, and its freshness from 0 (about to be forgotten) to 1 (now).
  struct Step: Hashable {
    var point: Point
    var freshness: Double
  }

  /// Returns the path in the last `memory` µs before `time`; empty if the finger did not move.
  func way(before time: Timestamp) -> [Step] {
    let start = time + -Self.memory
    guard let last = places.last, last.time > start else { return [] }
    let next = places.firstIndex { $0.time > start } ?? places.endIndex
    var steps: [Step] = []
    steps.reserveCapacity(places.count - next + 1)
    if next > 0 {
      let point = Self.between(places[next - 1], places[next], at: start)
      steps.append(Step(point: point, freshness: 0))
    }
    for place in places[next...] {
      let freshness = Double(place.time - start) / Double(Self.memory)
      if let end = steps.last, Self.isNear(end.point, place.point, Self.distance) { continue }
      steps.append(Step(point: place.point, freshness: min(1, freshness)))
    }
    if let end = steps.last, end.point != last.point {
      let freshness = Double(last.time - start) / Double(Self.memory)
      if steps.count > 1 { steps.removeLast() }
      steps.append(Step(point: last.point, freshness: min(1, freshness)))
    }
    return steps.count > 1 ? steps : []
  }

  /// Returns the speed of the last movement, in points per second; 0 if the finger rests.
  func speed(before time: Timestamp) -> Double {
    guard let last = places.last, places.count > 1, time - last.time <= TouchHistory.restGap
    else { return 0 }
    let before = places[places.count - 2]
    let seconds = Double(max(1, last.time - before.time)) / 1e6
    return before.point.distance(to: last.point) / seconds
  }

  /// Returns whether `way` changes as time passes: it does until the whole movement is forgotten.
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
