public import TouchModel

/// Red, green, blue and opacity, 0 to 1, not multiplied by the opacity.
public struct Colour: Hashable, Sendable {
  public var red: Double
  public var green: Double
  public var blue: Double
  public var opacity: Double

  public init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.opacity = opacity
  }
}

/// Something to be drawn, in points of a display. Later ones cover earlier ones.
public enum Shape: Hashable, Sendable {
  /// A disc with a ring around it, which lies inside the radius.
  case disc(centre: Point, radius: Double, fill: Colour, ring: Colour, ringWidth: Double)
  /// A line through points with round ends and corners.
  case stroke(points: [Point], width: Double, colour: Colour)
  /// Text in the middle of which is `centre`, its digits `height` high.
  case label(text: String, centre: Point, height: Double, colour: Colour)
}
