/// Where a touch went, as far as masks need to know: into which rectangles, and how far at all. As large for
/// a tap as for a finger that draws for an hour.
struct MaskPath: Sendable {
  /// Numbers of masks.
  struct Numbers: Sendable {
    private var words = SIMD8<UInt64>()

    mutating func insert(_ number: Int) { words[number >> 6] |= 1 << UInt64(number & 63) }

    func contains(_ number: Int) -> Bool { words[number >> 6] & 1 << UInt64(number & 63) != 0 }

    func contains(where isOne: (Int) -> Bool) -> Bool {
      guard words != SIMD8() else { return false }
      return (0..<Masks.limit).contains { contains($0) && isOne($0) }
    }
  }

  /// Shared by all touches on a display.
  private var candidates: [Masks.Candidate]
  /// Of the candidates, those that it began in or went into.
  private(set) var crossed = Numbers()
  private(set) var last: Point
  /// The corners of the smallest box that it stayed in.
  private var low: Point
  private var high: Point

  init(at point: Point, candidates: [Masks.Candidate]) {
    self.candidates = candidates
    (last, low, high) = (point, point, point)
    for candidate in candidates where candidate.rectangle.contains(point) {
      crossed.insert(candidate.number)
    }
  }

  /// The finger went straight from its last point to this.
  mutating func move(to point: Point) {
    for candidate in candidates where !crossed.contains(candidate.number) {
      if candidate.rectangle.isCrossed(from: last, to: point) { crossed.insert(candidate.number) }
    }
    last = point
    low = Point(x: min(low.x, point.x), y: min(low.y, point.y))
    high = Point(x: max(high.x, point.x), y: max(high.y, point.y))
  }

  /// Other masks hold from now on. Of those that are new it is not known whether the touch was in them: where
  /// it may have been, it was.
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
