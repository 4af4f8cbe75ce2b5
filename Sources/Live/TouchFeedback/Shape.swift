public import TouchModel

/// A colour: red, green, blue and opacity, each from 0 to 1. The colours are not premultiplied by
/// the opacity.
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

  /// Returns the same colour with its opacity multiplied by `factor`.
  func faded(by factor: Double) -> Colour {
    Colour(red: red, green: green, blue: blue, opacity: opacity * factor)
  }

  /// Returns the colour that results from drawing this one over `below`.
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
  /// The transparent colour: a part of a shape in this colour is not drawn.
  static let clear = Colour(red: 0, green: 0, blue: 0, opacity: 0)
}

/// A shape to be drawn, in points of a display. Later shapes cover earlier ones.
public enum Shape: Hashable, Sendable {
  /// A disc with a ring around it. The ring reaches from `radius - ringWidth` to `radius`, and the
  /// fill lies inside. A part with opacity 0 is not drawn, nor is a ring of width 0.
  case disc(centre: Point, radius: Double, fill: Colour, ring: Colour, ringWidth: Double)
  /// Polygons filled with the nonzero winding rule. All wind the same way, so overlapping parts are
  /// painted once and stay as transparent as the rest.
  case area(polygons: [[Point]], colour: Colour)
  /// Text with its middle at `centre` and digits of the given height.
  case label(text: String, centre: Point, height: Double, colour: Colour)

  /// The rectangle in which the shape is drawn; nil if nothing is drawn. The rectangle excludes the
  /// antialiasing of edges, so round it outwards to get pixels. Around a label it is larger than
  /// necessary, because the font is not known here.
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
      // No common font has digits that are wider than 1.25 times their height.
      return Self.box(around: centre, 0.625 * height * Double(text.count) + height / 4, height)
    }
  }

  private static func box(around centre: Point, _ x: Double, _ y: Double) -> Rectangle? {
    Rectangle(x: centre.x - x, y: centre.y - y, width: 2 * x, height: 2 * y)
  }
}
