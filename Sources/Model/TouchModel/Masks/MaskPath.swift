/// The part of a touch's path that masks need: the rectangles that it entered, and the box around
/// it. Its size does not depend on the length of the path.
struct MaskPath: Sendable {
  /// A set of mask numbers.
  struct Numbers: Sendable {
    private var words = SIMD8<UInt64>()

    mutating func insert(_ number: Int) { words[number >> 6] |= 1 << UInt64(number & 63) }

    func contains(_ number: Int) -> Bool { words[number >> 6] & 1 << UInt64(number & 63) != 0 }

    func contains(where isOne: (Int) -> Bool) -> Bool {
      guard words != SIMD8() else { return false }
      return (0..<Masks.limit).contains { contains($0) && isOne($0) }
    }
  }

  /// The masks with rectangles on the display. All touches on a display share this array.
  private var candidates: [Masks.Candidate]
  /// The numbers of the candidates in which the touch began, or which it entered.
  private(set) var crossed = Numbers()
  private(set) var last: Point
  /// The corners of the smallest box that contains the path.
  private var low: Point
  private var high: Point

  init(at point: Point, candidates: [Masks.Candidate]) {
    self.candidates = candidates
    (last, low, high) = (point, point, point)
    for candidate in candidates where candidate.rectangle.contains(point) {
      crossed.insert(candidate.number)
    }
  }

  /// The width and height of the box around the path, in points.
  var extent: (width: Double, height: Double) { (high.x - low.x, high.y - low.y) }

  /// Extends the path by a straight line from its last point.
  @inline(__always)
  mutating func move(to point: Point) {
    if !candidates.isEmpty { cross(from: last, to: point) }
    last = point
    low = Point(x: min(low.x, point.x), y: min(low.y, point.y))
    high = Point(x: max(high.x, point.x), y: max(high.y, point.y))
  }

  @inline(never)
  private mutating func cross(from start: Point, to end: Point) {
    for candidate in candidates where !crossed.contains(candidate.number) {
      if candidate.rectangle.isCrossed(from: start, to: end) { crossed.insert(candidate.number) }
    }
  }

  /// Replaces the masks. A touch counts as having been in a new mask if the box around its path
  /// meets the mask, because its exact path is unknown.
  mutating func adopt(_ candidates: [Masks.Candidate], replacing masks: borrowing Masks) {
    let known = crossed
    crossed = Numbers()
    for candidate in candidates {
      let isCrossed =
        masks.number(of: candidate.mask).map(known.contains)
        ?? candidate.rectangle.meets(boxFrom: low, to: high)
      if isCrossed { crossed.insert(candidate.number) }
    }
    self.candidates = candidates
  }
}
