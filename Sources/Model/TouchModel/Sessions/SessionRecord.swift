/// A wall time, in ms since 1970-01-01 00:00 UTC.
public struct WallTime: Hashable, Comparable, Sendable {
  public var milliseconds: Int64
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }
  public static func < (left: WallTime, right: WallTime) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

/// The reason why a session ended.
public enum SessionEnd: String, Sendable, CaseIterable {
  /// There was no touch for the idle timeout.
  case idle
  case maxDuration = "max_duration"
  case client
  /// The daemon stopped.
  case stopped
  /// The daemon or the machine crashed. The next start closed the session, with the time of its
  /// last checkpoint.
  case recovered
}

/// The quantity that a grid counts.
public enum Layer: String, Sendable, CaseIterable {
  /// One per touch, in the block where it began.
  case taps
  /// One each time a touch enters the block, including the block where it begins.
  case trail
  /// The time of contact, in ms.
  case dwell

  /// The place of the case in `allCases`.
  package var place: Int {
    switch self {
    case .taps: 0
    case .trail: 1
    case .dwell: 2
    }
  }
}

/// Identifies a set of grids. Grids with different keys are never added up. Keys are equal if the
/// bytes of their names are equal: the store treats two Unicode forms of a name as two names.
public struct GridKey: Hashable, Sendable {
  /// The display's name.
  public var display: String
  /// The screen's name.
  public var screen: String
  public var geometry: DisplayGeometry
  public init(display: String, screen: String, geometry: DisplayGeometry) {
    self.display = display
    self.screen = screen
    self.geometry = geometry
  }

  public static func == (left: GridKey, right: GridKey) -> Bool {
    left.geometry == right.geometry && left.screen.hasSameBytes(as: right.screen)
      && left.display.hasSameBytes(as: right.display)
  }

  public func hash(into hasher: inout Hasher) {
    screen.hashBytes(into: &hasher)
    display.hashBytes(into: &hasher)
    hasher.combine(geometry)
  }
}

/// The data of one screen on one display geometry in a session.
public struct ScreenView: Hashable, Sendable {
  public var key: GridKey
  public var shownMilliseconds: UInt64
  /// The number of touches counted on the screen, even if memory had no room for its grids.
  public var touches: UInt64
  /// The placements of the devices of the counted touches, in the order of their first use.
  public var placements: [Placement]
  /// The rectangles that were masked while the screen was shown, in points of the display: each
  /// once, no matter how long it was masked. A screen that is masked as a whole has one rectangle
  /// as large as the display.
  public var masks: [Rectangle]
  public init(
    key: GridKey, shownMilliseconds: UInt64 = 0, touches: UInt64 = 0, placements: [Placement] = [],
    masks: [Rectangle] = []
  ) {
    self.key = key
    self.shownMilliseconds = shownMilliseconds
    self.touches = touches
    self.placements = placements
    self.masks = masks
  }
}

/// One layer of one screen in one session: row-major, `columns * rows` counters of the geometry.
public struct Grid: Hashable, Sendable {
  public var key: GridKey
  public var layer: Layer
  public var counters: Counters
  public init(key: GridKey, layer: Layer, counters: Counters) {
    self.key = key
    self.layer = layer
    self.counters = counters
  }
}

/// The current state of a session, for the store: its times, tags and totals, and the views, grids
/// and counts that changed since the previous record of the session. The last record of a session
/// contains all of them.
public struct SessionRecord: Hashable, Sendable {
  /// Positive, increasing, never reused in one store.
  public var id: Int64
  public var began: WallTime
  /// The time of the last activity of a person, which is the current time while a finger is down;
  /// if the session has ended, its end.
  public var lastActive: WallTime
  /// The time of the last activity outside of masks, which decides when rows are written: their
  /// order must not reveal the times of masked touches. It is not stored. nil: the same as
  /// `lastActive`.
  public var lastUnmasked: WallTime?
  /// nil while the session runs.
  public var end: SessionEnd?
  public var tags: [String: String]
  public var totals: SessionTotals
  public var changedViews: [ScreenView]
  public var changedGrids: [Grid]
  /// The other counts that changed. Each has a subject of its own.
  public var changedCounts: [SubjectCounts]
  /// The counts that only the session's day keeps; empty while the session runs.
  public var dayCounts: [SubjectCounts]

  public init(
    id: Int64, began: WallTime, lastActive: WallTime, end: SessionEnd? = nil,
    tags: [String: String] = [:], totals: SessionTotals = SessionTotals(),
    changedViews: [ScreenView] = [], changedGrids: [Grid] = [],
    changedCounts: [SubjectCounts] = [], dayCounts: [SubjectCounts] = []
  ) {
    self.id = id
    self.began = began
    self.lastActive = lastActive
    self.end = end
    self.tags = tags
    self.totals = totals
    self.changedViews = changedViews
    self.changedGrids = changedGrids
    self.changedCounts = changedCounts
    self.dayCounts = dayCounts
  }
}

/// Suspected ghosts of one device at one raw position that belong to no session.
public struct GhostTally: Hashable, Sendable {
  public var device: String
  public var x: Int32
  public var y: Int32
  /// The period of the rhythm, in ms; see `GhostDetector`.
  public var periodMilliseconds: Int64
  public var touches: UInt64
  public init(device: String, x: Int32, y: Int32, periodMilliseconds: Int64, touches: UInt64) {
    self.device = device
    self.x = x
    self.y = y
    self.periodMilliseconds = periodMilliseconds
    self.touches = touches
  }
}

/// The totals of a session: the result of every touch that began in it.
public struct SessionTotals: Hashable, Sendable {
  public var begun: UInt64 = 0
  /// Added to the grids.
  public var counted: UInt64 = 0
  public var masked: UInt64 = 0
  public var palms: UInt64 = 0
  /// Suspected ghosts.
  public var ghosts: UInt64 = 0
  /// Kept from the app: by a cover, or by a client such as the wake guard.
  public var swallowed: UInt64 = 0
  /// Not committed yet: still down, or ended so recently that a screen's name may still arrive. In
  /// an ended session: still down when the session stopped waiting for them.
  public var stillDown: UInt64 = 0

  // The following are not part of the sum.

  /// Unmasked touches in `begun` that were down before the device was opened.
  public var preexisting: UInt64 = 0
  /// Unmasked touches in `begun` that were cancelled for a reason other than a palm.
  public var cancelled: UInt64 = 0
  /// Samples of counted touches that were outside the device's range or the display.
  public var clamped: UInt64 = 0
  /// The number of times that the kernel dropped events (`SYN_DROPPED`); touches may have been
  /// missed.
  public var drops: UInt64 = 0

  public init() {}

  /// Whether each touch that began is in exactly one of the six totals that follow.
  public var isBalanced: Bool {
    var sum: UInt64 = 0
    for total in [counted, masked, palms, ghosts, swallowed, stillDown] {
      let (next, overflows) = sum.addingReportingOverflow(total)
      guard !overflows else { return false }
      sum = next
    }
    return begun == sum
  }
}
