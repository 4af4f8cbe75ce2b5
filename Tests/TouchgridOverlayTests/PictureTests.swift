import LinuxIO
import Testing
import TouchFeedback
import TouchModel

@testable import TouchgridOverlay

@Suite struct PictureTests {
  private func disc(_ x: Double, _ y: Double, radius: Double = 10) -> Shape {
    let black = Colour(red: 0, green: 0, blue: 0)
    return .disc(
      centre: Point(x: x, y: y), radius: radius, fill: black, ring: black, ringWidth: 2)
  }

  @Test func `Only changed shapes are damaged`() {
    let old = Picture(shapes: [disc(50, 50), disc(200, 50)])
    let new = Picture(shapes: [disc(50, 50), disc(210, 50)])
    #expect(
      Set(new.damage(after: old)) == [
        Area(x: 189, y: 39, width: 22, height: 22), Area(x: 199, y: 39, width: 22, height: 22),
      ])
    #expect(new.damage(after: new).isEmpty)
    #expect(Picture.nothing.damage(after: new).count == 2)
  }

  @Test func `A new mask causes damage`() {
    let shapes = [disc(50, 50)]
    let mask = Area(x: 0, y: 0, width: 60, height: 60)
    let masked = Picture(shapes: shapes, masks: [mask])
    #expect(!masked.damage(after: Picture(shapes: shapes)).isEmpty)
  }

  @Test func `Duplicate and reordered shapes are damaged`() {
    let (one, two) = (disc(50, 50), disc(55, 50))
    #expect(Picture(shapes: [one]).damage(after: Picture(shapes: [one, one])) == [one.extent])
    #expect(!Picture(shapes: [one, two]).damage(after: Picture(shapes: [two, one])).isEmpty)
  }

  @Test func `Areas are rounded outwards`() {
    #expect(
      Area(x: -5, y: 31, width: 37, height: 2).rounded(to: 32)
        == Area(x: -32, y: 0, width: 64, height: 64))
    let square = Area(x: 32, y: -64, width: 32, height: 64)
    #expect(square.rounded(to: 32) == square)
  }

  @Test func `Extreme coordinates are limited`() {
    let far = disc(1e300, -1e300)
    #expect([far.extent.x, far.extent.y] == [100_000, -100_000])
    let huge = disc(0, 0, radius: 1e6)
    #expect(huge.extent == Area(x: -100_000, y: -100_000, width: 200_000, height: 200_000))
    let region = Painter(surface: .opaque).region(
      of: Picture(shapes: [huge]), width: 100, height: 50)
    #expect(region.contains(x: 0, y: 0) && region.contains(x: 99, y: 49))
    #expect(disc(.nan, 5).extent.isEmpty)
  }

  @Test func `Overlapping polygons have one extent and move with their points`() {
    func square(_ x: Double, _ y: Double) -> [Point] {
      [
        Point(x: x, y: y), Point(x: x + 10, y: y), Point(x: x + 10, y: y + 10),
        Point(x: x, y: y + 10),
      ]
    }
    let shape = Shape.area(
      polygons: [square(10, 10), square(15, 15)], colour: Colour(red: 0, green: 0, blue: 0))
    #expect(shape.extent == Area(x: 9, y: 9, width: 17, height: 17))
    #expect(shape.moved(byX: 2, 1).extent == Area(x: 19, y: 9, width: 32, height: 17))
    let region = Painter(surface: .opaque).region(
      of: Picture(shapes: [shape]), width: 100, height: 100)
    for (x, y, isDrawn) in [
      (12, 12, true), (17, 17, true), (23, 23, true), (22, 12, false), (12, 22, false),
    ] as [(Int32, Int32, Bool)] { #expect(region.contains(x: x, y: y) == isDrawn) }
  }

  @Test func `Retry delays grow up to 5 s`() {
    var delay = RetryDelay()
    #expect((0..<8).map { _ in delay.next() } == [100, 200, 400, 800, 1600, 3200, 5000, 5000])
    delay.reset()
    #expect(delay.next() == 100)
  }

  @Test func `The region contains the ring and no masked area`() {
    let painter = Painter(surface: .opaque)
    let ring = Shape.disc(
      centre: Point(x: 50, y: 50), radius: 10,
      fill: Colour(red: 1, green: 1, blue: 1, opacity: 0), ring: Colour(red: 0, green: 0, blue: 0),
      ringWidth: 2)
    let whole = painter.region(of: Picture(shapes: [ring]), width: 100, height: 100)
    #expect(whole.contains(x: 50, y: 41))
    #expect(whole.contains(x: 59, y: 50))
    #expect(!whole.contains(x: 50, y: 50))
    #expect(!whole.contains(x: 61, y: 50))
    let left = Area(x: 0, y: 0, width: 50, height: 100)
    let half = painter.region(of: Picture(shapes: [ring], masks: [left]), width: 100, height: 100)
    #expect(!half.contains(x: 41, y: 50))
    #expect(half.contains(x: 58, y: 50))
  }
}
