import TestSupport
import Testing
import TouchFeedback
import TouchModel

@Suite struct TrailTests {
  /// Returns the polygons of the trails: of each, those of the shade, then those of the ribbon on
  /// it.
  private func areas(_ fingers: Fingers, at ms: Double) -> [[[Point]]] {
    fingers.shapes(at: ms).compactMap {
      if case .area(let polygons, _) = $0 { polygons } else { nil }
    }
  }

  private func fingers() -> Fingers {
    var fingers = Fingers()
    fingers.style.hasTrail = true
    return fingers
  }

  /// Returns a swipe along a parabola, 200 points wide and high, in 300 ms at 125 Hz.
  private func swipe() -> Fingers {
    var fingers = fingers()
    fingers.report(1, .began, 200, 0, at: 0)
    for ms in stride(from: 8.0, through: 300, by: 8) {
      let part = ms / 300
      fingers.report(1, .moved, 200 - 200 * part * part, 200 * part, at: ms)
    }
    return fingers
  }

  private func distance(_ one: Point, _ two: Point) -> Double {
    ((one.x - two.x) * (one.x - two.x) + (one.y - two.y) * (one.y - two.y)).squareRoot()
  }

  /// Returns whether the winding number of a point is not 0.
  private func isInside(_ point: Point, _ polygons: [[Point]]) -> Bool {
    var winding = 0
    for polygon in polygons {
      for (a, b) in zip(polygon, polygon.dropFirst() + polygon.prefix(1)) {
        guard (a.y <= point.y) != (b.y <= point.y) else { continue }
        let x = a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
        if x > point.x { winding += a.y <= point.y ? 1 : -1 }
      }
    }
    return winding != 0
  }

  @Test func `A trail is a shade and a light ribbon that end at the disc's edge`() throws {
    let fingers = swipe()
    let areas = areas(fingers, at: 300)
    #expect(areas.count == 2)
    let finger = try #require(fingers.discs(at: 300).first?.centre)
    for polygons in areas {
      let distances = polygons.joined().map { distance($0, finger) }
      let nearest = try #require(distances.min())
      // The corners of the trail's end lie on the bubble's edge.
      #expect(nearest > 19 && nearest < 22.5)
      #expect((distances.max() ?? 0) > 200)
    }
  }

  @Test func `A trail tapers towards its end`() {
    let polygons = areas(swipe(), at: 296).last ?? []
    // The width of the ribbon across its direction, at points of the parabola.
    let widths = stride(from: 0.05, through: 0.85, by: 0.1).map { part -> Double in
      let middle = Point(x: 200 - 200 * part * part, y: 200 * part)
      let (dx, dy) = (-400 * part, 200.0)
      let length = (dx * dx + dy * dy).squareRoot()
      let steps = stride(from: -15.0, through: 15, by: 0.05)
      return 0.05
        * Double(
          steps.count { step in
            let point = Point(x: middle.x - dy / length * step, y: middle.y + dx / length * step)
            return isInside(point, polygons)
          })
    }
    #expect(widths == widths.sorted() && widths[0] > 3 && (widths.last ?? 0) > 15)
    #expect((widths.last ?? 0) < 20)
  }

  @Test func `A swipe needs few points`() {
    #expect(areas(swipe(), at: 296).allSatisfy { $0.count <= 3 && $0.joined().count < 45 })
    var fingers = fingers()
    fingers.report(1, .began, 0, 0, at: 0)
    for step in 1...40 {
      fingers.report(1, .moved, Double(step) * 8, 0, at: Double(step) * 8)
    }
    #expect(areas(fingers, at: 320).map { $0.map(\.count) } == [[4], [4]])
  }

