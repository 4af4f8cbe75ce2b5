/// Counts the touches of one session for a kind. Masked touches and palms never reach it.
public protocol CountTally: Sendable {
  /// Adds a touch that is counted on a screen.
  /// - Returns: its effect, for `moveOutGhost`; nil if it is never removed.
  mutating func add(_ touch: CountedTouch) -> (any Sendable)?
  /// Removes the effect of a touch that has proven to be a ghost.
  mutating func moveOutGhost(_ effect: any Sendable)
  /// Handles an event of another part of the recorder. Tallies ignore events that they do not know.
  mutating func note(_ event: any Sendable)
  /// Returns the counts, in any order.
  /// - Parameter all: whether to include counts that have not changed since `clearChanges`.
  func counts(all: Bool) -> [SubjectCounts]
  mutating func clearChanges()
  /// The memory that grows during the session, in bytes.
  var byteCount: Int { get }
  /// Whether a touch was left out for lack of room.
  var isFull: Bool { get }
}

extension CountTally {
  public mutating func note(_ event: any Sendable) {}
  public var byteCount: Int { 0 }
  public var isFull: Bool { false }
}

/// A touch of a session that is counted on a screen.
public struct CountedTouch: Sendable {
  /// The screen on its display geometry.
  public let key: GridKey
  /// Whether the touch may prove to be a ghost.
  public let isSuspect: Bool
  /// Whether both its beginning and its end were seen.
  public let isWhole: Bool
  /// The grip that it is; nil if it is none.
  let grip: Gesture?
  /// The size of a point of its display, in mm; an assumed one if it is unknown.
  public let pointSize: Double
  /// The hour in UTC when it began.
  public let hour: Int
  /// Whether it lasted less than `PanelCounts.shortest`.
  let isShort: Bool
  /// Whether its panel is counted.
  let isOfPanel: Bool
  /// The controls of the screen at its touch-down; nil if there were none.
  let controls: ControlSet?
  /// The control to which it belongs; nil if none is near.
  let match: ControlSet.Match?
  /// The memory that the counters of all sessions took before it, in bytes.
  let used: Int
  let trace: TouchTrace

  public var began: Timestamp { trace.began }
  /// The control on which it began; nil if it began on none.
  var hit: Control? {
    match.flatMap { match in match.isHit ? controls?.controls[match.control] : nil }
  }
  /// The position of the touch-down, in points of the display.
  public var point: Point { trace.point }
}

/// The effect of a touch on one of the tallies of its session.
struct TallyEffect: Sendable {
  /// The index of the tally.
  let tally: Int
  let effect: any Sendable
}

extension CountKinds {
  /// Returns new tallies for a session.
  func makeTallies() -> [any CountTally] { kinds.compactMap { $0.makeTally() } }
}
