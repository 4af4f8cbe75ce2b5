public import TouchModel

/// A session as it is stored.
public struct StoredSession: Hashable, Sendable {
  /// The session's head. `session(_:)` adds all views and grids, `sessions(in:)` none.
  public var record: SessionRecord
  /// The kiosk's calendar day on which it began.
  public var day: Day
  /// Whether the day's sums include its grids, so that it may be deleted.
  public var isRolledUp: Bool
}
