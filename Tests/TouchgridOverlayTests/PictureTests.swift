import Testing
import TouchFeedback
import TouchModel

@testable import TouchgridOverlay

@Suite struct PictureTests {
  private func disc(_ x: Double, _ y: Double) -> Shape {
    let black = Colour(red: 0, green: 0, blue: 0)
    return .disc(
      centre: Point(x: x, y: y), radius: 10, fill: black, ring: black, ringWidth: 2)
  }

  @Test func onlyWhatDiffersIsDamaged() {
    let old = Picture(shapes: [disc(50, 50), disc(200, 50)])
    let new = Picture(shapes: [disc(50, 50), disc(210, 50)])
    #expect(
      Set(new.damage(after: old)) == [
        Area(x: 189, y: 39, width: 22, height: 22), Area(x: 199, y: 39, width: 22, height: 22),
      ])
    #expect(new.damage(after: new).isEmpty)
    #expect(Picture.nothing.damage(after: new).count == 2)
  }

  @Test func aMaskThatComesDamagesAll() {
    let shapes = [disc(50, 50)]
    let mask = Area(x: 0, y: 0, width: 60, height: 60)
    let masked = Picture(shapes: shapes, masks: [mask])
    #expect(!masked.damage(after: Picture(shapes: shapes)).isEmpty)
  }

  @Test func tilesAreThoseOfTheOutput() {
    let areas = [
      Area(x: -10, y: 120, width: 20, height: 20), Area(x: 290, y: 0, width: 50, height: 9),
    ]
    #expect(
      Tile.touched(by: areas, width: 300, height: 200) == [
        Tile(column: 0, row: 0), Tile(column: 0, row: 1), Tile(column: 2, row: 0),
      ])
    let outside = Area(x: 500, y: 0, width: 9, height: 9)
    #expect(Tile.touched(by: [outside], width: 300, height: 200) == [])
  }

  @Test func hostileCoordinatesAreBounded() {
    let far = Shape.stroke(
      points: [Point(x: -1e300, y: .nan), Point(x: 1e300, y: 5)], width: 4,
      colour: Colour(red: 0, green: 0, blue: 0))
    #expect(Tile.touched(by: [far.bounds], width: 256, height: 128).count <= 2)
  }

  @Test func delaysGrowUpToSeconds() {
    var delay = RetryDelay()
    #expect((0..<8).map { _ in delay.next() } == [100, 200, 400, 800, 1600, 3200, 5000, 5000])
    delay.reset()
    #expect(delay.next() == 100)
  }

  @Test func theRegionHoldsTheRingAndNoMask() {
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
