/// A rectangle of a display, in points of the picture that the person sees. Its edges belong to it.
public struct Rectangle: Hashable, Sendable {
  public let x: Double
  public let y: Double
  public let width: Double
  public let height: Double

  /// - Returns: nil if a number is not finite or a size is not positive.
  public init?(x: Double, y: Double, width: Double, height: Double) {
    guard width > 0, height > 0, x.isFinite, y.isFinite, (x + width).isFinite,
      (y + height).isFinite
    else { return nil }
    // Equal rectangles are written alike: -0 becomes 0.
    self.x = x + 0
    self.y = y + 0
    self.width = width
    self.height = height
  }

  public func contains(_ point: Point) -> Bool {
    x <= point.x && point.x <= x + width && y <= point.y && point.y <= y + height
  }

  /// Whether the straight line between two points meets the rectangle, including its edges.
  func isCrossed(from start: Point, to end: Point) -> Bool {
    let isBeside =
      max(start.x, end.x) < x || min(start.x, end.x) > x + width
      || max(start.y, end.y) < y || min(start.y, end.y) > y + height
    if isBeside { return false }
    // If all corners are on one side of the line, the line misses the rectangle. If rounding leaves
    // that in doubt, the line counts as meeting the rectangle.
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    func side(_ cornerX: Double, _ cornerY: Double) -> Double {
      dx * (cornerY - start.y) - dy * (cornerX - start.x)
    }
    let (one, two) = (side(x, y), side(x + width, y))
    let (three, four) = (side(x, y + height), side(x + width, y + height))
    let unsure = 1e-6 * (abs(dx) + abs(dy))
    return min(one, two, three, four) <= unsure && max(one, two, three, four) >= -unsure
  }

  /// Whether the rectangle has a point in common with the box that two corners span.
  func meets(boxFrom low: Point, to high: Point) -> Bool {
    x <= high.x && low.x <= x + width && y <= high.y && low.y <= y + height
  }
}

/// A screen, or a rectangle of one, where touches are masked: they are never placed. They are
/// counted in the totals of their session, and nowhere else.
public struct Mask: Hashable, Sendable {
  /// The screen's name.
  public var screen: String
  /// The display's name; nil for every display.
  public var display: String?
  /// nil for the whole screen.
  public var rectangle: Rectangle?

  public init(screen: String, display: String? = nil, rectangle: Rectangle? = nil) {
    self.screen = screen
    self.display = display
    self.rectangle = rectangle
  }
}
