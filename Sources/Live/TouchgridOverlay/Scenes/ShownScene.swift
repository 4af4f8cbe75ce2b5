internal import Text
internal import TouchFeedback
internal import TouchModel

/// A scene of another program for a whole output: a text, lines and crosses. Coordinates are shares
/// of the output's width and height.
struct ShownScene: Equatable {
  var title = ""
  var lines: [(from: Point, to: Point)] = []
  var crosses: [Point] = []

  /// The longest line of input that is read, in bytes.
  static let limit = 1 << 16
  /// The maximum number of lines and of crosses.
  private static let most = 64

  static func == (left: ShownScene, right: ShownScene) -> Bool {
    left.title == right.title && left.crosses == right.crosses
      && left.lines.elementsEqual(right.lines) { $0 == $1 }
  }

  /// - Parameter text: one JSON object, `{"title", "lines": [[x, y, x, y]], "crosses": [[x, y]]}`.
  /// - Returns: nil if the text is not a scene.
  init?(_ text: String) {
    guard let json = try? JSONValue(parsing: text), let title = json["title"]?.string,
      let lines = Self.numbers(json["lines"], each: 4),
      let crosses = Self.numbers(json["crosses"], each: 2)
    else { return nil }
    self.title = title
    self.lines = lines.map { (Point(x: $0[0], y: $0[1]), Point(x: $0[2], y: $0[3])) }
    self.crosses = crosses.map { Point(x: $0[0], y: $0[1]) }
  }

  private static func numbers(_ json: JSONValue?, each count: Int) -> [[Double]]? {
    guard let elements = json?.elements, elements.count <= most else { return nil }
    let lists = elements.compactMap { element -> [Double]? in
      let numbers = (element.elements ?? []).compactMap { $0.digits.flatMap { Double($0) } }
      return numbers.count == count && numbers.allSatisfy((0...1).contains) ? numbers : nil
    }
    return lists.count == elements.count ? lists : nil
  }

  private static let ground = Colour(red: 0.05, green: 0.07, blue: 0.1)
  private static let ink = Colour(red: 1, green: 1, blue: 1)
  private static let mark = Colour(red: 1, green: 0.8, blue: 0.2)

  /// Returns the picture of an output of this size, in points. It covers the whole output.
  func picture(width: Double, height: Double) -> Picture {
    func place(_ point: Point) -> Point { Point(x: point.x * width, y: point.y * height) }
    var picture = Picture()
    picture.shapes.append(
      Self.strip(
        Point(x: 0, y: height / 2), Point(x: width, y: height / 2), wide: height, Self.ground))
    for line in lines {
      picture.shapes.append(Self.strip(place(line.from), place(line.to), wide: 3, Self.ink))
    }
    for cross in crosses {
      let (middle, arm) = (place(cross), 24.0)
      picture.shapes += [
        Self.strip(
          Point(x: middle.x - arm, y: middle.y), Point(x: middle.x + arm, y: middle.y), wide: 2,
          Self.mark),
        Self.strip(
          Point(x: middle.x, y: middle.y - arm), Point(x: middle.x, y: middle.y + arm), wide: 2,
          Self.mark),
      ]
    }
    // Place the text between the lines, which lie at quarters of the height.
    let rows = wrapped(title.printable(limit: 400), to: 44)
    let size = min(20, width * 0.9 / 44)
    for (number, row) in rows.enumerated() {
      picture.shapes.append(
        .label(
          text: row, centre: Point(x: width / 2, y: height * 0.37 + Double(number) * size * 2),
          height: size, colour: Self.ink))
    }
    return picture
  }

  /// Returns a line of a given width, as a polygon.
  private static func strip(_ from: Point, _ to: Point, wide: Double, _ colour: Colour) -> Shape {
    let (dx, dy) = (to.x - from.x, to.y - from.y)
    let length = max((dx * dx + dy * dy).squareRoot(), .leastNormalMagnitude)
    let (x, y) = (-dy / length * wide / 2, dx / length * wide / 2)
    return .area(
      polygons: [
        [
          Point(x: from.x + x, y: from.y + y), Point(x: to.x + x, y: to.y + y),
          Point(x: to.x - x, y: to.y - y), Point(x: from.x - x, y: from.y - y),
        ]
      ], colour: colour)
  }
}
