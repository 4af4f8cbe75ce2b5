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

  /// The same colour, its opacity multiplied.
  func faded(by factor: Double) -> Colour {
    Colour(red: red, green: green, blue: blue, opacity: opacity * factor)
  }

  /// What the two look like, this one above.
  func over(_ below: Colour) -> Colour {
    let rest = below.opacity * (1 - opacity)
    let all = opacity + rest
    guard all > 0 else { return .clear }
    func mix(_ one: Double, _ two: Double) -> Double { (one * opacity + two * rest) / all }
    return Colour(
      red: mix(red, below.red), green: mix(green, below.green), blue: mix(blue, below.blue),
      opacity: all)
  }

  static let white = Colour(red: 1, green: 1, blue: 1)
  static let dark = Colour(red: 0.2, green: 0.2, blue: 0.2)
  /// Nothing is drawn.
  static let clear = Colour(red: 0, green: 0, blue: 0, opacity: 0)
}

/// Something to be drawn, in points of a display. Later ones cover earlier ones.
public enum Shape: Hashable, Sendable {
  /// A disc and a ring around it: the ring from `radius - ringWidth` to `radius`, the fill inside it. Either may
  /// have the opacity 0, and the ring the width 0: then that is not drawn.
  case disc(centre: Point, radius: Double, fill: Colour, ring: Colour, ringWidth: Double)
  /// Polygons filled where their winding number is not 0. They all turn the same way: where they overlap they are
  /// one, and no less transparent.
  case area(polygons: [[Point]], colour: Colour)
  /// Text in the middle of which is `centre`, its digits `height` high.
  case label(text: String, centre: Point, height: Double, colour: Colour)

  /// Outside of it nothing is drawn, apart from the smoothing of edges: who counts in pixels rounds outwards.
  /// It is generous around a label, whose font this does not know. nil: nothing is drawn at all.
  public var bounds: Rectangle? {
    switch self {
    case .disc(let centre, let radius, let fill, let ring, let ringWidth):
      guard fill.opacity > 0 || (ring.opacity > 0 && ringWidth > 0) else { return nil }
      return Self.box(around: centre, radius, radius)
    case .area(let polygons, let colour):
      let points = polygons.joined()
      guard colour.opacity > 0, let first = points.first else { return nil }
      var (low, high) = (first, first)
      for point in points {
        low = Point(x: min(low.x, point.x), y: min(low.y, point.y))
        high = Point(x: max(high.x, point.x), y: max(high.y, point.y))
      }
      return Rectangle(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
    case .label(let text, let centre, let height, let colour):
      guard colour.opacity > 0 else { return nil }
      // The digits of no usual font are as wide as one and a quarter of their height.
      return Self.box(around: centre, 0.625 * height * Double(text.count) + height / 4, height)
    }
  }

  private static func box(around centre: Point, _ x: Double, _ y: Double) -> Rectangle? {
    Rectangle(x: centre.x - x, y: centre.y - y, width: 2 * x, height: 2 * y)
  }
}
