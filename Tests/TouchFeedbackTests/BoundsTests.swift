import Testing
import TouchFeedback
import TouchModel

/// The bounds of shapes, which determine what is redrawn. The overlay's `PixelTests` compare them
/// with pixels.
@Suite struct BoundsTests {
  @Test func `An invisible shape has no bounds`() {
    let clear = Colour(red: 0, green: 0, blue: 0, opacity: 0)
    let centre = Point(x: 1, y: 1)
    #expect(
      Shape.disc(centre: centre, radius: 9, fill: clear, ring: clear, ringWidth: 2).bounds == nil)
    #expect(Shape.area(polygons: [], colour: .init(red: 0, green: 0, blue: 0)).bounds == nil)
    #expect(Shape.label(text: "2", centre: centre, height: 4, colour: clear).bounds == nil)
  }
}
