internal import TouchFeedback
internal import TouchModel

/// Whole points of an output, both ends of the range of a window's coordinates.
struct Area: Hashable, Sendable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  var isEmpty: Bool { width <= 0 || height <= 0 }

  /// The least area of whole points that holds all of it.
  init(covering left: Double, _ top: Double, _ right: Double, _ bottom: Double) {
    x = Self.whole(left.rounded(.down))
    y = Self.whole(top.rounded(.down))
    width = Self.whole(right.rounded(.up)) - x
    height = Self.whole(bottom.rounded(.up)) - y
  }

  init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The least area that holds all of it, and whose edges are multiples of `side`.
  func rounded(to side: Int) -> Area {
    func down(_ value: Int) -> Int { value - (value % side + side) % side }
    let (left, top) = (down(x), down(y))
    return Area(
      x: left, y: top, width: down(x + width + side - 1) - left,
      height: down(y + height + side - 1) - top)
  }

  /// Window systems count in 16 bits; far outside is outside.
  private static func whole(_ value: Double) -> Int {
    Int(min(max(value.isNaN ? 0 : value, -100_000), 100_000))
  }
}

/// What an output shows at one moment, in its points.
struct Picture: Hashable, Sendable {
  var shapes: [Shape] = []
  /// Where nothing is drawn.
  var masks: [Area] = []

  static let nothing = Picture()

  var isEmpty: Bool { shapes.isEmpty }

  /// What has to be drawn again where this follows `old`.
  func damage(after old: Picture) -> [Area] {
    guard masks == old.masks else {
      return old.shapes.map(\.bounds) + shapes.map(\.bounds)
    }
    let (before, after) = (Set(old.shapes), Set(shapes))
    return old.shapes.filter { !after.contains($0) }.map(\.bounds)
      + shapes.filter { !before.contains($0) }.map(\.bounds)
  }
}

extension Shape {
  /// What it may touch, with a pixel for smoothed edges.
  var bounds: Area {
    switch self {
    case .disc(let centre, let radius, _, _, _):
      return Area(
        covering: centre.x - radius - 1, centre.y - radius - 1, centre.x + radius + 1,
        centre.y + radius + 1)
    case .area(let polygons, _):
      let points = polygons.joined()
      guard let first = points.first else { return Area(x: 0, y: 0, width: 0, height: 0) }
      var (low, high) = (first, first)
      for point in points {
        low = Point(x: min(low.x, point.x), y: min(low.y, point.y))
        high = Point(x: max(high.x, point.x), y: max(high.y, point.y))
      }
      return Area(covering: low.x - 1, low.y - 1, high.x + 1, high.y + 1)
    case .label(let text, let centre, let height, _):
      let reach = height * Double(max(text.count, 1)) + 1
      return Area(
        covering: centre.x - reach, centre.y - height, centre.x + reach, centre.y + height)
    }
  }

  /// The same at another place of a plane stretched so; its size stays.
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
