public import TouchModel

/// The bubble of one touch, from touch-down until it is no longer drawn.
public struct Bubble: Hashable, Sendable {
  /// The number of the touch-down, from 1, unique within its `TouchHistory`.
  public let number: Int
  public let touch: Int64
  public let display: String
  /// The lowest number, from 0, that no other finger on the display had at touch-down.
  let finger: Int
  /// The number of this tap in a series of taps at the same place, from 1.
  let tap: Int
  public let began: Timestamp
  let touchDown: Point
  /// The position of the finger, in points; after touch-up, its last position.
  public private(set) var point: Point
  private(set) var trail: Trail
  /// The greatest distance so far from the position of the touch-down, in points.
  private(set) var farthest = 0.0
  /// The time of touch-up; nil while the finger is down.
  public internal(set) var lifted: Timestamp?

  init(_ sample: TouchSample, number: Int, finger: Int, tap: Int, at time: Timestamp) {
    self.number = number
    touch = sample.touch
    display = sample.display
    self.finger = finger
    self.tap = tap
    began = time
    touchDown = sample.point
    point = sample.point
    trail = Trail(from: sample.point, at: time)
  }

  mutating func move(to next: Point, at time: Timestamp) {
    point = next
    trail.move(to: next, at: time)
    farthest = max(farthest, touchDown.distance(to: next))
  }

  // MARK: Time

  /// The time at which the bubble begins to fade; nil while the finger is down.
  public var fadesFrom: Timestamp? {
    lifted.map { max($0, began + TouchHistory.shortest.wholeMicroseconds) }
  }

  /// The time from which the bubble is no longer drawn; nil while the finger is down.
  public var ends: Timestamp? { fadesFrom.map { $0 + TouchHistory.fade.wholeMicroseconds } }

  /// Returns the visibility of the bubble, from 1 (full) to 0 (none).
  func presence(at time: Timestamp) -> Double {
    guard let start = fadesFrom else { return 1 }
    let passed = Double(time - start) / Double(TouchHistory.fade.wholeMicroseconds)
    return max(0, min(1, 1 - passed))
  }

  /// Returns the time of the next change of the drawing: `time` itself while the drawing changes
  /// continuously; nil if no change is due.
  func nextChange(after time: Timestamp, trail hasTrail: Bool) -> Timestamp? {
    if let ends, time >= ends { return nil }
    if hasTrail, trail.isShrinking(at: time) { return time }
    return fadesFrom.map { max($0, time) }
  }

  /// Returns the speed of the last movement, in points per second; 0 while the finger rests and
  /// after touch-up.
  public func speed(before time: Timestamp) -> Double {
    lifted == nil ? trail.speed(before: time) : 0
  }

  // MARK: Taps

  /// Returns whether a touch-down at `time` continues the series of taps that this bubble is in.
  func isFollowed(by sample: TouchSample, at time: Timestamp) -> Bool {
    guard let lifted, display == sample.display else { return false }
    return time - lifted <= TouchHistory.tapPause.wholeMicroseconds
      && farthest <= TouchHistory.tapDistance
      && point.distance(to: sample.point) <= TouchHistory.tapDistance
  }

  /// Returns whether the bubble is no longer needed, neither to draw nor to count taps.
  func isOver(at time: Timestamp) -> Bool {
    guard let lifted, let ends else { return false }
    return time >= ends && time - lifted > TouchHistory.tapPause.wholeMicroseconds
  }
}

extension Point {
  func distance(to other: Point) -> Double {
    ((other.x - x) * (other.x - x) + (other.y - y) * (other.y - y)).squareRoot()
  }
}

extension Duration {
  var wholeMicroseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }
}
