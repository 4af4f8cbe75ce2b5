public import TouchModel

/// One touch, from its landing until nothing of it is seen any more.
public struct Bubble: Hashable, Sendable {
  /// Of its landing in the history, never used again there.
  public let number: Int
  public let touch: Int64
  public let display: String
  /// The lowest number, from 0, that no other finger on the display had when it landed.
  let finger: Int
  /// 1; more where it follows other taps at the same place.
  let tap: Int
  public let began: Timestamp
  let landing: Point
  /// Where the finger is, or was lifted.
  public private(set) var point: Point
  private(set) var trail: Trail
  /// As far from the landing as it has ever been.
  private(set) var farthest = 0.0
  /// nil while the finger is down.
  public internal(set) var lifted: Timestamp?

  init(_ sample: TouchSample, number: Int, finger: Int, tap: Int, at time: Timestamp) {
    self.number = number
    touch = sample.touch
    display = sample.display
    self.finger = finger
    self.tap = tap
    began = time
    landing = sample.point
    point = sample.point
    trail = Trail(from: sample.point, at: time)
  }

  mutating func move(to next: Point, at time: Timestamp) {
    point = next
    trail.move(to: next, at: time)
    farthest = max(farthest, landing.distance(to: next))
  }

  // MARK: Time

  /// When it begins to fade; nil while the finger is down.
  public var fadesFrom: Timestamp? {
    lifted.map { max($0, began + TouchHistory.shortest.wholeMicroseconds) }
  }

  /// From then on nothing of it is drawn.
  public var ends: Timestamp? { fadesFrom.map { $0 + TouchHistory.fade.wholeMicroseconds } }

  /// How much of it is left, 1 to 0.
  func presence(at time: Timestamp) -> Double {
    guard let start = fadesFrom else { return 1 }
    let passed = Double(time - start) / Double(TouchHistory.fade.wholeMicroseconds)
    return max(0, min(1, 1 - passed))
  }

  /// When what is drawn of it differs next: `time` itself while it goes on changing.
  func nextChange(after time: Timestamp, trail hasTrail: Bool) -> Timestamp? {
    if let ends, time >= ends { return nil }
    if hasTrail, trail.isShrinking(at: time) { return time }
    return fadesFrom.map { max($0, time) }
  }

  /// How fast the finger was in its last movement, in points a second; 0 where it rests or was lifted.
  public func speed(before time: Timestamp) -> Double {
    lifted == nil ? trail.speed(before: time) : 0
  }

  // MARK: Taps

  /// Whether a finger that lands counts as the next tap at the same place.
  func isFollowed(by sample: TouchSample, at time: Timestamp) -> Bool {
    guard let lifted, display == sample.display else { return false }
    return time - lifted <= TouchHistory.tapPause.wholeMicroseconds
      && farthest <= TouchHistory.tapDistance
      && point.distance(to: sample.point) <= TouchHistory.tapDistance
  }

  /// Neither drawn nor asked for again.
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
