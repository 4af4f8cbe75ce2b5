internal import TouchFeedback
internal import TouchModel

/// A rectangle of whole points of an output.
struct Area: Hashable, Sendable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  var isEmpty: Bool { width <= 0 || height <= 0 }

  /// The smallest area of whole points that contains the given edges.
  init(covering left: Double, _ top: Double, _ right: Double, _ bottom: Double) {
    x = Self.clampedInteger(left.rounded(.down))
    y = Self.clampedInteger(top.rounded(.down))
    width = Self.clampedInteger(right.rounded(.up)) - x
    height = Self.clampedInteger(bottom.rounded(.up)) - y
  }

  init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Returns the smallest area that contains this one and has edges at multiples of `side`.
  func rounded(to side: Int) -> Area {
    func down(_ value: Int) -> Int { value - (value % side + side) % side }
    let (left, top) = (down(x), down(y))
    return Area(
      x: left, y: top, width: down(x + width + side - 1) - left,
      height: down(y + height + side - 1) - top)
  }

  /// Returns the intersection of both areas. Its `isEmpty` is true if they do not overlap.
  func intersection(_ other: Area) -> Area {
    let (left, top) = (max(x, other.x), max(y, other.y))
    return Area(
      x: left, y: top, width: min(x + width, other.x + other.width) - left,
      height: min(y + height, other.y + other.height) - top)
  }

  /// Converts a coordinate, limited to ±100,000; NaN becomes 0. Coordinates of window systems have
  /// 16 bits, so a point beyond the limit is outside of any output anyway.
  private static func clampedInteger(_ value: Double) -> Int {
    Int(min(max(value.isNaN ? 0 : value, -100_000), 100_000))
  }
}

/// The picture of an output at one moment, in points of the output.
struct Picture: Hashable, Sendable {
  var shapes: [Shape] = []
  /// The areas in which nothing is drawn.
  var masks: [Area] = []

  static let nothing = Picture()

  var isEmpty: Bool { shapes.isEmpty }

  /// Returns the areas to draw again when this picture replaces `old`. They have no particular
  /// order, and one may occur twice.
  func damage(after old: Picture) -> [Area] {
    guard masks == old.masks else { return old.shapes.map(\.extent) + shapes.map(\.extent) }
    guard shapes != old.shapes else { return [] }
    return shapes.difference(from: old.shapes).map { change in
      switch change {
      case .insert(_, let shape, _), .remove(_, let shape, _): shape.extent
      }
    }
  }
}

extension Shape {
  /// The smallest area of whole points around the shape, with a margin of one point for antialiased
  /// edges; empty if nothing is drawn.
  var extent: Area {
    guard let bounds else { return Area(x: 0, y: 0, width: 0, height: 0) }
    return Area(
      covering: bounds.x - 1, bounds.y - 1, bounds.x + bounds.width + 1,
      bounds.y + bounds.height + 1)
  }

  /// Returns the shape with its coordinates multiplied by these factors. Discs and labels keep
  /// their size.
  func moved(byX x: Double, _ y: Double) -> Shape {
    func move(_ point: Point) -> Point { Point(x: point.x * x, y: point.y * y) }
    return switch self {
    case .disc(let centre, let radius, let fill, let ring, let ringWidth):
      .disc(centre: move(centre), radius: radius, fill: fill, ring: ring, ringWidth: ringWidth)
    case .area(let polygons, let colour):
      .area(polygons: polygons.map { $0.map(move) }, colour: colour)
    case .label(let text, let centre, let height, let colour):
      .label(text: text, centre: move(centre), height: height, colour: colour)
    }
  }
}
