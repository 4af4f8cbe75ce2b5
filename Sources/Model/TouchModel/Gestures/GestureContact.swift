/// A touch that has ended, as far as gestures need it. Lengths are in mm.
struct GestureContact: Sendable {
  let began: Timestamp
  let ended: Timestamp
  /// Where it began and ended.
  let start: Point
  let end: Point
  /// The width and height of the box around its path.
  let extent: (width: Double, height: Double)
  let touch: TouchID
  /// The control on which it began, as its place in the tally; nil if it began on none.
  let control: Int?
  /// Whether the screen changed after it; nil if nothing observed that.
  var isAnswered: Bool?

  init(
    began: Timestamp, ended: Timestamp, start: Point, end: Point,
    extent: (width: Double, height: Double), touch: TouchID = TouchID(0), control: Int? = nil
  ) {
    (self.began, self.ended, self.start, self.end) = (began, ended, start, end)
    (self.extent, self.touch, self.control) = (extent, touch, control)
  }

  init(_ touch: CountedTouch, control: Int?) {
    let (size, extent) = (touch.pointSize, touch.trace.path.extent)
    self.init(
      began: touch.began, ended: touch.began + touch.trace.duration,
      start: touch.point.scaled(by: size), end: touch.trace.path.last.scaled(by: size),
      extent: (extent.width * size, extent.height * size), touch: touch.trace.touch,
      control: control)
  }

  /// The order in which they began.
  static func isBefore(_ left: GestureContact, _ right: GestureContact) -> Bool {
    left.began == right.began ? left.ended < right.ended : left.began < right.began
  }

  /// Whether both may be fingers of one gesture, because they were down at the same time.
  func isTogether(with other: GestureContact) -> Bool {
    let both = min(ended, other.ended) - max(began, other.began)
    let whole = max(ended, other.ended) - min(began, other.began)
    return both > 0 && Double(both) >= GestureRule.overlap * Double(whole)
  }

  /// Whether no contact that ends at `time` or later can be a finger of the same gesture.
  func isOver(at time: Timestamp) -> Bool {
    Double(time - began) > Double(ended - began) / GestureRule.overlap
  }
}

extension Point {
  fileprivate func scaled(by factor: Double) -> Point { Point(x: x * factor, y: y * factor) }

  fileprivate mutating func add(_ other: Point, _ share: Double) {
    (x, y) = (x + share * other.x, y + share * other.y)
  }
}

/// How fingers that belong together moved, from where each began to where it ended. Lengths are in
/// mm.
struct GestureMotion {
  /// The way of their centre.
  let x: Double
  let y: Double
  /// By how much they moved apart: twice the difference of their mean distances (root mean square)
  /// from the centre. Of two fingers, that is the change of their distance.
  let growth: Double
  /// The cosine of the angle by which they turned around their centre.
  let cosine: Double
  /// How far this turned one of two fingers around the other, in a straight line.
  let chord: Double

  var length: Double { (x * x + y * y).squareRoot() }

  init(_ fingers: [GestureContact]) {
    let count = Double(fingers.count)
    var (first, last) = (Point(x: 0, y: 0), Point(x: 0, y: 0))
    for finger in fingers {
      first.add(finger.start, 1 / count)
      last.add(finger.end, 1 / count)
    }
    (x, y) = (last.x - first.x, last.y - first.y)
    var (before, after, along, across) = (0.0, 0.0, 0.0, 0.0)
    for finger in fingers {
      let start = Point(x: finger.start.x - first.x, y: finger.start.y - first.y)
      let end = Point(x: finger.end.x - last.x, y: finger.end.y - last.y)
      before += start.x * start.x + start.y * start.y
      after += end.x * end.x + end.y * end.y
      along += start.x * end.x + start.y * end.y
      across += start.x * end.y - start.y * end.x
    }
    let (small, large) = (2 * (before / count).squareRoot(), 2 * (after / count).squareRoot())
    growth = large - small
    // The turn that brings the first points as close as possible to the last ones.
    let norm = (along * along + across * across).squareRoot()
    cosine = norm > 0 ? along / norm : 1
    chord = (2 * (1 - cosine)).squareRoot() * (small + large) / 2
  }
}
