public import TouchModel

/// One touch at one moment, as the daemon reports it.
public struct TouchSample: Hashable, Sendable {
  /// The number of the touch, the same from touch-down to touch-up.
  public var touch: Int64
  public var phase: Phase
  /// The position on the display, in points.
  public var point: Point
  public var display: String

  public init(touch: Int64, phase: Phase, point: Point, display: String) {
    self.touch = touch
    self.phase = phase
    self.point = point
    self.display = display
  }
}

/// The touches that are down, and those that ended a moment ago. The shapes to draw depend only on
/// this history, the time, the style and the kind of surface. The history uses a limited amount of
/// memory for any input.
public struct TouchHistory: Hashable, Sendable {
  /// The least time that a bubble is shown before it fades, so that a short tap is visible.
  public static let shortest: Duration = .milliseconds(150)
  /// The time in which a bubble fades after touch-up.
  public static let fade: Duration = .milliseconds(250)
  /// The longest pause between a touch-up and the next touch-down of taps that are counted together
  /// (the rule of ShowTime, a library for iOS).
  public static let tapPause: Duration = .milliseconds(350)
  /// The greatest distance between two successive taps that are counted together, in points. It is
  /// also the greatest distance to which the first tap may have moved from its touch-down.
  public static let tapDistance = 44.0
  /// The gap between two samples of a finger, in µs, above which it has rested in between, because
  /// a finger that rests sends no samples. It is then assumed to have stayed in its place until
  /// `restLead` µs before the next sample.
  public static let restGap: Int64 = 50_000
  public static let restLead: Int64 = 16_000
  /// The most bubbles at a time. A touch beyond this replaces the oldest bubble after touch-up; if
  /// there is none, the touch is not drawn.
  public static let limit = 64
  /// The highest number that a tap can have. All further taps in the series have this number too.
  public static let tapLimit = 999
  /// The greatest coordinate, in points. Points beyond it are moved to it, because calculations
  /// with greater coordinates could fail.
  private static let farthest = 1e6

  /// The bubbles, in the order of touch-down.
  public private(set) var bubbles: [Bubble] = []
  private var touchDownCount = 0
  private var now: Timestamp?

  public init() {}

  // MARK: Touches

  /// Applies one frame. A cancelled touch disappears immediately. A touch whose touch-down was not
  /// seen begins with its first sample. The end of an unknown touch is ignored. A point that is not
  /// finite is ignored, so no touch begins or moves there.
  /// - Parameter time: The time of the frame, on the clock that `shapes` uses. A time before the
  ///   previous frame counts as the time of that frame.
  public mutating func apply(_ frame: [TouchSample], at time: Timestamp) {
    let time = max(time, now ?? time)
    now = time
    forget(at: time)
    // Handle touch-ups first: each frees its finger's number for a touch-down in the same frame.
    for sample in frame where sample.phase == .ended || sample.phase == .cancelled {
      end(sample, at: time)
    }
    for sample in frame {
      switch sample.phase {
      case .began: begin(sample, at: time)
      case .moved, .stationary: move(sample, at: time)
      case .ended, .cancelled: break
      }
    }
  }

  private func down(_ touch: Int64) -> Int? {
    bubbles.firstIndex { $0.touch == touch && $0.lifted == nil }
  }

  private mutating func end(_ sample: TouchSample, at time: Timestamp) {
    guard let index = down(sample.touch) else { return }
    guard sample.phase == .ended else {
      bubbles.remove(at: index)
      return
    }
    if let point = Self.near(sample.point) { bubbles[index].move(to: point, at: time) }
    bubbles[index].lifted = time
  }

  private mutating func move(_ sample: TouchSample, at time: Timestamp) {
    guard let index = down(sample.touch), bubbles[index].display == sample.display else {
      begin(sample, at: time)
      return
    }
    if let point = Self.near(sample.point) { bubbles[index].move(to: point, at: time) }
  }

  private mutating func begin(_ sample: TouchSample, at time: Timestamp) {
    var sample = sample
    guard let point = Self.near(sample.point) else { return }
    sample.point = point
    // The touch number was reused, or is on another display now, so the earlier finger has lifted.
    if let index = down(sample.touch) { bubbles[index].lifted = time }
    if bubbles.count >= Self.limit {
      guard let oldest = bubbles.firstIndex(where: { $0.lifted != nil }) else { return }
      bubbles.remove(at: oldest)
    }
    let before = bubbles.last { $0.isFollowed(by: sample, at: time) }
    touchDownCount &+= 1
    bubbles.append(
      Bubble(
        sample, number: touchDownCount, finger: freeFinger(on: sample.display),
        tap: min((before?.tap ?? 0) + 1, Self.tapLimit), at: time))
  }

  private func freeFinger(on display: String) -> Int {
    var taken: UInt64 = 0
    for bubble in bubbles where bubble.lifted == nil && bubble.display == display {
      taken |= 1 << UInt64(bubble.finger)
    }
    return (~taken).trailingZeroBitCount
  }

  /// Returns the point with its coordinates limited to ±`farthest`; nil if one is not finite.
  private static func near(_ point: Point) -> Point? {
    guard point.x.isFinite, point.y.isFinite else { return nil }
    return Point(
      x: max(-farthest, min(farthest, point.x)), y: max(-farthest, min(farthest, point.y)))
  }

  /// Forgets all touches, so that nothing is drawn until the next touch.
  public mutating func clear() { bubbles = [] }

  /// Forgets the bubbles that are no longer needed, neither to draw nor to count taps.
  public mutating func forget(at time: Timestamp) {
    bubbles.removeAll { $0.isOver(at: time) }
  }

  public var isEmpty: Bool { bubbles.isEmpty }

  // MARK: Drawing

  /// Returns the shapes to draw on a display.
  /// - Parameter time: The time to draw, not before the last frame.
  public func shapes(
    on display: String, at time: Timestamp, style: BubbleStyle, surface: Surface = .translucent
  ) -> [Shape] {
    var shapes: [Shape] = []
    for bubble in bubbles where bubble.display == display {
      bubble.shapes(at: time, style, surface, into: &shapes)
    }
    return shapes
  }

  /// Returns the time of the next change of `shapes` if no frame arrives: `time` itself while
  /// something moves or fades; nil if no change is due.
  public func nextChange(after time: Timestamp, style: BubbleStyle) -> Timestamp? {
    bubbles.lazy.compactMap { $0.nextChange(after: time, trail: style.hasTrail) }.min()
  }
}
