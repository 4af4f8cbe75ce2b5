public import TouchModel

public struct StoredSession: Hashable, Sendable {
  /// The session. It has all views and grids if it comes from `session(_:)`, and none if it comes
  /// from `sessions(in:)`.
  public var record: SessionRecord
  /// The kiosk's calendar day on which it began.
  public var day: Day
  /// Whether the day's sums include its grids, so that it may be deleted.
  public var isRolledUp: Bool
}
