public import TouchModel

/// A session as the store has it.
public struct StoredSession: Hashable, Sendable {
  /// The head. From `session(_:)` with all views and grids, from `sessions(in:)` with none.
  public var record: SessionRecord
  /// The kiosk's calendar day on which it began.
  public var day: Day
  /// Its grids are part of the sums of its day, and it may be dropped.
  public var isRolledUp: Bool
}
