/// Counts the touches of one session for a kind. Masked touches and palms never reach it.
public protocol CountTally: Sendable {
  /// Adds a touch that is counted on a screen.
  /// - Returns: what it has added, for `moveOutGhost`; nil if it is never taken back.
  mutating func add(_ touch: CountedTouch) -> (any Sendable)?
  /// Takes back what a touch has added that has proven to be a ghost.
  mutating func moveOutGhost(_ effect: any Sendable)
  /// Takes in something else that a part of the recorder tells the kinds that know it.
  mutating func note(_ event: any Sendable)
  /// Returns the counts, in any order.
  /// - Parameter all: whether to return those as well that have not changed since `clearChanges`.
  func counts(all: Bool) -> [SubjectCounts]
  mutating func clearChanges()
  /// The memory of what grows with the session, in bytes.
  var byteCount: Int { get }
  /// Whether a touch was not counted, because there was no room.
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
  /// The hour in UTC when it began.
  public let hour: Int
  /// Whether it lasted less than `PanelCounts.shortest`.
  let isShort: Bool
  /// Whether its panel is counted.
  let isOfPanel: Bool
  /// The controls of the screen when it began; nil if there were none.
  let controls: ControlSet?
  /// The memory that the counters of all sessions took before it, in bytes.
  let used: Int
  let trace: TouchTrace

  public var began: Timestamp { trace.began }
  /// Where it began, in points of the display.
  public var point: Point { trace.placement.locate(rawX: trace.rawX, rawY: trace.rawY).point }
}

/// What a touch has added to one of the tallies of its session.
struct TallyEffect: Sendable {
  /// The place of the tally.
  let tally: Int
  let effect: any Sendable
}

extension CountKinds {
  /// Returns new tallies for a session.
  func makeTallies() -> [any CountTally] { kinds.compactMap { $0.makeTally() } }
}
