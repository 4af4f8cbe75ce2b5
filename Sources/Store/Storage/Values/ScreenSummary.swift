public import TouchModel

/// One screen on one geometry, over the sessions that showed it.
public struct ScreenSummary: Hashable, Sendable {
  public var key: GridKey
  /// The number of sessions that showed it.
  public var sessions: UInt64
  /// The number of touches counted on it.
  public var touches: UInt64
  public var shownMilliseconds: UInt64
  /// Every placement that was applied to a touch on it, each once.
  public var placements: [Placement]
}
