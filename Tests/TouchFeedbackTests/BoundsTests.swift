import TestSupport
import Testing
import TouchFeedback
import TouchModel

/// The bounds of shapes, which determine what is redrawn.
@Suite struct BoundsTests {
  /// Returns points on the outer edge of what a shape colours, according to its definition; empty
  /// if it colours nothing.
  private func coloured(_ shape: Shape, _ generator: inout SeededGenerator) -> [Point] {
    let directions = (0..<16).map { _ -> Point in
      var point = Point(x: 0, y: 0)
      repeat {
        point = Point(
          x: Double.random(in: -1...1, using: &generator),
          y: Double.random(in: -1...1, using: &generator))
      } while point.x * point.x + point.y * point.y > 1
      let length = (point.x * point.x + point.y * point.y).squareRoot()
      return Point(x: point.x / length, y: point.y / length)
    }
    func around(_ centre: Point, _ radius: Double) -> [Point] {
      directions.map { Point(x: centre.x + $0.x * radius, y: centre.y + $0.y * radius) }
    }
    switch shape {
    case .disc(let centre, let radius, let fill, let ring, let width):
      return (fill.opacity > 0 ? around(centre, radius - width) : [])
        + (ring.opacity > 0 && width > 0 ? around(centre, radius) : [])
    case .area(let polygons, let colour):
      return colour.opacity > 0 ? Array(polygons.joined()) : []
    case .label(let text, let centre, let height, let colour):
      guard colour.opacity > 0 else { return [] }
      // Assume that digits are as wide as they are high.
      let half = height * Double(text.count) / 2
      return [-half, half].flatMap { x in
        [-height / 2, height / 2].map { Point(x: centre.x + x, y: centre.y + $0) }
      }
    }
  }

  @Test(arguments: [11, 12]) func `Everything drawn is inside the bounds`(seed: UInt64) throws {
    var frames = RandomFrames(seed: seed)
    var generator = SeededGenerator(seed: seed)
    var history = TouchHistory()
    var drawn = 0
    for style in HistoryPropertyTests.styles {
      for _ in 0..<12 {
        history.apply(frames.next(), at: frames.time)
        for surface in [Surface.translucent, .opaque] {
          for shape in history.shapes(on: "A", at: frames.time, style: style, surface: surface) {
            let points = coloured(shape, &generator)
            drawn += points.count
            if points.isEmpty { continue }
            let bounds = try #require(shape.bounds)
            for point in points {
              let isInside =
                point.x >= bounds.x - 1e-6 && point.x <= bounds.x + bounds.width + 1e-6
                && point.y >= bounds.y - 1e-6 && point.y <= bounds.y + bounds.height + 1e-6
              if !isInside { Issue.record("\(point) of \(shape)") }
            }
          }
        }
      }
    }
    #expect(drawn > 1000)
  }

  @Test func `An invisible shape has no bounds`() {
    let clear = Colour(red: 0, green: 0, blue: 0, opacity: 0)
    let centre = Point(x: 1, y: 1)
    #expect(
      Shape.disc(centre: centre, radius: 9, fill: clear, ring: clear, ringWidth: 2).bounds == nil)
    #expect(Shape.area(polygons: [], colour: .init(red: 0, green: 0, blue: 0)).bounds == nil)
    #expect(Shape.label(text: "2", centre: centre, height: 4, colour: clear).bounds == nil)
  }
}
