public import TouchModel

/// One touch at one moment, as somebody who watches is told.
public struct TouchSample: Hashable, Sendable {
  /// The same from landing to lift.
  public var touch: Int64
  public var phase: Phase
  /// On the display.
  public var point: Point
  public var display: String

  public init(touch: Int64, phase: Phase, point: Point, display: String) {
    self.touch = touch
    self.phase = phase
    self.point = point
    self.display = display
  }
}

/// The touches that are down or were a moment ago: all that the drawing depends on, besides time and style. Its
/// memory is bounded, whatever it is told.
public struct TouchHistory: Hashable, Sendable {
  /// How long a bubble is there at the least, so that a short tap is seen.
  public static let shortest: Duration = .milliseconds(150)
  /// How long one that was lifted takes to fade.
  public static let fade: Duration = .milliseconds(250)
  /// A tap is counted with the one before where no more time lies between lift and landing (ShowTime's rule).
  public static let tapPause: Duration = .milliseconds(350)
  /// And where it lies no farther from it, in points, and neither moved farther.
  public static let tapDistance = 44.0
  /// A finger that rests sends nothing. After a longer gap, in microseconds, it is taken to have stayed where it
  /// was until `restLead` before it is heard of again.
  public static let restGap: Int64 = 50_000
  public static let restLead: Int64 = 16_000
  /// The most bubbles at a time; what lands beyond is not drawn.
  public static let limit = 64
  /// The highest number of a tap.
  public static let tapLimit = 999
  /// Points beyond are taken to here, so that none is too far to be calculated with.
  private static let farthest = 1e6

  /// In the order of landing.
  public private(set) var bubbles: [Bubble] = []
  private var landings = 0
  private var now: Timestamp?

  public init() {}

  // MARK: Touches

  /// Takes one frame. A touch that is cancelled is gone at once; one that began unseen begins here, and the end of
  /// one that was never seen is nothing. A sample whose point is no number moves nothing.
  /// - Parameter time: on the clock that `shapes` is asked by; never before the last (it is taken for the last).
  public mutating func take(_ frame: [TouchSample], at time: Timestamp) {
    let time = max(time, now ?? time)
    now = time
    forget(at: time)
    // A finger that lifts within the frame leaves its number to one that lands.
    for sample in frame where sample.phase == .ended || sample.phase == .cancelled {
      end(sample, at: time)
    }
    for sample in frame {
      switch sample.phase {
      case .began: land(sample, at: time)
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
      land(sample, at: time)
      return
    }
    if let point = Self.near(sample.point) { bubbles[index].move(to: point, at: time) }
  }

  private mutating func land(_ sample: TouchSample, at time: Timestamp) {
    var sample = sample
    guard let point = Self.near(sample.point) else { return }
    sample.point = point
    // Its number is used again: then that finger is no longer there.
    if let index = down(sample.touch) { bubbles[index].lifted = time }
    if bubbles.count >= Self.limit {
      guard let oldest = bubbles.firstIndex(where: { $0.lifted != nil }) else { return }
      bubbles.remove(at: oldest)
    }
    let before = bubbles.last { $0.isFollowed(by: sample, at: time) }
    landings &+= 1
    bubbles.append(
      Bubble(
        sample, number: landings, finger: freeFinger(on: sample.display),
        tap: min((before?.tap ?? 0) + 1, Self.tapLimit), at: time))
  }

  private func freeFinger(on display: String) -> Int {
    var taken: UInt64 = 0
    for bubble in bubbles where bubble.lifted == nil && bubble.display == display {
      taken |= 1 << UInt64(bubble.finger)
    }
    return (~taken).trailingZeroBitCount
  }

  /// - Returns: nil where it is no point.
  private static func near(_ point: Point) -> Point? {
    guard point.x.isFinite, point.y.isFinite else { return nil }
    return Point(
      x: max(-farthest, min(farthest, point.x)), y: max(-farthest, min(farthest, point.y)))
  }

  /// Nothing is known any more: nothing is drawn from now on.
  public mutating func clear() { bubbles = [] }

  /// Forgets what is no longer drawn.
  public mutating func forget(at time: Timestamp) {
    bubbles.removeAll { $0.isOver(at: time) }
  }

  /// Whether nothing is remembered.
  public var isEmpty: Bool { bubbles.isEmpty }

  // MARK: Drawing

  /// What there is to draw on a display.
  /// - Parameter time: not before the last frame.
  public func shapes(
    on display: String, at time: Timestamp, style: BubbleStyle, surface: Surface = .translucent
  ) -> [Shape] {
    var shapes: [Shape] = []
    for bubble in bubbles where bubble.display == display {
      bubble.shapes(at: time, style, surface, into: &shapes)
    }
    return shapes
  }

  /// When `shapes` differ next if no frame comes: `time` itself while something moves or fades; nil: never.
  public func nextChange(after time: Timestamp, style: BubbleStyle) -> Timestamp? {
    bubbles.lazy.compactMap { $0.nextChange(after: time, trail: style.hasTrail) }.min()
  }
}