  /// For any motion, all polygons have the same orientation, the trail covers the path without
  /// gaps, and no polygon lies under the disc's centre.
  @Test(arguments: [1, 2, 3] as [UInt64]) func `The trail covers the whole path`(seed: UInt64)
    throws
  {
    var generator = SeededGenerator(seed: seed)
    var fingers = fingers()
    var (x, y, dx, dy) = (0.0, 0.0, 0.0, 0.0)
    fingers.report(1, .began, x, y, at: 0)
    var way: [Point] = []
    var count = 0
    for step in 1...400 {
      dx += Double.random(in: -4...4, using: &generator) - dx / 20
      dy += Double.random(in: -4...4, using: &generator) - dy / 20
      (x, y) = (x + dx, y + dy)
      fingers.report(1, .moved, x, y, at: Double(step) * 8)
      way.append(Point(x: x, y: y))
      guard step % 3 == 0 else { continue }
      for polygons in areas(fingers, at: Double(step) * 8) {
        for polygon in polygons {
          let area = zip(polygon, polygon.dropFirst() + polygon.prefix(1)).reduce(0) {
            $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y
          }
          #expect(polygon.count > 2 && area > -1e-6)
        }
        if polygons.isEmpty { continue }
        // Test positions that are well outside the disc, and recent enough for the trail to be
        // wider than the tolerance. A position may lie exactly on an edge, so test points slightly
        // beside it.
        for place in way.suffix(26) where distance(place, Point(x: x, y: y)) > 36 {
          count += 1
          let beside = [(-0.1, 0.07), (0.1, -0.07), (0.07, 0.1), (-0.07, -0.1)].map {
            Point(x: place.x + $0, y: place.y + $1)
          }
          if !beside.contains(where: { isInside($0, polygons) }) {
            Issue.record("\(place) after \(step)")
          }
        }
        #expect(!isInside(Point(x: x, y: y), polygons))
      }
    }
    #expect(count > 1000)
  }

  @Test func `A path that turns back has round corners`() {
    var fingers = fingers()
    fingers.report(1, .began, 0, 0, at: 0)
    fingers.report(1, .moved, 200, 0, at: 40)
    fingers.report(1, .moved, 0, 0, at: 80)
    let polygons = areas(fingers, at: 80).last ?? []
    // The trail extends beyond the corner by half of its width there.
    let farthest = polygons.joined().map(\.x).max() ?? 0
    #expect(farthest > 207 && farthest < 210)
  }

  @Test func `A trail is gone 400 ms after the last move`() {
    let fingers = swipe()
    #expect(fingers.nextChange(after: 300) == 300)
    #expect(!areas(fingers, at: 600).isEmpty)
    #expect(areas(fingers, at: 697).isEmpty)
    #expect(fingers.nextChange(after: 697) == nil)
    #expect(fingers.discs(at: 697).count == 1)
  }

  @Test func `After a rest, the whole path of the next move is shown`() {
    var fingers = fingers()
    fingers.report(1, .began, 0, 0, at: 0)
    fingers.report(1, .moved, 100, 0, at: 380)
    // After a rest, the finger is assumed to have left its position only 16 ms before the sample.
    let points = areas(fingers, at: 390).last?.joined().map(\.x) ?? []
    #expect(points.min() == 0)
    #expect((points.max() ?? 0) > 75)
  }

  @Test func `A resting finger has no trail`() {
    var fingers = fingers()
    fingers.report(1, .began, at: 0)
    for ms in stride(from: 8.0, to: 500, by: 8) { fingers.report(1, .stationary, at: ms) }
    #expect(areas(fingers, at: 500).isEmpty)
    #expect(fingers.nextChange(after: 500) == nil)
  }

  @Test func `A trail from a fast panel has a limited number of points`() {
    var fingers = fingers()
    fingers.report(1, .began, 0, 0, at: 0)
    for step in 1...8000 {
      fingers.report(1, .moved, Double(step) * 3, Double(step % 2) * 50, at: Double(step) / 8)
    }
    #expect(areas(fingers, at: 1000).allSatisfy { $0.count <= 104 })
  }
}
